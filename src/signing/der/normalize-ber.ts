/**
 * Turns BER (X.690 §8) into the DER reader's input: definite lengths in their shortest form and strings in a single
 * piece. For input only. Values are not changed: a SET keeps its order and a BOOLEAN keeps its byte.
 */
import { SigningError } from '../errors.ts';
import { Tag } from './reader.ts';
import { derHeader } from './writer.ts';

const MAX_DEPTH = 64;
/** Maximum number of bytes of input in memory; longer input is almost always a mistake or an attack. */
const MAX_INPUT = 256 * 2 ** 20;
/** Maximum number of pieces that differ from the input: the chunks of a streamed string. */
const MAX_PIECES = 300_000;

const STRING_TAGS: ReadonlySet<number> = new Set([
  Tag.bitString,
  Tag.octetString,
  Tag.utf8String,
  Tag.numericString,
  Tag.printableString,
  Tag.teletexString,
  Tag.ia5String,
  Tag.utcTime,
  Tag.generalizedTime,
  Tag.visibleString,
  Tag.universalString,
  Tag.bmpString,
]);

function malformed(detail: string): never {
  throw new SigningError('DER_MALFORMED', `The BER data is damaged: ${detail}.`);
}

/** Output under construction. Adjacent slices of the input are joined into one buffer. */
class Pieces {
  length = 0;
  readonly #list: Buffer[] = [];
  readonly #input: Buffer;
  #start = 0;
  #end = 0;

  constructor(input: Buffer) {
    this.#input = input;
  }

  addSlice(start: number, end: number): void {
    if (start !== this.#end) {
      this.#cut();
      this.#start = start;
    }
    this.#end = end;
    this.length += end - start;
  }

  addHeader(tag: number, length: number): void {
    this.#cut();
    const header = derHeader(tag, length);
    this.#push(header);
    this.length += header.length;
  }

  append(other: Pieces): void {
    this.#cut();
    for (const piece of other.finish()) this.#push(piece);
    this.length += other.length;
  }

  /** True while the output is a single slice of the input. */
  get isOneSlice(): boolean {
    return this.#list.length === 0;
  }

  finish(): readonly Buffer[] {
    this.#cut();
    return this.#list;
  }

  #cut(): void {
    if (this.#end > this.#start) this.#push(this.#input.subarray(this.#start, this.#end));
    this.#start = this.#end = 0;
  }

  #push(piece: Buffer): void {
    if (this.#list.length === MAX_PIECES) malformed('it is in too many pieces');
    this.#list.push(piece);
  }
}

interface Header {
  readonly tag: number;
  readonly contentStart: number;
  /** Undefined for an indefinite length: two zero bytes end the content. */
  readonly contentEnd: number | undefined;
  readonly shortest: boolean;
}

function readHeader(input: Buffer, offset: number, limit: number): Header {
  const tag = input[offset];
  const first = input[offset + 1];
  if (tag === undefined || first === undefined || offset + 2 > limit) malformed('it ends inside an element');
  if ((tag & 0x1f) === 0x1f) malformed('it uses a tag number above 30');
  if (first === 0x80) {
    if ((tag & 0x20) === 0) malformed('a primitive element has no length');
    return { tag, contentStart: offset + 2, contentEnd: undefined, shortest: false };
  }
  const count = first < 0x80 ? 0 : first & 0x7f;
  const contentStart = offset + 2 + count;
  if (contentStart > limit) malformed('it ends inside a length');
  let length = count === 0 ? first : 0;
  for (let index = offset + 2; index < contentStart; index++) {
    length = length * 256 + (input[index] ?? 0);
    if (length > limit) malformed('an element is longer than what is left');
  }
  if (length > limit - contentStart) malformed('an element is longer than what is left');
  const shortest = count === 0 || (length >= 0x80 && input[offset + 2] !== 0);
  return { tag, contentStart, contentEnd: contentStart + length, shortest };
}

const isEndOfContents = (input: Buffer, offset: number, limit: number): boolean =>
  offset + 2 <= limit && input[offset] === 0 && input[offset + 1] === 0;

class Normalizer {
  readonly #input: Buffer;

  constructor(input: Buffer) {
    this.#input = input;
  }

