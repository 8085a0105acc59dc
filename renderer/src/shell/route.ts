import { useSyncExternalStore } from 'react';

/** The pages of the GUI. The address is `#/` and the name; Home has none. */
export type Route = 'home' | 'sign' | 'validate' | 'certificates' | 'users' | 'sites';

const named = ['sign', 'validate', 'certificates', 'users', 'sites'] as const satisfies Route[];

/** Address of a page, for links. */
export function hrefOf(route: Route): string {
  return route === 'home' ? '#/' : `#/${route}`;
}

/** Goes to a page. */
export function goTo(route: Route): void {
  window.location.hash = hrefOf(route);
}

function currentRoute(): Route {
  const name = window.location.hash.replace(/^#\/?/, '');
  return named.find((route) => route === name) ?? 'home';
}

function onRoute(listener: () => void): () => void {
  window.addEventListener('hashchange', listener);
  return () => window.removeEventListener('hashchange', listener);
}

/** The page that the address names; Home for anything else. */
export function useRoute(): Route {
  return useSyncExternalStore(onRoute, currentRoute);
}
