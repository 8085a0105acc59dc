import type { Icon } from '../icons/icon.ts';
import type { Route } from '../route.ts';

/** A page of the navigation. */
export interface Page {
  readonly route: Route;
  readonly icon: Icon;
}
