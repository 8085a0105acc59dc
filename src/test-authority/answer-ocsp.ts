/** Answers OCSP requests (RFC 6960, RFC 9654), as the CA itself or as its delegated responder. */
import { createHash } from 'node:crypto';
import {
  Oid,
  SigningError,
  Tag,
  contextTag,
  derContext,
  derElement,
  derOctetString,
  derOid,
  derPrimitiveContext,
  derSequence,
  parseCertificate,
  readBitStringBytes,
  readDer,
  readOid,
  type DerElement,
} from '../signing/index.ts';
import { keyIdentifier } from './extensions.ts';
import { derGeneralizedTime, wholeSecond } from './generalized-time.ts';
import { AuthorityOid } from './oids.ts';
import { REVOCATION_REASONS, type TestRevocation } from './revocation.ts';
import { authorityKeyOf, type TestIdentity } from './test-authority.ts';
import { writeSigned } from './write-certificate.ts';

/** The status of a certificate, as known to the responder. */
export type TestCertificateStatus =
  | { readonly status: 'good' }
  | ({ readonly status: 'revoked' } & Omit<TestRevocation, 'serialNumber'>)
  | { readonly status: 'unknown' };

/** Options for answers. Every default is a good responder's behaviour. */
export interface TestOcspOptions {
  /** DER of the CA; certificates of other CAs are `unknown`. */
  readonly issuer: Uint8Array;
  /** The signer of answers: the CA itself, or the holder of a responder certificate by the CA. */
  readonly responder: TestIdentity;
  /** Looks up a certificate's status by the content bytes of its serial number. */
  readonly statusOf: (serialNumber: Buffer) => TestCertificateStatus;
  /** By default the clock of this computer. */
  readonly now?: Date;
  /** By default `now`. */
  readonly thisUpdate?: Date;
  /** Null leaves the field out: newer information is always available. By default an hour after `now`. */
  readonly nextUpdate?: Date | null;
  /** How the response names its signer; by default `byKey`. */
  readonly responderId?: 'byName' | 'byKey';
  /** False: the nonce of the request is not repeated, as responders with responses made in advance do. */
  readonly repeatNonce?: boolean;
  /** False: the responder's certificate is left out. */
  readonly withCertificate?: boolean;
}

/** OCSPResponseStatus (RFC 6960 §4.2.1). */
export const OcspError = { malformedRequest: 1, internalError: 2, tryLater: 3, unauthorized: 6 } as const;

const HOUR = 60 * 60 * 1000;
const HASHES: ReadonlyMap<string, string> = new Map([
  [Oid.sha1, 'sha1'],
  [Oid.sha256, 'sha256'],
  [Oid.sha384, 'sha384'],
  [Oid.sha512, 'sha512'],
]);

interface CertificateId {
  readonly der: Buffer;
  readonly hash: string | undefined;
  readonly issuerName: Buffer;
  readonly issuerKey: Buffer;
  readonly serialNumber: Buffer;
}

interface Request {
  readonly ids: readonly CertificateId[];
  /** The whole Extension. */
  readonly nonce: Buffer | undefined;
}

function readCertificateId(element: DerElement): CertificateId {
  const bytes = (index: number): Buffer =>
    element.child(index, 'a hash').expect(Tag.octetString, 'a hash of the issuer').content;
  return {
    der: element.expect(Tag.sequence, 'CertID').bytes,
    hash: HASHES.get(readOid(element.child(0, 'the hash function').child(0, 'the hash function'))),
    issuerName: bytes(1),
    issuerKey: bytes(2),
    serialNumber: element.child(3, 'the serial number').expect(Tag.integer, 'the serial number').content,
  };
}

function readRequest(input: Uint8Array): Request {
  const body = readDer(input).expect(Tag.sequence, 'the request').child(0, 'the request');
  const list = body.find(Tag.sequence);
  const ids = (list?.children ?? []).map((one) => readCertificateId(one.child(0, 'CertID')));
  if (ids.length === 0) throw new SigningError('OCSP_MALFORMED', 'The request asks about no certificate.');
  const extensions = body.find(contextTag(2))?.child(0, 'the extensions').children ?? [];
  const nonce = extensions.find((element) => readOid(element.child(0, 'an extension')) === AuthorityOid.ocspNonce);
  return { ids, nonce: nonce?.bytes };
}

