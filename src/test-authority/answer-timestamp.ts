/** Answers RFC 3161 requests: a time stamp authority without a clock of its own. */
import { hash, sign } from 'node:crypto';
import {
  Oid,
  SigningError,
  Tag,
  contextTag,
  derContext,
  derElement,
  derInteger,
  derNamedBits,
  derOctetString,
  derOid,
  derSequence,
  derSetOf,
  derTime,
  derUtf8String,
  parseCertificate,
  readBoolean,
  readDer,
  readOid,
  readSmallInteger,
  type Certificate,
  type DerElement,
} from '../signing/index.ts';
import { derGeneralizedTime } from './generalized-time.ts';
import { AuthorityOid } from './oids.ts';
import { authorityKeyOf, type TestIdentity } from './test-authority.ts';
import { chooseSignature, randomSerialNumber } from './write-certificate.ts';

/** Options for answers. Every default is a good authority's behaviour. */
export interface TestTimestampOptions {
  /** By default the clock of this computer. */
  readonly now?: Date;
  /** Dotted OID of the only policy; by default the test authority's. */
  readonly policy?: string;
  /** Seconds; by default 1. */
  readonly accuracy?: number;
  /** Unsigned bytes; random by default. */
  readonly serialNumber?: Uint8Array;
  /** Content bytes of an INTEGER in place of the request's nonce, to test the refusal. */
  readonly wrongNonce?: Uint8Array;
  /** A digest in place of the request's, to test the refusal. */
  readonly wrongImprint?: Uint8Array;
}

/** Bits of PKIFailureInfo (RFC 3161 §2.4.2). */
const Failure = {
  badAlgorithm: 0,
  badRequest: 2,
  badDataFormat: 5,
  unacceptedPolicy: 15,
  unacceptedExtension: 16,
} as const;

/** Lengths of the supported digests in bytes: SHA-2, and SHA-3 (RFC 9688 §2). */
const IMPRINT_LENGTHS: ReadonlyMap<string, number> = new Map([
  [Oid.sha256, 32],
  [Oid.sha384, 48],
  [Oid.sha512, 64],
  [AuthorityOid['sha3-256'], 32],
  [AuthorityOid['sha3-384'], 48],
  [AuthorityOid['sha3-512'], 64],
]);

interface Request {
  readonly digestOid: string;
  /** DER of the AlgorithmIdentifier, which the answer repeats. */
  readonly digestIdentifier: Buffer;
  readonly imprint: Buffer;
  readonly policy: string | undefined;
  /** Content bytes of the INTEGER. */
  readonly nonce: Buffer | undefined;
  readonly wantsCertificate: boolean;
  readonly hasExtensions: boolean;
  readonly version: number;
}

function readRequest(input: Uint8Array): Request {
  const request = readDer(input).expect(Tag.sequence, 'the request');
  const imprint = request.child(1, 'the imprint').expect(Tag.sequence, 'the imprint');
  const optional = request.children.slice(2);
  const find = (tag: number): DerElement | undefined => optional.find((element) => element.tag === tag);
  const policy = find(Tag.oid);
  const wantsCertificate = find(Tag.boolean);
  return {
    version: readSmallInteger(request.child(0, 'the version'), 'the version'),
    digestOid: readOid(imprint.child(0, 'the hash function').child(0, 'the hash function')),
    digestIdentifier: imprint.child(0, 'the hash function').bytes,
    imprint: imprint.child(1, 'the digest').expect(Tag.octetString, 'the digest').content,
    policy: policy && readOid(policy),
    nonce: find(Tag.integer)?.content,
    wantsCertificate: wantsCertificate !== undefined && readBoolean(wantsCertificate, 'certReq'),
    hasExtensions: find(contextTag(0)) !== undefined,
  };
}

function rejection(failure: number, text: string): Buffer {
  return derSequence(derSequence(derInteger(2), derSequence(derUtf8String(text)), derNamedBits([failure])));
}

