import type { LucideIcon } from 'lucide-react';
import type { Route } from '../route.ts';

/** A page of the navigation. */
export interface Page {
  readonly route: Route;
  readonly icon: LucideIcon;
}