  /** Adds the element at `offset` to `output` and answers the end of the element. */
  element(offset: number, limit: number, depth: number, output: Pieces): number {
    if (depth > MAX_DEPTH) malformed(`it is nested deeper than ${MAX_DEPTH} levels`);
    const header = readHeader(this.#input, offset, limit);
    const { tag, contentStart, contentEnd } = header;
    const constructed = (tag & 0x20) !== 0;
    if (constructed && STRING_TAGS.has(tag & ~0x20)) return this.#string(header, limit, depth, output);
    if (!constructed && contentEnd !== undefined) {
      this.#primitive(offset, header, contentEnd, output);
      return contentEnd;
    }
    const content = new Pieces(this.#input);
    const end = this.#forEach(header, limit, (start, stop) => this.element(start, stop, depth + 1, content));
    if (header.shortest && content.isOneSlice && content.length === end - contentStart) {
      output.addSlice(offset, end);
    } else {
      output.addHeader(tag, content.length);
      output.append(content);
    }
    return end;
  }

  #primitive(offset: number, header: Header, contentEnd: number, output: Pieces): void {
    if (header.shortest) {
      output.addSlice(offset, contentEnd);
    } else {
      output.addHeader(header.tag, contentEnd - header.contentStart);
      output.addSlice(header.contentStart, contentEnd);
    }
  }

  /** Calls `each` for the elements inside and answers where the outer element ends. */
  #forEach(header: Header, limit: number, each: (start: number, stop: number) => number): number {
    const stop = header.contentEnd ?? limit;
    let offset = header.contentStart;
    for (;;) {
      if (header.contentEnd === undefined && isEndOfContents(this.#input, offset, stop)) return offset + 2;
      if (header.contentEnd !== undefined && offset === stop) return offset;
      offset = each(offset, stop);
    }
  }

  /** A constructed string: its segments have the same type, may be constructed too, and become a single string. */
  #string(header: Header, limit: number, depth: number, output: Pieces): number {
    const tag = header.tag & ~0x20;
    const content = new Pieces(this.#input);
    if (tag === Tag.bitString) malformed('a bit string is in pieces');
    const end = this.#segments(header, limit, depth, content);
    output.addHeader(tag, content.length);
    output.append(content);
    return end;
  }

  #segments(header: Header, limit: number, depth: number, content: Pieces): number {
    if (depth > MAX_DEPTH) malformed(`it is nested deeper than ${MAX_DEPTH} levels`);
    return this.#forEach(header, limit, (start, stop) => {
      const segment = readHeader(this.#input, start, stop);
      if ((segment.tag & ~0x20) !== (header.tag & ~0x20) && segment.tag !== Tag.octetString) {
        malformed('a string has a segment of another type');
      }
      if (segment.tag & 0x20) return this.#segments(segment, stop, depth + 1, content);
      const segmentEnd = segment.contentEnd ?? malformed('a segment has no length');
      content.addSlice(segment.contentStart, segmentEnd);
      return segmentEnd;
    });
  }
}

/** The end of an element in BER. */
function endOfBer(input: Buffer, offset: number, limit: number, depth: number): number {
  if (depth > MAX_DEPTH) malformed(`it is nested deeper than ${MAX_DEPTH} levels`);
  const { contentStart, contentEnd } = readHeader(input, offset, limit);
  if (contentEnd !== undefined) return contentEnd;
  let next = contentStart;
  while (!isEndOfContents(input, next, limit)) next = endOfBer(input, next, limit, depth + 1);
  return next + 2;
}

/** The children of the first element of BER input, each unchanged. Throws `DER_MALFORMED`. */
export function rawChildren(input: Buffer): readonly Buffer[] {
  const { contentStart, contentEnd } = readHeader(input, 0, input.length);
  const children: Buffer[] = [];
  let offset = contentStart;
  const isEnd = (): boolean =>
    contentEnd === undefined ? isEndOfContents(input, offset, input.length) : offset === contentEnd;
  while (!isEnd()) {
    const end = endOfBer(input, offset, contentEnd ?? input.length, 0);
    children.push(input.subarray(offset, end));
    offset = end;
  }
  return children;
}

/**
 * The end of an element in DER; undefined when a part needs a change or is damaged. Most input is DER, and this check
 * recognises DER without building anything.
 */
function endOfDer(input: Buffer, offset: number, limit: number, depth: number): number | undefined {
  if (depth > MAX_DEPTH || offset + 2 > limit) return undefined;
  const tag = input[offset] ?? 0;
  let length = input[offset + 1] ?? 0;
  let start = offset + 2;
  if ((tag & 0x1f) === 0x1f) return undefined;
  if (length >= 0x80) {
    const count = length & 0x7f;
    if (count === 0 || count > 4 || start + count > limit) return undefined;
    length = 0;
    for (let index = 0; index < count; index += 1) length = length * 256 + (input[start + index] ?? 0);
    if (length < 0x80 || input[start] === 0) return undefined;
    start += count;
  }
  const end = start + length;
  if (end > limit) return undefined;
  if ((tag & 0x20) === 0) return end;
  // Context tags hide the type, and SEQUENCE and SET are no strings.
  if (tag < 0x40 && tag !== Tag.sequence && tag !== Tag.set && STRING_TAGS.has(tag & ~0x20)) return undefined;
  for (let next: number | undefined = start; next !== end;) {
    next = endOfDer(input, next, end, depth + 1);
    if (next === undefined) return undefined;
  }
  return end;
}

/** The first element of the input as DER, and its number of bytes in the input. */
export interface NormalizedElement {
  readonly der: Buffer;
  readonly consumed: number;
}

/** Reads the first element as BER and ignores the rest. See `normalizeBer`. */
export function normalizeBerPrefix(input: Uint8Array): NormalizedElement {
  if (input.length > MAX_INPUT) malformed(`it is larger than ${MAX_INPUT / 2 ** 20} MiB`);
  const bytes = Buffer.from(input.buffer, input.byteOffset, input.byteLength);
  const end = endOfDer(bytes, 0, bytes.length, 0);
  if (end !== undefined) return { der: bytes.subarray(0, end), consumed: end };
  const output = new Pieces(bytes);
  const consumed = new Normalizer(bytes).element(0, bytes.length, 0, output);
  const pieces = output.finish();
  const [first] = pieces;
  return { der: pieces.length === 1 && first !== undefined ? first : Buffer.concat(pieces), consumed };
}

/**
 * A BER element as DER. Input in DER comes back as a view, not as a copy.
 *
 * Constructed strings are joined where the tag names the type. An implicit context tag hides the type, so such an
 * element keeps its segments. Bit strings in segments are refused: none of our formats has them. Throws
 * `DER_MALFORMED`, also for input above 256 MiB, more than 64 levels, or bytes after the element.
 */
export function normalizeBer(input: Uint8Array): Buffer {
  const { der, consumed } = normalizeBerPrefix(input);
  if (consumed !== input.length) malformed('something follows the outermost element');
  return der;
}