/** DER of an OCSPResponse with the reason for no answer. */
export const writeOcspError = (error: number): Buffer => derSequence(derElement(Tag.enumerated, Buffer.of(error)));

function isIssuedBy(id: CertificateId, issuerDer: Uint8Array): boolean {
  if (id.hash === undefined) return false;
  const { subject, publicKeyInfo } = parseCertificate(issuerDer);
  const key = readBitStringBytes(readDer(publicKeyInfo).child(1, 'the key'), 'the key');
  const digest = (bytes: Uint8Array): Buffer =>
    createHash(id.hash ?? '')
      .update(bytes)
      .digest();
  return id.issuerName.equals(digest(subject)) && id.issuerKey.equals(digest(key));
}

/** True when the request's first question is about a certificate of this CA; false for damaged requests. */
export function concernsAuthority(request: Uint8Array, issuer: Uint8Array): boolean {
  try {
    const [first] = readRequest(request).ids;
    return first !== undefined && isIssuedBy(first, issuer);
  } catch (error) {
    if (error instanceof SigningError) return false;
    throw error;
  }
}

function writeStatus(status: TestCertificateStatus): Buffer {
  switch (status.status) {
    case 'good':
      return derPrimitiveContext(0, Buffer.alloc(0));
    case 'unknown':
      return derPrimitiveContext(2, Buffer.alloc(0));
    case 'revoked': {
      const { at, reason } = status;
      const why = reason && derContext(0, derElement(Tag.enumerated, Buffer.of(REVOCATION_REASONS[reason])));
      return derContext(1, derGeneralizedTime(wholeSecond(at)), ...(why === undefined ? [] : [why]));
    }
  }
}

function writeAnswer(id: CertificateId, options: TestOcspOptions, now: Date): Buffer {
  const status = isIssuedBy(id, options.issuer) ? options.statusOf(id.serialNumber) : ({ status: 'unknown' } as const);
  const { thisUpdate = now, nextUpdate = new Date(now.getTime() + HOUR) } = options;
  return derSequence(
    id.der,
    writeStatus(status),
    derGeneralizedTime(wholeSecond(thisUpdate)),
    ...(nextUpdate === null ? [] : [derContext(0, derGeneralizedTime(wholeSecond(nextUpdate)))]),
  );
}

function responderName({ certificate }: TestIdentity, kind: 'byName' | 'byKey'): Buffer {
  const { subject, publicKeyInfo } = parseCertificate(certificate);
  return kind === 'byName' ? derContext(1, subject) : derContext(2, derOctetString(keyIdentifier(publicKeyInfo)));
}

/** DER of the OCSPResponse. Damaged requests are answered with `malformedRequest`; nothing is thrown. */
export function answerOcspRequest(input: Uint8Array, options: TestOcspOptions): Buffer {
  let request: Request;
  try {
    request = readRequest(input);
  } catch (error) {
    if (!(error instanceof SigningError)) throw error;
    return writeOcspError(OcspError.malformedRequest);
  }
  const { responder, responderId = 'byKey', repeatNonce = true, withCertificate = true } = options;
  const now = options.now ?? new Date();
  const nonce = repeatNonce ? request.nonce : undefined;
  const body = derSequence(
    responderName(responder, responderId),
    derGeneralizedTime(wholeSecond(now)),
    derSequence(...request.ids.map((id) => writeAnswer(id, options, now))),
    ...(nonce === undefined ? [] : [derContext(1, derSequence(nonce))]),
  );
  const certificates = withCertificate ? [derContext(0, derSequence(responder.certificate))] : [];
  const basic = writeSigned(authorityKeyOf(responder), () => body, ...certificates);
  const bytes = derSequence(derOid(AuthorityOid.basicOcspResponse), derOctetString(basic));
  return derSequence(derElement(Tag.enumerated, Buffer.of(0)), derContext(0, bytes));
}
