import { type AliasedKey, normalizeTaxpayerNumber, parseCertificate } from '../../signing/index.ts';
import { ServiceError } from '../errors/index.ts';
import type { CertificateEntry } from './certificate-entry.ts';
import { readCertificateStatus, type CertificateEvidence } from './certificate-status.ts';
import { describeCertificate } from './describe-certificate.ts';
import { namesTaxpayer } from './holder-name.ts';

/** A person's certificate in the form of certificate information. */
export interface NamedCertificateEntry extends CertificateEntry {
  readonly alias: string;
}

/** Information about a person's certificates, with their state. */
export interface CertificateInformation {
  /**
   * All of the person's certificates, or the certificate with this alias or SHA-256. Rejects with
   * `CERTIFICATE_NOT_FOUND` for another person's alias.
   */
  read(username: string, alias?: string, signal?: AbortSignal): Promise<readonly NamedCertificateEntry[]>;
}

/** Services for certificate information. */
export interface CertificateInformationParts {
  readonly keys: { list(): Promise<readonly AliasedKey[]> };
  /** SHA-256 of the certificates linked to a person by hand. */
  readonly linkedCertificates: (username: string) => Promise<readonly string[]>;
  readonly evidence: CertificateEvidence;
  readonly now: () => Date;
}

/** Information about the certificates with a key here. */
export function createCertificateInformation(parts: CertificateInformationParts): CertificateInformation {
  const { keys, linkedCertificates, evidence, now } = parts;
  return {
    async read(username, alias, signal) {
      const person = normalizeTaxpayerNumber(username);
      const linked = new Set(await linkedCertificates(person));
      const own = (await keys.list()).filter((key) => linked.has(key.fingerprint) || namesTaxpayer(key, person));
      const wanted = alias === undefined ? own : own.filter((key) => isCalled(key, alias));
      if (alias !== undefined && wanted.length === 0) {
        throw new ServiceError('CERTIFICATE_NOT_FOUND', 'The user of this token has no certificate of this name.');
      }
      return Promise.all(
        wanted.map(async (key) => {
          const certificate = parseCertificate(key.certificate);
          const status = await readCertificateStatus(certificate, key.chain.map(parseCertificate), {
            evidence,
            now: now(),
            signal,
          });
          return { alias: key.alias, ...describeCertificate(certificate, status) };
        }),
      );
    },
  };
}

function isCalled({ alias, fingerprint, certificate }: AliasedKey, wanted: string): boolean {
  const name = wanted.trim();
  return alias === name || fingerprint === name.toLowerCase() || parseCertificate(certificate).commonName === name;
}
