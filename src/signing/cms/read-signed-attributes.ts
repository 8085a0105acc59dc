import { parseCertificate } from '../certificates/parse-certificate.ts';
import { digestOfOid } from '../algorithms/signature-algorithm.ts';
import { DIGEST_LENGTH, digestBytes } from '../algorithms/algorithms.ts';
import { Oid } from '../der/oids.ts';
import { type DerElement, readDer, readOid, readTime, Tag } from '../der/reader.ts';
import { isSortedSetOf } from '../der/writer.ts';

/** Statements of the signed attributes of a CMS signature (RFC 5652 §5.3), for a person who is asked to sign them. */
export interface SignedAttributesSummary {
  /** Lower-case hex of messageDigest: the hash of the content, which nobody has seen. */
  readonly contentHash: string;
  /** Dotted OID of the content's type. */
  readonly contentType: string;
  readonly signingTime?: Date;
  /** True if the attributes name the given certificate, false if another one; absent: they name none. */
  readonly namesCertificate?: boolean;
  /** Dotted OID of the signature policy. */
  readonly policy?: string;
  /** Dotted OIDs of all attributes, in their order. */
  readonly types: readonly string[];
}

const SIGNATURE_POLICY = '1.2.840.113549.1.9.16.2.15';
const SIGNING_CERTIFICATE = '1.2.840.113549.1.9.16.2.12';
/** More attributes than any signature has. */
const MOST = 50;
/** Bytes of the longest messageDigest: no hash of more than 512 bits is in use. */
const HASH_LENGTHS: ReadonlySet<number> = new Set(Object.values(DIGEST_LENGTH));

/**
 * Reads bytes as the signed attributes of a CMS signature: DER of SET OF Attribute, sorted, each type once, with
 * contentType and messageDigest (RFC 5652 §5.3, §5.4). Undefined for all other bytes, so that nothing is shown as
 * attributes that a validator would not accept as such.
 */
export function readSignedAttributes(
  bytes: Uint8Array,
  certificate: Buffer | undefined,
): SignedAttributesSummary | undefined {
  try {
    return summarize(readDer(Buffer.from(bytes)), certificate);
  } catch {
    return undefined;
  }
}

function summarize(set: DerElement, certificate: Buffer | undefined): SignedAttributesSummary | undefined {
  const attributes = set.expect(Tag.set, 'the attributes').children;
  if (attributes.length === 0 || attributes.length > MOST) return undefined;
  if (!isSortedSetOf(attributes.map((one) => one.bytes))) return undefined;
  const values = new Map<string, DerElement>();
  for (const attribute of attributes) {
    const [type, list, ...rest] = attribute.expect(Tag.sequence, 'an attribute').children;
    const oid = type === undefined ? '' : readOid(type);
    const [value, ...others] = list?.expect(Tag.set, 'the values of an attribute').children ?? [];
    if (value === undefined || rest.length > 0 || others.length > 0 || values.has(oid)) return undefined;
    values.set(oid, value);
  }
  const contentType = values.get(Oid.contentType);
  const digest = values.get(Oid.messageDigest);
  if (contentType === undefined || digest?.tag !== Tag.octetString) return undefined;
  if (!HASH_LENGTHS.has(digest.content.length)) return undefined;
  const time = values.get(Oid.signingTime);
  const policy = values.get(SIGNATURE_POLICY);
  return {
    contentHash: digest.content.toString('hex'),
    contentType: readOid(contentType),
    signingTime: time === undefined ? undefined : readTime(time, 'the signing time'),
    namesCertificate: namesCertificate(values, certificate),
    policy: policy === undefined || policy.tag !== Tag.sequence ? undefined : readOid(policy.child(0, 'the policy')),
    types: [...values.keys()],
  };
}

/** Compares ESSCertID or ESSCertIDv2 (RFC 5035 §4) with the certificate that would sign. */
function namesCertificate(
  values: ReadonlyMap<string, DerElement>,
  certificate: Buffer | undefined,
): boolean | undefined {
  const second = values.get(Oid.signingCertificateV2);
  const named = second ?? values.get(SIGNING_CERTIFICATE);
  if (named === undefined) return undefined;
  if (certificate === undefined) return false;
  const [first, next] = named.child(0, 'the certificates').child(0, 'a certificate').children;
  const isAlgorithm = first?.tag === Tag.sequence;
  const hash = isAlgorithm ? next : first;
  const fallback = second === undefined ? 'sha1' : 'sha256';
  const algorithm = isAlgorithm ? digestOfOid(readOid(first.child(0, 'a hash function'))) : fallback;
  if (hash?.tag !== Tag.octetString || algorithm === undefined) return false;
  return digestBytes(algorithm, parseCertificate(certificate).der).equals(hash.content);
}
