/** Signatures that no signer of ours makes, written byte by byte. */
import { createHash, hash, sign } from 'node:crypto';
import {
  Oid,
  derContext,
  derElement,
  derInteger,
  derNull,
  derOctetString,
  derOid,
  derSequence,
  derSetOf,
  derTime,
  parseCertificate,
} from '../../../src/signing/index.ts';
import { DIGEST_OIDS } from '../../../src/signing/algorithms/algorithms.ts';
import type { TestIdentity } from '../../../src/test-authority/index.ts';
import { privateKeyOf } from '../../../src/test-authority/test-authority.ts';

export const MD5 = '1.2.840.113549.2.5';

export const attributeOf = (oid: string, ...values: readonly Uint8Array[]): Buffer =>
  derSequence(derOid(oid), derSetOf(...values));

/** The claimed time of crafted signatures. */
const CRAFTED_AT = new Date('2026-03-01T00:00:00Z');

/** Deviations from a correct message. Absent parts are correct. */
export interface CraftOptions {
  readonly content?: Uint8Array;
  readonly attached?: boolean;
  readonly hash?: keyof typeof OIDS;
  /** Signed attributes besides content type, digest, time and signing certificate. */
  readonly more?: readonly Uint8Array[];
  /** Signed attributes in the place of all. */
  readonly attributes?: readonly Uint8Array[];
  readonly withoutName?: boolean;
  readonly unsigned?: (signature: Buffer) => readonly Uint8Array[];
  readonly certificates?: readonly Uint8Array[];
  /** DER of each RevocationInfoChoice. */
  readonly revocations?: readonly Uint8Array[];
  /** Attributes are stored in this order, though signed in that of DER. */
  readonly reversed?: boolean;
  /** The content itself is signed. */
  readonly withoutAttributes?: boolean;
  /** In the place of the signature. */
  readonly signature?: Buffer;
  /** Default: `CRAFTED_AT` for a signature that encloses its content, else none. */
  readonly signingTime?: Date;
  readonly withoutTime?: boolean;
  /** DER of the issuer in the signer identifier, where it is written otherwise than in the certificate. */
  readonly issuerName?: Uint8Array;
}

const OIDS = { md5: MD5, ...DIGEST_OIDS } as const;

export function signingCertificateAttribute(certificate: Uint8Array): Buffer {
  const value = derSequence(derSequence(derSequence(derOctetString(hash('sha256', certificate, 'buffer')))));
  return attributeOf(Oid.signingCertificateV2, value);
}

/** DER of a ContentInfo with a single signer, an EC or RSA key. */
export function craftCms(identity: TestIdentity, options: CraftOptions = {}): Buffer {
  const { content = Buffer.from('content'), hash: name = 'sha256', attached = true } = options;
  // A signature in a PDF has its time in the dictionary.
  const usualTime = attached && options.withoutTime !== true ? CRAFTED_AT : undefined;
  const { signingTime = usualTime } = options;
  const { issuer, serialNumber } = parseCertificate(identity.certificate);
  const digest = createHash(name).update(content).digest();
  const attributes = options.attributes ?? [
    attributeOf(Oid.contentType, derOid(Oid.data)),
    attributeOf(Oid.messageDigest, derOctetString(digest)),
    ...(signingTime === undefined ? [] : [attributeOf(Oid.signingTime, derTime(signingTime))]),
    ...(options.withoutName === true ? [] : [signingCertificateAttribute(identity.certificate)]),
    ...(options.more ?? []),
  ];
  const signedSet = derSetOf(...attributes);
  const key = privateKeyOf(identity);
  const message = options.withoutAttributes === true ? content : signedSet;
  const signature = options.signature ?? sign(name, message, key);
  const stored = derSetOf(...attributes);
  stored[0] = 0xa0;
  const reversed = derElement(0xa0, ...[...attributes].sort((left, right) => Buffer.compare(right, left)));
  const algorithm = derSequence(derOid(OIDS[name]));
  const isRsa = key.asymmetricKeyType === 'rsa';
  const signatureAlgorithm = isRsa
    ? derSequence(derOid(Oid.rsaEncryption), derNull())
    : derSequence(derOid(name === 'sha1' ? Oid.ecdsaWithSha1 : Oid.ecdsaWithSha256));
  const unsigned = options.unsigned?.(signature) ?? [];
  const signer = derSequence(
    derInteger(1),
    derSequence(options.issuerName ?? issuer, derElement(0x02, serialNumber)),
    algorithm,
    ...(options.withoutAttributes === true ? [] : [options.reversed === true ? reversed : stored]),
    signatureAlgorithm,
    derOctetString(signature),
    ...(unsigned.length === 0 ? [] : [derContext(1, ...unsigned)]),
  );
  const certificates = options.certificates ?? [identity.certificate, ...identity.chain];
  const revocations = options.revocations ?? [];
  const body = derSequence(
    derInteger(1),
    derSetOf(algorithm),
    derSequence(derOid(Oid.data), ...(attached ? [derContext(0, derOctetString(content))] : [])),
    ...(certificates.length === 0 ? [] : [derContext(0, ...certificates)]),
    ...(revocations.length === 0 ? [] : [derContext(1, ...revocations)]),
    derSetOf(signer),
  );
  return derSequence(derOid(Oid.signedData), derContext(0, body));
}
