import { SigningError } from '../../errors.ts';
import type { Certificate } from '../certificate.ts';
import { describeKey } from '../certificate-details.ts';
import { isSameName } from '../path/distinguished-name.ts';
import { isIssuedBy } from '../path/signed-structure.ts';
import { pinnedRoot } from './icp-brasil-roots.ts';
import { readCertificates } from './read-certificates.ts';
import { isZip, readZip } from './read-zip.ts';

/** Why something in an imported file was left out. */
export type SkipReason =
  | 'NOT_A_CERTIFICATE'
  | 'FILE_UNREADABLE'
  | 'ROOT_NOT_PINNED'
  | 'KEY_UNREADABLE'
  | 'NOT_AN_AUTHORITY'
  | 'SIGNATURE_INVALID';

/** A part of the file that was left out. */
export interface SkippedMaterial {
  readonly reason: SkipReason;
  /** The file's name in an archive, or the certificate's common name. */
  readonly name: string;
  /** A sentence for the user. */
  readonly sentence: string;
}

/** The trust material of an imported file. */
export interface ImportedTrustMaterial {
  /** Self-signed certificates with a pinned SHA-256. */
  readonly anchors: readonly Certificate[];
  /** Authorities without a self-signature. Path building decides whether such an authority leads to an anchor. */
  readonly intermediates: readonly Certificate[];
  readonly skipped: readonly SkippedMaterial[];
}

/** Limits on trust at import. */
export interface TrustImportOptions {
  /** True if a self-signed certificate with this fingerprint may become an anchor; by default, the pinned roots. */
  readonly isPinned?: (fingerprint: string) => boolean;
}

/** Names of files in ITI's package that hold no certificate: hashes and texts. */
const NO_CERTIFICATE = /\.(?:txt|html?|pdf|md|sha\d*|crl|json|xml)$/i;

class TrustImport {
  readonly anchors = new Map<string, Certificate>();
  readonly intermediates = new Map<string, Certificate>();
  readonly skipped: SkippedMaterial[] = [];
  readonly #isPinned: (fingerprint: string) => boolean;

  constructor({ isPinned }: TrustImportOptions) {
    this.#isPinned = isPinned ?? ((fingerprint) => pinnedRoot(fingerprint) !== undefined);
  }

  addFile(name: string, content: Buffer): void {
    const { certificates, failures } = readCertificates(content);
    for (const failure of failures) this.#skip('NOT_A_CERTIFICATE', name, failure);
    if (certificates.length + failures.length === 0) {
      this.#skip('NOT_A_CERTIFICATE', name, 'The file holds no certificate.');
    }
    for (const certificate of certificates) this.#addCertificate(certificate);
  }

  addArchive(input: Buffer): void {
    for (const { name, content, reason } of readZip(input)) {
      if (NO_CERTIFICATE.test(name)) continue;
      if (content === undefined)
        this.#skip('FILE_UNREADABLE', name, `The file in the archive cannot be read: ${reason ?? ''}.`);
      else this.addFile(name, content);
    }
  }

  #addCertificate(certificate: Certificate): void {
    const { commonName: name, fingerprint } = certificate;
    const isSelfIssued = isSameName(certificate.issuer, certificate.subject);
    if (isSelfIssued && !this.#isPinned(fingerprint)) {
      this.#skip(
        'ROOT_NOT_PINNED',
        name,
        `${name} is a root that is not among those known to be ICP-Brasil's or the government's. Its SHA-256 is ${fingerprint}.`,
      );
    } else if (!isReadable(certificate)) {
      const sentence = `The key of ${name} is of a kind that cannot be read here: ${describeKey(certificate)}.`;
      this.#skip('KEY_UNREADABLE', name, sentence);
    } else if (!isSelfIssued && certificate.isCertificateAuthority) {
      this.intermediates.set(fingerprint, certificate);
    } else if (!isSelfIssued) {
      this.#skip('NOT_AN_AUTHORITY', name, `${name} is not a certification authority.`);
    } else if (isIssuedBy(certificate, certificate)) {
      this.anchors.set(fingerprint, certificate);
    } else {
      this.#skip('SIGNATURE_INVALID', name, `The root ${name} is not signed with its own key.`);
    }
  }

  #skip(reason: SkipReason, name: string, sentence: string): void {
    this.skipped.push({ reason, name, sentence });
  }
}

function isReadable(certificate: Certificate): boolean {
  try {
    certificate.publicKey();
    return true;
  } catch (error) {
    if (error instanceof SigningError) return false;
    throw error;
  }
}

/**
 * Reads a ZIP archive, a PEM bundle, a DER certificate or a PKCS#7 file, and sorts its certificates. Unreadable or
 * untrusted parts are in `skipped`. Throws `DER_MALFORMED` for a damaged archive, `LIMIT_EXCEEDED` for an archive that
 * is too large.
 */
export function importTrustMaterial(input: Buffer, options: TrustImportOptions = {}): ImportedTrustMaterial {
  const material = new TrustImport(options);
  if (isZip(input)) material.addArchive(input);
  else material.addFile('', input);
  return {
    anchors: [...material.anchors.values()],
    intermediates: [...material.intermediates.values()],
    skipped: material.skipped,
  };
}
