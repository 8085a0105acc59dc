/** Matches the certificates of a token with its keys. */
import { createHash } from 'node:crypto';
import { parseCertificate } from '../../certificates/parse-certificate.ts';
import type { Certificate } from '../../certificates/certificate.ts';
import { matchKey, publicKeyText } from './pair-keys.ts';
import type { TokenContents } from './protocol.ts';

/** A certificate of the holder on a token. */
export interface TokenKey {
  /** `KeyDescription.id`: serial number of the token, CKA_ID, and the first bytes of the certificate's SHA-256. */
  readonly id: string;
  readonly keyId: string;
  /** `publicKeyText` of the certificate. */
  readonly publicKey: string;
  readonly label: string;
  readonly certificate: Certificate;
  readonly chain: readonly Buffer[];
  /** False for a certificate without its private key; undefined before a login, which alone shows the keys. */
  readonly hasKey: boolean | undefined;
}

const MAX_CHAIN = 10;

interface LabelledCertificate {
  readonly keyId: string;
  readonly label: string;
  readonly certificate: Certificate;
}

/** Parses the certificates. Damaged objects are skipped, so that one bad object does not hide the others. */
function parseAll(contents: TokenContents): readonly LabelledCertificate[] {
  return contents.certificates.flatMap(({ keyId, label, der }) => {
    try {
      return [{ keyId, label, certificate: parseCertificate(Buffer.from(der)) }];
    } catch {
      return [];
    }
  });
}

function issued(issuer: Certificate, certificate: Certificate): boolean {
  if (!issuer.subject.equals(certificate.issuer)) return false;
  const { authorityKeyIdentifier: wanted } = certificate;
  const { subjectKeyIdentifier: offered } = issuer;
  return wanted === undefined || offered === undefined || wanted.equals(offered);
}

/** Issuers among `candidates` by name and key identifier, nearest first, up to a root or the last known issuer. */
function chainOf(certificate: Certificate, candidates: readonly Certificate[]): readonly Buffer[] {
  const chain: Certificate[] = [];
  let last = certificate;
  while (chain.length < MAX_CHAIN && !last.subject.equals(last.issuer)) {
    const current = last;
    const issuer = candidates.find((one) => issued(one, current) && !chain.includes(one));
    if (issuer === undefined) break;
    chain.push(issuer);
    last = issuer;
  }
  return chain.map((one) => one.der);
}

/**
 * The holder's certificates on a token, by CKA_ID and certificate: drivers list objects in any order, and a fixed order
 * keeps the aliases of equal names stable. All certificates count that are not an authority's, before the login and
 * after it: only the login tells which of them has no private key.
 */
export function readTokenKeys(tokenSerial: string, { privateKeys, ...contents }: TokenContents): readonly TokenKey[] {
  const certificates = parseAll(contents);
  const authorities = certificates.map((one) => one.certificate).filter((one) => one.isCertificateAuthority);
  const keys = new Map<string, TokenKey>();
  for (const { keyId, label, certificate } of certificates) {
    if (certificate.isCertificateAuthority) continue;
    const publicKey = textOf(certificate);
    if (publicKey === undefined) continue;
    const fingerprint = createHash('sha256').update(certificate.der).digest('hex');
    const id = `${tokenSerial}:${keyId}:${fingerprint.slice(0, 16)}`;
    const hasKey = privateKeys && matchKey(privateKeys, { keyId, publicKey }) !== 'absent';
    keys.set(id, { id, keyId, publicKey, label, certificate, chain: chainOf(certificate, authorities), hasKey });
  }
  return [...keys.values()].sort((left, right) => (left.id < right.id ? -1 : 1));
}

/** Undefined for a public key that cannot be read: then no key can be shown to belong to the certificate. */
function textOf(certificate: Certificate): string | undefined {
  try {
    return publicKeyText(certificate.publicKey());
  } catch {
    return undefined;
  }
}
