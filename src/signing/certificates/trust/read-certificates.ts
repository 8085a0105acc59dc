/** Finds the certificates in a file of any of the usual forms: PEM, DER, PKCS#7 without signers. */
import { Oid } from '../../der/oids.ts';
import { textOfBytes } from '../../../values/written-bytes.ts';
import { normalizeBer } from '../../der/normalize-ber.ts';
import { unwrapText } from '../../der/unwrap-text.ts';
import { Tag, contextTag, readDer, readOid, type DerElement } from '../../der/reader.ts';
import { SigningError } from '../../errors.ts';
import type { Certificate } from '../certificate.ts';
import { parseCertificate } from '../parse-certificate.ts';

/** The contents of a file. */
export interface FoundCertificates {
  readonly certificates: readonly Certificate[];
  /** A sentence for each unreadable part. */
  readonly failures: readonly string[];
}

const MAX_CERTIFICATES = 5_000;

const PEM_BLOCK = /-----BEGIN ([A-Z0-9 ]{1,40})-----([^-]*)-----END \1-----/g;
const PEM_START = '-----BEGIN ';
const CERTIFICATE_LABELS: ReadonlySet<string> = new Set(['CERTIFICATE', 'X509 CERTIFICATE', 'TRUSTED CERTIFICATE']);
const PKCS7_LABELS: ReadonlySet<string> = new Set(['PKCS7', 'CMS', 'PKCS #7 SIGNED DATA']);

const isContentInfo = (root: DerElement): boolean => root.children[0]?.tag === Tag.oid;

/** The certificates of a SignedData (RFC 5652 §5.1); other choices of CertificateSet have context tags and are left out. */
function readCertificateSet(contentInfo: DerElement): readonly Buffer[] {
  const type = readOid(contentInfo.child(0, 'the content type'), 'the content type');
  if (type !== Oid.signedData)
    throw new SigningError('CMS_UNSUPPORTED', 'This PKCS#7 file is not a set of certificates.');
  const signedData = contentInfo
    .child(1, 'the content')
    .child(0, 'the signed data')
    .expect(Tag.sequence, 'the signed data');
  const set = signedData.find(contextTag(0))?.children ?? [];
  return set.filter(({ tag }) => tag === Tag.sequence).map(({ bytes }) => bytes);
}

class Finder {
  readonly certificates: Certificate[] = [];
  readonly failures: string[] = [];

  /** Reads DER or BER: a single certificate, or a PKCS#7 file with several. */
  addBinary(bytes: Buffer): void {
    this.#attempt(() => {
      if (bytes[0] !== Tag.sequence) throw new SigningError('DER_MALFORMED', 'The file is neither in DER nor in PEM.');
      const der = normalizeBer(bytes);
      const root = readDer(der).expect(Tag.sequence, 'the file');
      if (!isContentInfo(root)) this.#add(der);
      else for (const certificate of readCertificateSet(root)) this.#attempt(() => this.#add(certificate));
    });
  }

  addPem(text: string): void {
    for (const [, label = '', body = ''] of text.matchAll(PEM_BLOCK)) {
      if (!CERTIFICATE_LABELS.has(label) && !PKCS7_LABELS.has(label)) continue;
      this.addBinary(Buffer.from(body, 'base64'));
    }
  }

  #add(der: Buffer): void {
    if (this.certificates.length >= MAX_CERTIFICATES) {
      throw new SigningError('LIMIT_EXCEEDED', `More than ${MAX_CERTIFICATES} certificates are not read.`);
    }
    this.certificates.push(parseCertificate(der));
  }

  #attempt(action: () => void): void {
    try {
      action();
    } catch (error) {
      if (!(error instanceof SigningError)) throw error;
      this.failures.push(error.message);
    }
  }
}

/** All certificates in the file, and a failure for each unreadable part. Never throws for the contents of the file. */
export function readCertificates(input: Buffer): FoundCertificates {
  const finder = new Finder();
  const text = textOfBytes(input);
  if (text.includes(PEM_START)) finder.addPem(text);
  else finder.addBinary(unwrapText(input));
  return finder;
}
