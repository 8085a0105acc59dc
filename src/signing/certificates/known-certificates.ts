import type { Certificate } from './certificate.ts';
import { parseCertificate } from './parse-certificate.ts';

/** Authorities' certificates come again and again; so many octets of them are kept parsed. */
const MAX_OCTETS = 4 * 2 ** 20;

/** Octets at the end, where the issuer's signature stands: no two honest certificates have the same. */
const TAIL = 48;

/** Certificates by their last octets, those used last at the end. */
const known = new Map<string, Certificate>();
let octets = 0;

/**
 * `parseCertificate`, remembering what was parsed: the same octets give the same object, with its key read once and with
 * what else is kept for as long as it lives. The result does not refer to `der`. Throws `CERTIFICATE_MALFORMED`.
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
    // One with the same end by somebody's design: the newer one stays.
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
