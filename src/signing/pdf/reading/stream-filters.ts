import { brotliDecompressSync, constants, inflateSync } from 'node:zlib';
import { spend } from '../../budget/budget.ts';
import { malformed, unsupported } from '../syntax/pdf-error.ts';
import { decodeStringToken } from '../syntax/text-string.ts';
import { countOf, nameOf, type PdfDictionary, type PdfValue } from '../syntax/values.ts';

/** Undoes one PNG filter (PNG §9.2) for a row, in place. */
function undoPngRow(type: number, row: Buffer, above: Buffer, pixel: number): void {
  for (let index = 0; index < row.length; index += 1) {
    const left = index >= pixel ? (row[index - pixel] ?? 0) : 0;
    const up = above[index] ?? 0;
    const corner = index >= pixel ? (above[index - pixel] ?? 0) : 0;
    row[index] = (row[index] ?? 0) + pngPrediction(type, left, up, corner);
  }
}

function pngPrediction(type: number, left: number, up: number, corner: number): number {
  switch (type) {
    case 1:
      return left;
    case 2:
      return up;
    case 3:
      return (left + up) >> 1;
    case 4: {
      const estimate = left + up - corner;
      const [byLeft, byUp, byCorner] = [left, up, corner].map((value) => Math.abs(estimate - value)) as [
        number,
        number,
        number,
      ];
      if (byLeft <= byUp && byLeft <= byCorner) return left;
      return byUp <= byCorner ? up : corner;
    }
    default:
      return 0;
  }
}

function undoPng(data: Buffer, rowLength: number, pixel: number): Buffer {
  const rows = Math.ceil(data.length / (rowLength + 1));
  const output = Buffer.alloc(rows * rowLength);
  let above: Buffer = Buffer.alloc(rowLength);
  for (let row = 0; row < rows; row += 1) {
    const start = row * (rowLength + 1);
    const target = output.subarray(row * rowLength, (row + 1) * rowLength);
    data.copy(target, 0, start + 1, start + 1 + rowLength);
    const type = data[start] ?? 0;
    if (type !== 0) undoPngRow(type, target, above, pixel);
    above = target;
  }
  return output;
}

function undoTiff(data: Buffer, rowLength: number, pixel: number): Buffer {
  const output = Buffer.from(data);
  for (let start = 0; start < output.length; start += rowLength) {
    const end = Math.min(start + rowLength, output.length);
    for (let index = start + pixel; index < end; index += 1) {
      output[index] = (output[index] ?? 0) + (output[index - pixel] ?? 0);
    }
  }
  return output;
}

/** Undoes the predictor of Flate data (ISO 32000-2 §7.4.4.4); `parameter` reads the stream's decode parameters. */
export function undoPredictor(data: Buffer, parameter: (key: string) => number | undefined): Buffer {
  const predictor = parameter('Predictor') ?? 1;
  if (predictor <= 1) return data;
  const bits = (parameter('Colors') ?? 1) * (parameter('BitsPerComponent') ?? 8);
  const rowLength = Math.ceil(((parameter('Columns') ?? 1) * bits) / 8);
  if (!(bits >= 1 && bits <= 512) || rowLength > 1_000_000) malformed('the predictor of a stream has impossible sizes');
  const pixel = Math.max(1, bits >> 3);
  return counted(predictor === 2 ? undoTiff(data, rowLength, pixel) : undoPng(data, rowLength, pixel));
}

/** Maximum number of decoded bytes of an object stream or cross-reference stream. */
export const MAX_DECODED = 64 * 1024 * 1024;

type Resolve = (value: PdfValue | undefined) => PdfValue;

interface FilterStep {
  readonly name: string;
  readonly parameters: PdfDictionary | undefined;
}

/** The decoded data, counted in the budget of the file. */
function counted(data: Buffer): Buffer {
  spend('bytes', data.length);
  return data;
}

