import type { Certificate } from '../certificates/certificate.ts';
import type { TimestampDigest } from '../keys/signer.ts';
import { readSignedData, type SignedData } from '../signed-data/signed-data.ts';
import { digestOfOid } from '../algorithms/signature-algorithm.ts';
import { type ReadableDigestAlgorithm, DIGEST_LENGTH } from '../algorithms/algorithms.ts';
import { normalizeBerPrefix } from '../der/normalize-ber.ts';
import { Oid } from '../der/oids.ts';
import {
  Tag,
  primitiveContextTag,
  readDer,
  readOid,
  readSmallInteger,
  readTime,
  type DerElement,
} from '../der/reader.ts';
import { SigningError } from '../errors.ts';

/** A time stamp token (RFC 3161 §2.4.2), read. */
export interface TimestampToken {
  /** DER of the ContentInfo, the form inside signatures. */
  readonly der: Buffer;
  /** `genTime`. */
  readonly time: Date;
  /** Milliseconds around `time`; undefined when the authority does not say. */
  readonly accuracy: number | undefined;
  readonly serialNumber: Buffer;
  /** The token's policy, as a dotted OID. */
  readonly policy: string;
  /** Digest of the stamped data, and its algorithm (`sha1` occurs in old tokens only). */
  readonly imprint: { readonly algorithm: Exclude<ReadableDigestAlgorithm, 'shake256'>; readonly value: Buffer };
  /** The authority's certificate, if the token carries the certificate. */
  readonly certificate: Certificate | undefined;
  /** All certificates in the token. */
  readonly certificates: readonly Certificate[];
}

/** A source of time stamps: one authority, or several tried in order. */
export interface Timestamper {
  /** The hash function of imprints. */
  readonly digest: TimestampDigest;
  /**
   * An upper bound of the DER length of a token, for a PDF's `Contents`; based on the last token, or a generous
   * default.
   */
  readonly sizeLimit: number;
  /**
   * A token over this imprint, checked: signature, imprint, nonce, key usage and, where anchors are given, the chain.
   * `digest` is the imprint's hash function, by default the timestamper's. Rejects with `TIMESTAMP_REFUSED`,
   * `TIMESTAMP_INVALID`, `NETWORK_…`, `CANCELLED`.
   */
  stamp(imprint: Uint8Array, signal?: AbortSignal, digest?: TimestampDigest): Promise<TimestampToken>;
}

// Reads time stamp tokens (RFC 3161 §2.4.2): a CMS signature over TSTInfo.

/** A token, with additional data for its verification. */
export interface OpenToken {
  readonly token: TimestampToken;
  readonly signedData: SignedData;
  /** DER of TSTInfo, the signed content. */
  readonly content: Buffer;
  /** Content bytes of the INTEGER. */
  readonly nonce: Buffer | undefined;
}

function invalid(message: string): never {
  throw new SigningError('TIMESTAMP_INVALID', message);
}

/** Converts damage errors to `TIMESTAMP_INVALID`, with the reader's error as the cause. */
export function asTimestampError(error: unknown): unknown {
  if (!(error instanceof SigningError)) return error;
  if (error.code !== 'DER_MALFORMED' && error.code !== 'CMS_MALFORMED' && error.code !== 'CMS_UNSUPPORTED')
    return error;
  return new SigningError('TIMESTAMP_INVALID', 'This is not a time stamp, or it is damaged.', { cause: error });
}

function readImprint(element: DerElement): TimestampToken['imprint'] {
  const identifier = element.expect(Tag.sequence, 'the imprint').child(0, 'the hash function');
  const oid = readOid(identifier.child(0, 'the hash function'), 'the hash function');
  const value = element.child(1, 'the digest').expect(Tag.octetString, 'the digest').content;
  const algorithm = digestOfOid(oid);
  if (algorithm === undefined || algorithm === 'shake256') {
    throw new SigningError('ALGORITHM_UNSUPPORTED', `The time stamp uses the hash function ${oid}, not known here.`);
  }
  if (value.length !== DIGEST_LENGTH[algorithm]) invalid('The digest in the time stamp has the wrong length.');
  return { algorithm, value };
}

