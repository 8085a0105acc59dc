import { useSyncExternalStore } from 'react';

const named = [
  'sign',
  'validate',
  'history',
  'renewals',
  'certificates',
  'users',
  'sites',
  'settings',
  'doctor',
  'first-run',
] as const;

/** The pages of the GUI. The address is `#/` and the name, then parameters as in a query; Home has no name. */
export type Route = 'home' | (typeof named)[number];

/** Address of a page, for links. */
export function hrefOf(route: Route): string {
  return route === 'home' ? '#/' : `#/${route}`;
}

/** Goes to a page; `instead` leaves no way back to the earlier page. */
export function goTo(route: Route, way: 'next' | 'instead' = 'next'): void {
  if (way === 'instead') window.location.replace(hrefOf(route));
  else window.location.hash = hrefOf(route);
}

function currentRoute(): Route {
  const name = window.location.hash.replace(/^#\/?/, '').replace(/[/?].*$/s, '');
  return named.find((route) => route === name) ?? 'home';
}

function currentParameter(name: string): string | null {
  return new URLSearchParams(/\?.*$/s.exec(window.location.hash)?.[0]).get(name);
}

function onRoute(listener: () => void): () => void {
  window.addEventListener('hashchange', listener);
  return () => window.removeEventListener('hashchange', listener);
}

let moves = 0;
window.addEventListener('hashchange', () => (moves += 1));

/** True after a change of page in this window. */
export function hasComeFromAnotherPage(): boolean {
  return moves > 0;
}

/** The page of the address; Home for an unknown address. */
export function useRoute(): Route {
  return useSyncExternalStore(onRoute, currentRoute);
}

/** A parameter of the address, such as `pair` in `#/sites?pair=…`; null for a missing parameter. */
export function useRouteParameter(name: string): string | null {
  return useSyncExternalStore(onRoute, () => currentParameter(name));
}

/** The parts of Settings; the address names each part but the first: `#/settings?part=network`. */
export const settingsParts = ['general', 'keys', 'network', 'deliveries', 'data'] as const;

export type SettingsPart = (typeof settingsParts)[number];

/** Address of a part, for links. */
export function hrefOfPart(part: SettingsPart): string {
  return part === 'general' ? '#/settings' : `#/settings?part=${part}`;
}
