import { createHash } from 'node:crypto';
import type { Certificate } from '../certificates/certificate.ts';

const keyHashes = new WeakMap<Certificate, string>();

/** Lower-case hex SHA-256 of the key of a certificate. */
export function keyHash(certificate: Certificate): string {
  const key = keyHashes.get(certificate) ?? createHash('sha256').update(certificate.publicKeyInfo).digest('hex');
  keyHashes.set(certificate, key);
  return key;
}
