/** Reads the answers of time stamp authorities (RFC 3161 §2.4.2). */
import { DIGEST_OIDS, digestIdentifier } from '../algorithms/algorithms.ts';
import { derBoolean, derInteger, derNull, derOctetString, derOid, derSequence } from '../der/writer.ts';
import type { TimestampDigest } from '../keys/signer.ts';
import { normalizeBer } from '../der/normalize-ber.ts';
import { Tag, readDer, readNamedBits, readSmallInteger, readString, type DerElement } from '../der/reader.ts';
import { SigningError } from '../errors.ts';
import { asTimestampError } from './timestamp-token.ts';
import type { HttpRequest } from '../http-client.ts';

/** A request to a time stamp authority. */
export interface TimestampRequest {
  readonly digest: TimestampDigest;
  readonly imprint: Uint8Array;
  /** Dotted OID. */
  readonly policy: string | undefined;
  /** Unsigned bytes. */
  readonly nonce: Uint8Array;
}

/** SHA-2 with NULL, as OpenSSL writes it and authorities expect it; SHA-3 without parameters (RFC 9688 §2). */
const imprintIdentifier = (digest: TimestampDigest): Buffer =>
  digest.startsWith('sha3-') ? digestIdentifier(digest) : derSequence(derOid(DIGEST_OIDS[digest]), derNull());

/** DER of TimeStampReq (RFC 3161 §2.4.1) with certReq; with SHA-2 byte for byte the same as OpenSSL's. */
export function writeTimestampRequest({ digest, imprint, policy, nonce }: TimestampRequest): Buffer {
  return derSequence(
    derInteger(1),
    derSequence(imprintIdentifier(digest), derOctetString(imprint)),
    ...(policy === undefined ? [] : [derOid(policy)]),
    derInteger(nonce),
    derBoolean(true),
  );
}

/** PKIStatus by number. */
const STATUS_TEXTS: readonly string[] = [
  'it granted the time stamp',
  'it granted the time stamp with changes',
  'it rejected the request',
  'it asks to wait',
  'a revocation of its certificate is near',
  'its certificate has been revoked',
];

/** PKIFailureInfo by bit. */
const FAILURE_TEXTS: ReadonlyMap<number, string> = new Map([
  [0, 'it does not know the hash function'],
  [2, 'it does not support this kind of request'],
  [5, 'it could not read the request'],
  [14, 'its clock is not available'],
  [15, 'it does not stamp under the policy asked for'],
  [16, 'it does not know an extension of the request'],
  [17, 'it does not have the additional information asked for'],
  [25, 'it failed'],
]);

const MAX_TEXT = 300;

/** An authority's free text, without control characters and shortened, for use in messages to the user. */
function readFreeText(element: DerElement | undefined): readonly string[] {
  return (element?.children ?? [])
    .map((text) =>
      readString(text, 'the status text')
        .replace(/\p{C}+/gu, ' ')
        .trim()
        .slice(0, MAX_TEXT),
    )
    .filter((text) => text !== '');
}

function refusal(statusInfo: DerElement, status: number): SigningError {
  const failures = statusInfo.find(Tag.bitString);
  const bits = failures === undefined ? [] : readNamedBits(failures, 'the failure information');
  const reasons = bits.map((bit) => FAILURE_TEXTS.get(bit) ?? `failure ${bit}`);
  const text = readFreeText(statusInfo.find(Tag.sequence)).map((line) => `“${line}”`);
  const said = [STATUS_TEXTS[status] ?? `it answered status ${status}`, ...reasons, ...text].join('; ');
  return new SigningError('TIMESTAMP_REFUSED', `The time stamp authority gave no time stamp: ${said}.`);
}

function read(input: Uint8Array): Buffer {
  const response = readDer(normalizeBer(input)).expect(Tag.sequence, 'the response');
  const statusInfo = response.child(0, 'the status').expect(Tag.sequence, 'the status');
  const status = readSmallInteger(statusInfo.child(0, 'the status'), 'the status');
  if (status > 1) throw refusal(statusInfo, status);
  return response.child(1, 'the time stamp').bytes;
}

/**
 * The token in a TimeStampResp: DER, not yet parsed. Throws `TIMESTAMP_REFUSED` with the authority's reasons in words;
 * `TIMESTAMP_INVALID` for any other input.
 */
export function readTimestampResponse(input: Uint8Array): Buffer {
  try {
    return read(input);
  } catch (error) {
    throw asTimestampError(error);
  }
}

/** How a client proves its identity to the authority. Every field except `kind` and `user` is secret. */
export type TimestampAuthentication =
  | { readonly kind: 'none' }
  | { readonly kind: 'basic'; readonly user: string; readonly password: string }
  | { readonly kind: 'bearer'; readonly token: string }
  /** PEM; TLS client certificate. */
  | { readonly kind: 'client-certificate'; readonly certificate: string; readonly privateKey: string };

/** A time stamp authority over HTTP (RFC 3161 §3.4). */
export interface TimestampAuthority {
  /** The authority's name for the user, used in error messages. */
  readonly id: string;
  readonly url: string;
  /** The hash function of imprints, if this authority is the first to be asked. */
  readonly digest: TimestampDigest;
  /** Dotted OID of the policy to ask for; absent: the authority's own choice. */
  readonly policy?: string;
  readonly authentication: TimestampAuthentication;
  /** Milliseconds for an exchange. */
  readonly timeout: number;
}

/** The parts of a request for authentication. */
export function credentialsOf(
  authentication: TimestampAuthentication,
): Pick<HttpRequest, 'authorization' | 'clientCertificate'> {
  switch (authentication.kind) {
    case 'none':
      return {};
    case 'basic': {
      const credentials = `${authentication.user}:${authentication.password}`;
      return { authorization: `Basic ${Buffer.from(credentials, 'utf8').toString('base64')}` };
    }
    case 'bearer':
      return { authorization: `Bearer ${authentication.token}` };
    case 'client-certificate': {
      const { certificate, privateKey } = authentication;
      return { clientCertificate: { certificate, privateKey } };
    }
  }
}
