import { hash } from 'node:crypto';
import type { Certificate } from './certificate.ts';
import { parseCertificate } from './parse-certificate.ts';

/** Authorities' certificates come again and again; so many octets of them are kept parsed. */
const MAX_OCTETS = 4 * 2 ** 20;

/** Certificates by the SHA-256 of their DER, those used last at the end. */
const known = new Map<string, Certificate>();
let octets = 0;

/**
 * `parseCertificate`, remembering what was parsed: the same octets give the same object, with its key read once and with
 * what else is kept for as long as it lives. The result does not refer to `der`. Throws `CERTIFICATE_MALFORMED`.
 */
export function parseKnownCertificate(der: Uint8Array): Certificate {
  const key = hash('sha256', der);
  const found = known.get(key);
  if (found !== undefined) {
    known.delete(key);
    known.set(key, found);
    return found;
  }
  const certificate = parseCertificate(Buffer.from(der));
  known.set(key, certificate);
  octets += certificate.der.length;
  for (const [oldest, { der: oldestDer }] of known) {
    if (octets <= MAX_OCTETS) break;
    known.delete(oldest);
    octets -= oldestDer.length;
  }
  return certificate;
}
