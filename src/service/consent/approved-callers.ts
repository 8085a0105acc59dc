import { clientIdShape } from '../applications/index.ts';
import type { Authority } from '../authorization/index.ts';
import { readOrigin } from './origin.ts';

/** Whether this can name somebody whose signatures need no approval: a client id, or an origin as browsers write it. */
export function isCallerName(text: string): boolean {
  if (!text.includes('://')) return clientIdShape.test(text);
  try {
    return readOrigin(text) === text;
  } catch {
    return false;
  }
}

/**
 * Whether the configuration approves the signatures of this caller: an application that proved to be one, by its secret
 * or by a token that was given to it, or a site, for whose origin its browser vouches. What a program calls itself
 * counts for nothing.
 */
export function isApprovedCaller(
  approved: readonly string[],
  { kind, name }: { readonly kind: string; readonly name: string },
  authority: Pick<Authority, 'clientId'> | undefined,
): boolean {
  const clientId = authority?.clientId;
  if (clientId !== undefined && approved.includes(clientId)) return true;
  return kind === 'site' && approved.includes(name);
}
