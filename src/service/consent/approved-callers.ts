import { clientIdShape } from '../applications/index.ts';
import type { Authority } from '../authorization/index.ts';
import { readOrigin } from './origin.ts';

/** True for a possible name of a caller without approval: a client id, or an origin in browsers' notation. */
export function isCallerName(text: string): boolean {
  if (!text.includes('://')) return clientIdShape.test(text);
  try {
    return readOrigin(text) === text;
  } catch {
    return false;
  }
}

/**
 * True when the configuration approves this caller's signatures: an application proven by its secret or token, or a
 * site proven by its browser's origin. A program's own claim counts for nothing.
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