function refuse(request: Request, policy: string): Buffer | undefined {
  const length = IMPRINT_LENGTHS.get(request.digestOid);
  if (request.version !== 1) return rejection(Failure.badRequest, 'Only version 1 is known.');
  if (length === undefined)
    return rejection(Failure.badAlgorithm, 'SHA-2 and SHA-3 of 256, 384 and 512 bits are known.');
  if (length !== request.imprint.length) return rejection(Failure.badDataFormat, 'The digest has the wrong length.');
  if (request.policy !== undefined && request.policy !== policy) {
    return rejection(Failure.unacceptedPolicy, `The policy is ${policy}.`);
  }
  return request.hasExtensions ? rejection(Failure.unacceptedExtension, 'No extensions are known.') : undefined;
}

function writeInfo(request: Request, options: TestTimestampOptions, time: Date, tsa: Certificate): Buffer {
  const nonce = options.wrongNonce === undefined ? request.nonce : Buffer.from(options.wrongNonce);
  return derSequence(
    derInteger(1),
    derOid(options.policy ?? AuthorityOid.testTimestampPolicy),
    derSequence(request.digestIdentifier, derOctetString(options.wrongImprint ?? request.imprint)),
    derInteger(options.serialNumber ?? randomSerialNumber()),
    derGeneralizedTime(time),
    derSequence(derInteger(options.accuracy ?? 1)),
    ...(nonce === undefined ? [] : [derElement(Tag.integer, nonce)]),
    derContext(0, derContext(4, tsa.subject)),
  );
}

const attribute = (oid: string, value: Uint8Array): Buffer => derSequence(derOid(oid), derSetOf(value));

/** ESSCertIDv2 with SHA-256, its default (RFC 5035 §4). */
function signingCertificate({ der, issuer, serialNumber }: Certificate): Buffer {
  const issuerSerial = derSequence(derSequence(derContext(4, issuer)), derInteger(serialNumber));
  return derSequence(derSequence(derSequence(derOctetString(hash('sha256', der, 'buffer')), issuerSerial)));
}

/** The ContentInfo (RFC 5652 §5): version 3, because the content is not id-data. */
function writeToken(tsa: TestIdentity, certificate: Certificate, info: Buffer, time: Date, withChain: boolean): Buffer {
  const { key, algorithm, digest } = chooseSignature(authorityKeyOf(tsa));
  const digestName = digest ?? 'sha512';
  const digestIdentifier = derSequence(derOid({ ...Oid, ...AuthorityOid }[digestName]));
  const attributes = derSetOf(
    attribute(Oid.contentType, derOid(Oid.timeStampInfo)),
    attribute(Oid.messageDigest, derOctetString(hash(digestName, info, 'buffer'))),
    attribute(Oid.signingTime, derTime(time)),
    attribute(Oid.signingCertificateV2, signingCertificate(certificate)),
  );
  const implicit = Buffer.from(attributes);
  implicit[0] = contextTag(0);
  const signerInfo = derSequence(
    derInteger(1),
    derSequence(certificate.issuer, derInteger(certificate.serialNumber)),
    digestIdentifier,
    implicit,
    algorithm,
    derOctetString(sign(digest, attributes, key)),
  );
  const certificates = Buffer.from(derSetOf(tsa.certificate, ...tsa.chain));
  certificates[0] = contextTag(0);
  const signedData = derSequence(
    derInteger(3),
    derSetOf(digestIdentifier),
    derSequence(derOid(Oid.timeStampInfo), derContext(0, derOctetString(info))),
    ...(withChain ? [certificates] : []),
    derSetOf(signerInfo),
  );
  return derSequence(derOid(Oid.signedData), derContext(0, signedData));
}

/**
 * DER of the TimeStampResp for a TimeStampReq: granted, or rejected with a failure of RFC 3161 §2.4.2. Other input is
 * rejected too; nothing is thrown.
 */
export function answerTimestampRequest(
  tsa: TestIdentity,
  input: Uint8Array,
  options: TestTimestampOptions = {},
): Buffer {
  let request: Request;
  try {
    request = readRequest(input);
  } catch (error) {
    if (!(error instanceof SigningError)) throw error;
    return rejection(Failure.badDataFormat, 'This is no time stamp request.');
  }
  const refused = refuse(request, options.policy ?? AuthorityOid.testTimestampPolicy);
  if (refused !== undefined) return refused;
  const time = options.now ?? new Date();
  const certificate = parseCertificate(tsa.certificate);
  const info = writeInfo(request, options, time, certificate);
  const token = writeToken(tsa, certificate, info, time, request.wantsCertificate);
  return derSequence(derSequence(derInteger(0)), token);
}
