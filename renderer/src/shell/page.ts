import type { Icon } from '../icons/icon.ts';
import type { Route } from '../route.ts';

/** A page that the navigation leads to. */
export interface Page {
  readonly route: Route;
  readonly icon: Icon;
}
