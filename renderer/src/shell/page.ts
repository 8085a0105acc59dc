import type { IconComponent } from '../components/icons/index.ts';
import type { Route } from '../route.ts';

/** An entry of the navigation. */
export interface Page {
  readonly route: Route;
  readonly icon: IconComponent;
}
