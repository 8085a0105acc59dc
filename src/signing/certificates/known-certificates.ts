import type { Certificate } from './certificate.ts';
import { parseCertificate } from './parse-certificate.ts';

/** Most bytes of parsed certificates in the cache; authorities' certificates occur again and again. */
const MAX_OCTETS = 4 * 2 ** 20;

/** Octets at the end, where the issuer's signature stands: no two honest certificates have the same. */
const TAIL = 48;

/** Certificates by their last bytes, the most recently used at the end. */
const known = new Map<string, Certificate>();
let octets = 0;

/**
 * `parseCertificate` with a cache: the same bytes give the same object, so its key is read once, and data attached to
 * the object lives as long as the object. The result does not refer to `der`. Throws `CERTIFICATE_MALFORMED`.
 */
export function parseKnownCertificate(der: Uint8Array): Certificate {
  const view = Buffer.from(der.buffer, der.byteOffset, der.byteLength);
  const key = view.toString('latin1', Math.max(0, view.length - TAIL));
  const found = known.get(key);
  if (found !== undefined) {
    known.delete(key);
    if (found.der.equals(view)) {
      known.set(key, found);
      return found;
    }
    // Another certificate with the same end, made on purpose: the newer certificate stays.
    octets -= found.der.length;
  }
  const certificate = parseCertificate(Buffer.from(view));
  known.set(key, certificate);
  octets += certificate.der.length;
  for (const [oldest, { der: oldestDer }] of known) {
    if (octets <= MAX_OCTETS) break;
    known.delete(oldest);
    octets -= oldestDer.length;
  }
  return certificate;
}
