import {
  numberOf,
  PdfString,
  type PdfDictionary,
  type PdfValue,
  PdfName,
  type ObjectCipher,
} from '../syntax/values.ts';
import { SigningError } from '../../errors.ts';
import { plainString, serialize } from '../syntax/serialize.ts';
import type { PdfSignatureOptions } from '../sign-request.ts';
import { encodeTextString, formatDate } from '../syntax/text-string.ts';
import type { IncrementalUpdate } from '../writing/incremental-update.ts';

/** The signed bytes of a PDF signature: two ranges with the hexadecimal `Contents` in between. */
export interface ByteRange {
  /** The numbers in the file, unchanged. */
  readonly numbers: readonly number[];
  /** The problem of the range; undefined for a sound range. */
  readonly problem: string | undefined;
}

/**
 * Reads a signature's byte range and checks the range against known forgeries (universal forgery, wrapping): a sound
 * range begins at 0, stays inside the file, and leaves out exactly the `Contents` of this very dictionary, brackets
 * included (ISO 32000-2 §12.8.1).
 */
export function readByteRange(
  signature: PdfDictionary,
  resolve: (value: PdfValue | undefined) => PdfValue,
  fileSize: number,
): ByteRange {
  const value = resolve(signature.get('ByteRange'));
  const numbers = Array.isArray(value) ? value.map((entry) => numberOf(resolve(entry)) ?? NaN) : [];
  if (numbers.length === 0 || !numbers.every(Number.isSafeInteger)) {
    return { numbers: [], problem: 'The signature does not say which part of the file it covers.' };
  }
  return { numbers, problem: findProblem(numbers, resolve(signature.get('Contents')), fileSize) };
}

function findProblem(numbers: readonly number[], contents: PdfValue, fileSize: number): string | undefined {
  const [start, firstLength, secondStart, secondLength] = numbers;
  if (firstLength === undefined || secondStart === undefined || secondLength === undefined || numbers.length !== 4) {
    return 'The signature does not cover the file in two parts, as it must.';
  }
  if (start !== 0) return 'The signature does not cover the beginning of the file.';
  if (secondStart < firstLength || secondLength < 0 || secondStart + secondLength > fileSize) {
    return 'The signature says that it covers what the file does not have; perhaps the file was cut off.';
  }
  if (!(contents instanceof PdfString)) return 'The signature is empty.';
  const { position, token } = contents;
  if (token[0] !== 0x3c || position !== firstLength || position + token.length !== secondStart) {
    return 'The signature leaves out more of the file than itself.';
  }
  return undefined;
}

/** Room for `[0 a b c]` with numbers of 16 digits. */
export const BYTE_RANGE_LENGTH = 54;

/** The syntax of a signature dictionary with room for the values known last; offsets are into `body`. */
export interface SignatureDictionary {
  readonly body: Buffer;
  /** Offset of the byte range: `BYTE_RANGE_LENGTH` bytes of white space. */
  readonly byteRange: number;
  /** Offset of the `<` of the hexadecimal `Contents`. */
  readonly contentsStart: number;
  /** Offset after the closing `>`. */
  readonly contentsEnd: number;
}

/** The handler of a kind of signature (ISO 32000-2 Table 255, DOC-ICP-15.03 table A.18). */
export function signatureFilter(subFilter: PdfSignatureOptions['subFilter']): string {
  return subFilter === 'PBAD.PAdES' ? 'PBAD_PAdES' : 'Adobe.PPKLite';
}

/**
 * Builds the signature dictionary (ISO 32000-2 Table 255, EN 319 142-1 §6.3). `Contents` is never encrypted (ISO
 * 32000-2 §7.6.2), other strings are.
 *
 * @param capacity most bytes of the signature
 * @param references signature references, when the field demands a lock
 */
