/** The action of a link in the desktop. Any page may contain such a link, so a link can only show something. */
export type DeepLink =
  | { readonly kind: 'open' }
  /** A site asks for a grant: the page of sites opens with its origin filled in, and the owner decides there. */
  | { readonly kind: 'pair'; readonly origin: string };

/** The scheme registered by the installers. */
export const linkScheme = 'sinete';

/** Reads `sinete://open` and `sinete://pair?origin=https://portal.example`; undefined for anything else. */
export function parseDeepLink(text: string): DeepLink | undefined {
  if (text.length > 512) return undefined;
  const url = URL.parse(text);
  if (url?.protocol !== `${linkScheme}:`) return undefined;
  if (url.username !== '' || url.password !== '' || url.port !== '' || url.hash !== '') return undefined;
  if (url.pathname !== '' && url.pathname !== '/') return undefined;
  if (url.host === 'open') return url.search === '' ? { kind: 'open' } : undefined;
  if (url.host !== 'pair') return undefined;
  const names = [...url.searchParams.keys()];
  const origin = originOf(url.searchParams.get('origin') ?? '');
  return names.length === 1 && origin !== undefined ? { kind: 'pair', origin } : undefined;
}

/** The link among the arguments of a start, on Windows and Linux. */
export function deepLinkAmong(words: readonly string[]): DeepLink | undefined {
  return words.map(parseDeepLink).find((link) => link !== undefined);
}

/** Reads a web origin: `https`, or `http` on this computer, and nothing after the host and port. */
function originOf(text: string): string | undefined {
  const url = URL.parse(text);
  if (url === null || url.origin !== text) return undefined;
  const isHere = ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname);
  return url.protocol === 'https:' || (url.protocol === 'http:' && isHere) ? text : undefined;
}
