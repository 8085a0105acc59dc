import { ServiceError } from '../errors/index.ts';
import { clientIdShape } from '../applications/index.ts';
import type { Authority } from '../authorization/index.ts';

/** Hosts of this computer by name or address (RFC 6761 §6.3). */
const LOOPBACK = /^(localhost|[^.]+\.localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** The schemes of extensions and applications, whose origins only the owner can name. */
const NAMED = /^(chrome-extension|moz-extension|app):\/\/[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/;

/** True for the origin of an extension or of an application: such an origin is named exactly or not at all. */
export const isNamedApplication = (origin: string): boolean => NAMED.test(origin);

/** True for an http origin that is not on this computer: anybody on its network can speak in its name. */
export function isPlainHttpOrigin(origin: string): boolean {
  const url = URL.parse(origin);
  return url?.protocol === 'http:' && !LOOPBACK.test(url.hostname);
}

/**
 * An origin in browsers' notation (RFC 6454 §6.2): `https://portal.example:8443`, host in lower case and punycode, no
 * default port. https, http on this computer, or the origin of an extension or application as its browser writes it.
 * With `insecure`, http elsewhere too. Rejects with `REQUEST_INVALID`.
 */
export function readOrigin(text: string, insecure = false): string {
  if (NAMED.test(text.trim())) return text.trim();
  const url = URL.parse(text.trim());
  const isPlain = url !== null && url.username === '' && url.password === '' && url.search === '' && url.hash === '';
  if (!isPlain || url.pathname !== '/') throw invalid('Give an origin: https://portal.example, with its port if any.');
  if (url.protocol === 'https:' || (url.protocol === 'http:' && LOOPBACK.test(url.hostname))) return url.origin;
  if (insecure && url.protocol === 'http:') return url.origin;
  if (url.protocol === 'http:') {
    throw invalid(
      'Anybody on the network of a plain http site can speak in its name: let it in with --insecure, for signatures through the bridge window alone.',
    );
  }
  throw invalid('Only https origins, http on this computer, and extensions named exactly can be let in.');
}

function invalid(detail: string): ServiceError {
  return new ServiceError('REQUEST_INVALID', detail, {
    problems: [{ field: 'origin', code: 'INVALID_VALUE', detail }],
  });
}

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
 * True if the configuration approves this caller's signatures: an application that has proved its secret or token, or a
 * site whose browser reports its origin. A name that a program only claims is ignored.
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
