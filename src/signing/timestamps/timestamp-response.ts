/** Reads the answers of time stamp authorities (RFC 3161 §2.4.2). */
import { normalizeBer } from '../der/normalize-ber.ts';
import { Tag, readDer, readNamedBits, readSmallInteger, readString, type DerElement } from '../der/reader.ts';
import { SigningError } from '../errors.ts';
import { asTimestampError } from './read-timestamp-token.ts';

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
