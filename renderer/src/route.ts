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

/** The pages of the window. The address is `#/`, the name, and parameters as in a query string. Home has no name. */
export type Route = 'home' | (typeof named)[number];

/** Address of a page, for links. */
export function hrefOf(route: Route): string {
  return route === 'home' ? '#/' : `#/${route}`;
}

/** Opens a page. `instead` replaces the current entry of the browser's history. */
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

/** True after the first change of page in this window. */
export function hasComeFromAnotherPage(): boolean {
  return moves > 0;
}

/** Returns the page of the current address; Home for an unknown address. */
export function useRoute(): Route {
  return useSyncExternalStore(onRoute, currentRoute);
}

/** Returns a parameter of the current address, such as `pair` in `#/sites?pair=…`; null for a missing parameter. */
export function useRouteParameter(name: string): string | null {
  return useSyncExternalStore(onRoute, () => currentParameter(name));
}

/** The parts of Settings; the address names each part but the first: `#/settings?part=network`. */
export const settingsParts = ['general', 'keys', 'network', 'deliveries', 'data'] as const;

export type SettingsPart = (typeof settingsParts)[number];

/** Address of a part of Settings, for links. */
export function hrefOfPart(part: SettingsPart): string {
  return part === 'general' ? '#/settings' : `#/settings?part=${part}`;
}
