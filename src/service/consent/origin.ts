import { ServiceError } from '../errors/index.ts';

/** Hosts of this computer by name or address (RFC 6761 §6.3). */
const LOOPBACK = /^(localhost|[^.]+\.localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/**
 * An origin in browsers' notation (RFC 6454 §6.2): `https://portal.example:8443`, host in lower case and punycode, no
 * default port. https, or http on this computer. Rejects with `REQUEST_INVALID`.
 */
export function readOrigin(text: string): string {
  const url = URL.parse(text.trim());
  const isPlain = url !== null && url.username === '' && url.password === '' && url.search === '' && url.hash === '';
  if (!isPlain || url.pathname !== '/') throw invalid('Give an origin: https://portal.example, with its port if any.');
  if (url.protocol === 'https:' || (url.protocol === 'http:' && LOOPBACK.test(url.hostname))) return url.origin;
  throw invalid('Only https origins, and http on this computer, can be let in.');
}

function invalid(detail: string): ServiceError {
  return new ServiceError('REQUEST_INVALID', detail, {
    problems: [{ field: 'origin', code: 'INVALID_VALUE', detail }],
  });
}