/** GeneralizedTime with a fraction of a second (RFC 3161 §2.4.2), to the millisecond. */
function readGenTime(element: DerElement): Date {
  const whole = readTime(element.expect(Tag.generalizedTime, 'the time'), 'the time');
  const fraction = /\.(\d+)/.exec(element.content.toString('latin1'))?.[1];
  return fraction === undefined ? whole : new Date(whole.getTime() + Math.floor(Number(`0.${fraction}`) * 1000));
}

function readFraction(element: DerElement | undefined, what: string): number {
  if (element === undefined) return 0;
  const { content } = element;
  const value = content.length === 0 || content.length > 2 ? 0 : content.readUIntBE(0, content.length);
  if (value < 1 || value > 999) invalid(`The ${what} of the accuracy are not between 1 and 999.`);
  return value;
}

/** Accuracy in milliseconds. */
function readAccuracy(element: DerElement | undefined): number | undefined {
  if (element === undefined) return undefined;
  const seconds = element.find(Tag.integer);
  const millis = readFraction(element.find(primitiveContextTag(0)), 'milliseconds');
  const micros = readFraction(element.find(primitiveContextTag(1)), 'microseconds');
  return (seconds === undefined ? 0 : readSmallInteger(seconds, 'the accuracy')) * 1000 + millis + micros / 1000;
}

function readSerialNumber(element: DerElement): Buffer {
  const { content } = element.expect(Tag.integer, 'the serial number');
  return content.length === 0 ? invalid('The serial number of the time stamp is empty.') : content;
}

interface Info extends Pick<TimestampToken, 'time' | 'accuracy' | 'serialNumber' | 'policy' | 'imprint'> {
  readonly nonce: Buffer | undefined;
}

function readInfo(content: Buffer): Info {
  const info = readDer(content).expect(Tag.sequence, 'TSTInfo');
  if (readSmallInteger(info.child(0, 'the version'), 'the version') !== 1) {
    invalid('The time stamp has a version that is not known here.');
  }
  const optional = info.children.slice(5);
  return {
    policy: readOid(info.child(1, 'the policy'), 'the policy'),
    imprint: readImprint(info.child(2, 'the imprint')),
    serialNumber: readSerialNumber(info.child(3, 'the serial number')),
    time: readGenTime(info.child(4, 'the time')),
    accuracy: readAccuracy(optional.find(({ tag }) => tag === Tag.sequence)),
    nonce: optional.find(({ tag }) => tag === Tag.integer)?.content,
  };
}

function open(input: Uint8Array, padded: boolean): OpenToken {
  const { der, consumed } = normalizeBerPrefix(input);
  const rest = input.subarray(consumed);
  if (!padded && rest.length > 0) invalid('Other data follows the time stamp.');
  const signedData = readSignedData(der);
  const { content, contentType, certificates, signers } = signedData;
  if (contentType !== Oid.timeStampInfo || content === undefined) invalid('This is a signature, but no time stamp.');
  const [signer, second] = signers;
  if (signer === undefined || second !== undefined) invalid('A time stamp has one signer, no more and no less.');
  const { nonce, ...info } = readInfo(content);
  const { identifier } = signer;
  const certificate = certificates.find((candidate) =>
    identifier.kind === 'keyIdentifier'
      ? candidate.subjectKeyIdentifier?.equals(identifier.keyIdentifier)
      : candidate.serialNumber.equals(identifier.serialNumber) && candidate.issuer.equals(identifier.issuer),
  );
  return { token: { der, ...info, certificate, certificates }, signedData, content, nonce };
}

/** Reads a token for its verification; like `readTimestampToken`. */
export function openTimestampToken(input: Uint8Array, padded = false): OpenToken {
  try {
    return open(input, padded);
  } catch (error) {
    throw asTimestampError(error);
  }
}

/**
 * Reads a time stamp token, DER or BER; nothing is verified. `padded` allows other bytes after the token, as in the
 * `Contents` of a document time stamp. Throws `TIMESTAMP_INVALID`; `ALGORITHM_UNSUPPORTED` for an imprint with another
 * hash function.
 */
export function readTimestampToken(input: Uint8Array, padded = false): TimestampToken {
  return openTimestampToken(input, padded).token;
}