/** Runs a decoder that stops at `MAX_DECODED`. Throws `PDF_MALFORMED` for damaged and for longer data. */
function decompress(decode: () => Buffer): Buffer {
  try {
    return decode();
  } catch (error) {
    malformed('the data of an object stream or cross-reference stream cannot be decompressed', error);
  }
}

/** Z_SYNC_FLUSH accepts truncated data, like all readers. */
const inflate = (data: Buffer): Buffer =>
  counted(decompress(() => inflateSync(data, { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: MAX_DECODED })));

/** An extension to PDF 2.0: Brotli (RFC 7932), with the predictors of Flate. */
const decodeBrotli = (data: Buffer): Buffer =>
  counted(decompress(() => brotliDecompressSync(data, { maxOutputLength: MAX_DECODED })));

/** Digits of ASCII85 in a group, and the bytes of a whole group. */
const GROUP_DIGITS = 5;
const GROUP_BYTES = 4;

/** Maximum number of bytes that the data decode to: a `z` stands for a group of zero bytes. */
function ascii85Limit(data: Buffer): number {
  let zeros = 0;
  for (const byte of data) zeros += byte === 0x7a ? 1 : 0;
  return GROUP_BYTES * (zeros + Math.ceil((data.length - zeros) / GROUP_DIGITS));
}

/** ASCII85 (ISO 32000-2 §7.4.3). */
function decodeAscii85(data: Buffer): Buffer {
  const limit = ascii85Limit(data);
  if (limit > MAX_DECODED) malformed('the data of a stream in ASCII85 are too long');
  const output = counted(Buffer.alloc(limit));
  let length = 0;
  let word = 0;
  let digits = 0;
  /** Writes the bytes of `digits` digits; missing digits count as the highest one. */
  const flush = (): void => {
    let whole = word;
    for (let missing = digits; missing < GROUP_DIGITS; missing += 1) whole = whole * 85 + 84;
    for (let index = 0; index < digits - 1; index += 1) {
      output[length] = Math.floor(whole / 256 ** (GROUP_BYTES - 1 - index)) & 0xff;
      length += 1;
    }
    [word, digits] = [0, 0];
  };
  for (const byte of data) {
    if (byte === 0x7e) break;
    if (byte === 0x7a && digits === 0) length += GROUP_BYTES;
    else if (byte >= 0x21 && byte <= 0x75) {
      word = word * 85 + (byte - 0x21);
      digits += 1;
    } else if (byte > 0x20) malformed('the data of a stream are not ASCII85');
    if (digits === GROUP_DIGITS) flush();
  }
  if (digits > 1) flush();
  return output.subarray(0, length);
}

/** Codes of LZW beside those of sequences (ISO 32000-2 §7.4.4.2), and the lengths of codes in bits. */
const CLEAR_TABLE = 256;
const END_OF_DATA = 257;
const SHORTEST_CODE = 9;
const LONGEST_CODE = 12;

/** LZW. Codes grow one sequence early unless `early` is 0. */
function decodeLzw(data: Buffer, early: number): Buffer {
  const output: number[] = [];
  let sequences: number[][] = [];
  let previous: number[] | undefined;
  let [bits, held, length] = [0, 0, SHORTEST_CODE];
  for (const byte of data) {
    [bits, held] = [((bits << 8) | byte) & 0xffffff, held + 8];
    if (held < length) continue;
    held -= length;
    const code = (bits >> held) & ((1 << length) - 1);
    if (code === END_OF_DATA) break;
    if (code === CLEAR_TABLE) {
      [sequences, previous, length] = [[], undefined, SHORTEST_CODE];
      continue;
    }
    const known = code < CLEAR_TABLE ? [code] : sequences[code - END_OF_DATA - 1];
    const first = (known ?? previous)?.[0];
    if (first === undefined) malformed('the data of a stream are not LZW');
    const sequence = known ?? [...(previous ?? []), first];
    if (previous !== undefined) sequences.push([...previous, first]);
    for (const value of sequence) output.push(value);
    if (output.length > MAX_DECODED) malformed('the data of a stream in LZW are too long');
    previous = sequence;
    const next = sequences.length + END_OF_DATA + 1 + early;
    length = Math.min(LONGEST_CODE, Math.max(SHORTEST_CODE, 32 - Math.clz32(next)));
  }
  return counted(Buffer.from(output));
}

