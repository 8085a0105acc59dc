/** Reads OCSP responses (RFC 6960 §4.2) without judgement. */
import {
  Tag,
  contextTag,
  primitiveContextTag,
  readBoolean,
  readDer,
  readOid,
  readTime,
  type DerElement,
} from '../../der/reader.ts';
import { readSignedStructure, type SignedStructure } from '../../certificates/path/signed-structure.ts';
import { SigningError } from '../../errors.ts';
import { RevocationOid } from '../revocation-sources.ts';
import { reasonOf, type Revocation } from '../revocation-result.ts';

/** A responder's answer about a certificate. */
export interface SingleAnswer {
  /** CertID. */
  readonly identifier: DerElement;
  readonly status: 'good' | 'revoked' | 'unknown';
  readonly revocation: Revocation | undefined;
  readonly thisUpdate: Date;
  readonly nextUpdate: Date | undefined;
  /** The responder keeps the status of certificates that expired after this time (RFC 6960 §4.4.4). */
  readonly archiveCutoff: Date | undefined;
}

/** A BasicOCSPResponse. */
export interface BasicResponse {
  readonly der: Buffer;
  readonly signed: SignedStructure;
  /** The responder, by the DER of its Name or by the SHA-1 of its key. */
  readonly responder: { readonly name: Buffer } | { readonly keyHash: Buffer };
  readonly producedAt: Date;
  readonly answers: readonly SingleAnswer[];
  readonly nonce: Buffer | undefined;
  /** DER of the certificates in the response. */
  readonly certificates: readonly Buffer[];
}

const STATUS_SENTENCES: ReadonlyMap<number, string> = new Map([
  [1, 'finds the request malformed'],
  [2, 'has an internal error'],
  [3, 'asks to try later'],
  [5, 'wants the request signed'],
  [6, 'is not allowed to answer for this certificate'],
]);

function malformed(detail: string, cause?: unknown): never {
  throw new SigningError('OCSP_MALFORMED', `The OCSP response is damaged: ${detail}.`, { cause });
}

function asOcspError<T>(action: () => T): T {
  try {
    return action();
  } catch (cause) {
    if (cause instanceof SigningError && cause.code === 'DER_MALFORMED') malformed('it is not DER', cause);
    throw cause;
  }
}

/** The values of known extensions by OID; an unknown critical extension is an error. */
function readExtensions(wrapper: DerElement | undefined): ReadonlyMap<string, Buffer> {
  const values = new Map<string, Buffer>();
  for (const extension of wrapper?.child(0, 'the extensions').children ?? []) {
    const oid = readOid(extension.child(0, 'an extension type'), 'an extension type');
    const mark = extension.find(Tag.boolean);
    const isKnown = oid === RevocationOid.ocspNonce || oid === RevocationOid.archiveCutoff;
    if (!isKnown && mark !== undefined && readBoolean(mark, 'the critical mark')) {
      malformed(`it has the critical extension ${oid}, which is not known here`);
    }
    values.set(
      oid,
      extension.child(mark === undefined ? 1 : 2, 'an extension value').expect(Tag.octetString, 'an extension value')
        .content,
    );
  }
  return values;
}

function readRevocation(status: DerElement): Revocation {
  const reason = status.find(contextTag(0))?.child(0, 'the reason');
  return {
    time: readTime(status.child(0, 'the revocation time'), 'the revocation time'),
    reason: reasonOf(reason?.content[0]),
  };
}

function readStatus(status: DerElement): Pick<SingleAnswer, 'status' | 'revocation'> {
  switch (status.tag) {
    case primitiveContextTag(0):
      return { status: 'good', revocation: undefined };
    case contextTag(1):
      return { status: 'revoked', revocation: readRevocation(status) };
    case primitiveContextTag(2):
      return { status: 'unknown', revocation: undefined };
    default:
      return malformed('a certificate has a status that does not exist');
  }
}

function readAnswer(answer: DerElement): SingleAnswer {
  const nextUpdate = answer.find(contextTag(0));
  // The wrapper of the extensions follows the status, and the status may have the same tag.
  const wrapper = answer.children.slice(2).find(({ tag }) => tag === contextTag(1));
  const cutoff = readExtensions(wrapper).get(RevocationOid.archiveCutoff);
  return {
    identifier: answer.child(0, 'a certificate identifier').expect(Tag.sequence, 'a certificate identifier'),
    ...readStatus(answer.child(1, 'a status')),
    thisUpdate: readTime(answer.child(2, 'the time of this update'), 'the time of this update'),
    nextUpdate: nextUpdate && readTime(nextUpdate.child(0, 'the next update'), 'the next update'),
    archiveCutoff: cutoff && readTime(readDer(cutoff), 'the archive cutoff'),
  };
}

function readResponder(choice: DerElement): BasicResponse['responder'] {
  const value = choice.child(0, 'the responder');
  if (choice.tag === contextTag(1)) return { name: value.bytes };
  if (choice.tag === contextTag(2)) return { keyHash: value.expect(Tag.octetString, 'the key hash').content };
  return malformed('it does not say who the responder is');
}

function readNonce(value: Buffer | undefined): Buffer | undefined {
  if (value === undefined) return undefined;
  // Old responders write the bytes themselves instead of an OCTET STRING (RFC 9654 §1).
  return value[0] === Tag.octetString && value[1] === value.length - 2 ? value.subarray(2) : value;
}

/** Reads a BasicOCSPResponse, the form inside signatures. Throws `OCSP_MALFORMED`. */
export function readBasicResponse(der: Buffer): BasicResponse {
  return asOcspError(() => {
    const root = readDer(der);
    const signed = readSignedStructure(root);
    const data = readDer(signed.body).expect(Tag.sequence, 'the response data').children;
    // A version other than 1 would be encoded; version 1 is the only version.
    const fields = data[0]?.tag === contextTag(0) ? data.slice(1) : data;
    const [responder, producedAt, answers, extensions] = fields;
    if (responder === undefined || producedAt === undefined || answers === undefined) malformed('something is missing');
    const certificates = signed.rest.find(({ tag }) => tag === contextTag(0));
    return {
      der: root.bytes,
      signed,
      responder: readResponder(responder),
      producedAt: readTime(producedAt, 'the time of production'),
      answers: answers.expect(Tag.sequence, 'the answers').children.map(readAnswer),
      nonce: readNonce(readExtensions(extensions).get(RevocationOid.ocspNonce)),
      certificates: certificates?.child(0, 'the certificates').children.map(({ bytes }) => bytes) ?? [],
    };
  });
}

/**
 * The DER of the BasicOCSPResponse in a responder's answer. Throws `OCSP_MALFORMED`; `REVOCATION_UNKNOWN` with a sentence
 * when the responder did not answer the question.
 */
export function unwrapOcspResponse(der: Buffer): Buffer {
  return asOcspError(() => {
    const response = readDer(der).expect(Tag.sequence, 'the response');
    const status = response.child(0, 'the status').expect(Tag.enumerated, 'the status').content[0] ?? 0;
    if (status !== 0) {
      const sentence = STATUS_SENTENCES.get(status) ?? `answers with the unknown status ${status}`;
      throw new SigningError('REVOCATION_UNKNOWN', `The OCSP responder ${sentence}.`);
    }
    const bytes = response.child(1, 'the answer').expect(contextTag(0), 'the answer').child(0, 'the answer');
    if (readOid(bytes.child(0, 'the response type')) !== RevocationOid.basicOcspResponse)
      malformed('it is not a basic response');
    return bytes.child(1, 'the answer').expect(Tag.octetString, 'the answer').content;
  });
}
