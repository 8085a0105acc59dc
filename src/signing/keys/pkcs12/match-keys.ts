/** Matches certificates with keys and issuers. */
import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { SigningError } from '../../errors.ts';
import type { Certificate } from '../../certificates/certificate.ts';
import { parseCertificate } from '../../certificates/parse-certificate.ts';
import { samePublicKey } from '../same-key.ts';
import type { Pkcs12Bag, Pkcs12Bags } from './bags.ts';

/** A private key with its certificate. */
export interface Pkcs12Key {
  /** PKCS#8 PrivateKeyInfo, DER, in clear: the holder wipes the key (`fill(0)`) after use. */
  readonly privateKey: Buffer;
  /** Friendly name of the key or of its certificate; may be empty. */
  readonly label: string;
  /** DER of the certificate with the matching public key. */
  readonly certificate: Buffer;
  /** DER of the issuers in the file, nearest first, up to the root if present. */
  readonly chain: readonly Buffer[];
}

interface CertificateEntry {
  readonly bag: Pkcs12Bag;
  readonly certificate: Certificate;
}

/**
 * The issuers of `leaf` among `candidates`, nearest first. Among several candidates with the issuer's name, the key
 * identifier decides (RFC 5280 §4.2.1.1), then the later expiry. The result is an order only: signatures and trust are
 * not checked.
 */
export function orderChain(leaf: Certificate, candidates: readonly Certificate[]): readonly Certificate[] {
  const chain: Certificate[] = [];
  const used = new Set([leaf.fingerprint]);
  for (let current = leaf; !current.issuer.equals(current.subject);) {
    const issuers = candidates.filter(
      (candidate) => candidate.subject.equals(current.issuer) && !used.has(candidate.fingerprint),
    );
    const wanted = current.authorityKeyIdentifier;
    const identified = issuers.filter((issuer) => wanted !== undefined && issuer.subjectKeyIdentifier?.equals(wanted));
    const next = latest(identified.length > 0 ? identified : issuers);
    if (next === undefined) break;
    chain.push(next);
    used.add(next.fingerprint);
    current = next;
  }
  return chain;
}

function latest(certificates: readonly Certificate[]): Certificate | undefined {
  return [...certificates].sort((left, right) => right.notAfter.getTime() - left.notAfter.getTime())[0];
}

function readPrivateKey(content: Buffer): KeyObject {
  try {
    return createPrivateKey({ key: content, format: 'der', type: 'pkcs8' });
  } catch (cause) {
    throw new SigningError('PKCS12_MALFORMED', 'A private key in the PKCS#12 file is damaged.', { cause });
  }
}

/** The public key; undefined for a key unsupported by Node, such as a CA's key of an unusual kind. */
function publicKeyOf(certificate: Certificate): KeyObject | undefined {
  try {
    return certificate.publicKey();
  } catch {
    return undefined;
  }
}

/** The certificate of this key: linked by its local key id, else the matching certificate with the longest validity. */
function findCertificate(
  key: KeyObject,
  localKeyId: string,
  entries: readonly { readonly entry: CertificateEntry; readonly publicKey: KeyObject | undefined }[],
): CertificateEntry | undefined {
  const publicKey = createPublicKey(key);
  const fitting = entries
    .filter((candidate) => candidate.publicKey !== undefined && samePublicKey(candidate.publicKey, publicKey))
    .map((candidate) => candidate.entry);
  const tied = fitting.find(({ bag }) => localKeyId !== '' && bag.localKeyId === localKeyId);
  const chosen = latest(fitting.map(({ certificate }) => certificate));
  return tied ?? fitting.find(({ certificate }) => certificate === chosen);
}

/**
 * Matches keys and certificates by their public keys: identifiers only choose among certificates of the same key. Keys
 * without a certificate are left out and counted. Throws `PKCS12_MALFORMED`, `CERTIFICATE_MALFORMED`.
 */
export function matchKeys(bags: Pkcs12Bags): { readonly keys: readonly Pkcs12Key[]; readonly unmatched: number } {
  const entries = bags.certificates.map((bag) => ({ bag, certificate: parseCertificate(bag.content) }));
  const candidates = entries.map((entry) => ({ entry, publicKey: publicKeyOf(entry.certificate) }));
  const certificates = entries.map(({ certificate }) => certificate);
  const keys: Pkcs12Key[] = [];
  for (const bag of bags.keys) {
    const key = readPrivateKey(bag.content);
    const found = findCertificate(key, bag.localKeyId, candidates);
    if (found === undefined) continue;
    keys.push({
      privateKey: key.export({ format: 'der', type: 'pkcs8' }),
      label: bag.friendlyName || found.bag.friendlyName,
      certificate: found.certificate.der,
      chain: orderChain(found.certificate, certificates).map(({ der }) => der),
    });
  }
  return { keys, unmatched: bags.keys.length - keys.length };
}