export function buildSignatureDictionary(
  options: PdfSignatureOptions,
  capacity: number,
  references: readonly PdfValue[],
  cipher: ObjectCipher | undefined,
): SignatureDictionary {
  const filter = signatureFilter(options.subFilter);
  const head = Buffer.from(`<</Type /Sig\n/Filter /${filter}\n/SubFilter /${options.subFilter}\n/ByteRange `);
  const contentsStart = head.length + BYTE_RANGE_LENGTH + '\n/Contents '.length;
  const contentsEnd = contentsStart + 2 + 2 * capacity;
  const entries: PdfDictionary = new Map();
  const addText = (key: string, text: string | undefined): void => {
    if (text !== undefined && text !== '') entries.set(key, plainString(encodeTextString(text)));
  };
  addText('M', formatDate(options.signingTime));
  addText('Name', options.name);
  addText('Reason', options.reason);
  addText('Location', options.location);
  addText('ContactInfo', options.contact);
  if (references.length > 0) entries.set('Reference', [...references]);
  const body = Buffer.concat([
    head,
    Buffer.from(`${' '.repeat(BYTE_RANGE_LENGTH)}\n/Contents <${'0'.repeat(2 * capacity)}>\n`),
    // The rest of the dictionary without its opening brackets.
    serialize(entries, { cipher }).subarray(2),
  ]);
  return { body, byteRange: head.length, contentsStart, contentsEnd };
}

/** A new revision whose signature dictionary is complete except for its `Contents`, which are zeros. */
export interface UnsignedRevision {
  readonly bytes: Buffer;
  /** Offset in `bytes` of the `<` of the hexadecimal `Contents`. */
  readonly contentsStart: number;
  /** Offset in `bytes` after the closing `>`. */
  readonly contentsEnd: number;
  readonly byteRange: readonly [number, number, number, number];
}

/**
 * Ends an update of a file of `fileSize` bytes with a signature dictionary as its object `number`, and fills in the
 * byte range.
 */
export function finishRevision(
  update: IncrementalUpdate,
  number: number,
  dictionary: SignatureDictionary,
  fileSize: number,
): UnsignedRevision {
  update.addBody(number, dictionary.body);
  const { bytes, bodies } = update.finish();
  const at = bodies.get(number) ?? 0;
  const [contentsStart, contentsEnd] = [at + dictionary.contentsStart, at + dictionary.contentsEnd];
  const byteRange = [0, fileSize + contentsStart, fileSize + contentsEnd, bytes.length - contentsEnd] as const;
  bytes.write(`[${byteRange.join(' ')}]`.padEnd(BYTE_RANGE_LENGTH), at + dictionary.byteRange, 'latin1');
  return { bytes, contentsStart, contentsEnd, byteRange };
}

/** Writes the signature as hexadecimal digits; the rest of the room stays zeros. */
export function fillContents(target: Buffer, start: number, end: number, signature: Buffer): void {
  if (signature.length * 2 > end - start - 2) {
    throw new SigningError('SIGNATURE_INVALID', 'The signature is longer than its key announced. Sign again.');
  }
  target.write(signature.toString('hex'), start + 1, 'latin1');
}

/** The reference of a certification signature (ISO 32000-2 §12.8.2.2). `permission` is 1 to 3. */
export function certificationReference(permission: number): PdfValue {
  return new Map<string, PdfValue>([
    ['Type', new PdfName('SigRef')],
    ['TransformMethod', new PdfName('DocMDP')],
    [
      'TransformParams',
      new Map<string, PdfValue>([
        ['Type', new PdfName('TransformParams')],
        ['P', permission],
        ['V', new PdfName('1.2')],
      ]),
    ],
  ]);
}

/** The lock of a signature field, as a reference of the signature (ISO 32000-2 §12.8.2.4, Table 236). */
export function lockReference(lock: PdfDictionary, catalog: PdfValue): PdfValue {
  const parameters: PdfDictionary = new Map<string, PdfValue>([
    ['Type', new PdfName('TransformParams')],
    ['V', new PdfName('1.2')],
  ]);
  for (const key of ['Action', 'Fields']) {
    const value = lock.get(key);
    if (value !== undefined) parameters.set(key, value);
  }
  return new Map<string, PdfValue>([
    ['Type', new PdfName('SigRef')],
    ['TransformMethod', new PdfName('FieldMDP')],
    ['TransformParams', parameters],
    ['Data', catalog],
  ]);
}