/** RunLength (ISO 32000-2 §7.4.5): a length, then so many bytes, or one byte to repeat. 128 ends the data. */
function decodeRunLength(data: Buffer): Buffer {
  const parts: Buffer[] = [];
  let total = 0;
  for (let at = 0; at < data.length;) {
    const length = data[at] ?? 0;
    if (length === 128) break;
    const part = length < 128 ? data.subarray(at + 1, at + 2 + length) : Buffer.alloc(257 - length, data[at + 1] ?? 0);
    at += length < 128 ? length + 2 : 2;
    total += part.length;
    if (total > MAX_DECODED) malformed('the data of a stream with run lengths are too long');
    parts.push(part);
  }
  return counted(Buffer.concat(parts));
}

function steps(dictionary: PdfDictionary, resolve: Resolve): readonly FilterStep[] {
  const filter = resolve(dictionary.get('Filter'));
  if (filter === null) return [];
  const filters = Array.isArray(filter) ? filter : [filter];
  const parameter = resolve(dictionary.get('DecodeParms'));
  const parameters = Array.isArray(parameter) ? parameter : [parameter];
  if (filters.length > 8) malformed('a stream has more than eight filters');
  return filters.map((entry, index) => {
    const value = resolve(parameters[index]);
    return { name: nameOf(resolve(entry)) ?? '', parameters: value instanceof Map ? value : undefined };
  });
}

/** True when the stream names the Identity crypt filter: its data are not encrypted (ISO 32000-2 §7.4.10). */
export function hasIdentityCrypt(dictionary: PdfDictionary, resolve: Resolve): boolean {
  const [first] = steps(dictionary, resolve);
  if (first?.name !== 'Crypt') return false;
  const name = nameOf(resolve(first.parameters?.get('Name'))) ?? 'Identity';
  if (name !== 'Identity') unsupported(`The PDF encrypts a stream with a filter of its own, "${name}".`);
  return true;
}

/**
 * Undoes a stream's filters (ISO 32000-2 §7.4) other than those of pictures: Flate, Brotli and LZW with predictors,
 * run lengths, ASCII85 and ASCIIHex. Others are `PDF_UNSUPPORTED`.
 */
export function decodeStream(data: Buffer, dictionary: PdfDictionary, resolve: Resolve): Buffer {
  let decoded = data;
  for (const { name, parameters } of steps(dictionary, resolve)) {
    switch (name) {
      case 'FlateDecode':
      case 'Fl':
        decoded = undoPredictor(inflate(decoded), (key) => countOf(resolve(parameters?.get(key))));
        break;
      case 'BrotliDecode':
        decoded = undoPredictor(decodeBrotli(decoded), (key) => countOf(resolve(parameters?.get(key))));
        break;
      case 'LZWDecode':
      case 'LZW': {
        const early = countOf(resolve(parameters?.get('EarlyChange'))) ?? 1;
        decoded = undoPredictor(decodeLzw(decoded, early), (key) => countOf(resolve(parameters?.get(key))));
        break;
      }
      case 'RunLengthDecode':
      case 'RL':
        decoded = decodeRunLength(decoded);
        break;
      case 'ASCIIHexDecode':
      case 'AHx':
        decoded = counted(decodeStringToken(Buffer.concat([Buffer.from('<'), decoded])));
        break;
      case 'ASCII85Decode':
      case 'A85':
        decoded = decodeAscii85(decoded);
        break;
      case 'Crypt':
        break;
      default:
        unsupported(`The PDF stores its structure with the filter "${name}", which is not supported.`);
    }
  }
  return decoded;
}
