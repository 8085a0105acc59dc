/** Numbers for new objects: above all existing objects, and not used by dangling references. */
import { SigningError } from '../../errors.ts';
import { malformed } from '../syntax/pdf-error.ts';
import type { PdfDocument } from '../reading/pdf-document.ts';
import { countOf, PdfReference } from '../syntax/values.ts';

/** Acrobat's limit for object numbers (ISO 32000-1 Annex C). */
const USUAL_NUMBER_LIMIT = 8_388_608;
const NUMBER_LIMIT = 0x7fffffff;

/** A `Size` far beyond the sections' entries is a producer's mistake and does not shift new numbers. */
function firstFreeNumber(document: PdfDocument): number {
  const { sections } = document.crossReference;
  const listed = sections.reduce((limit, section) => Math.max(limit, section.limit), 1);
  const size = countOf(document.trailer.get('Size')) ?? 0;
  const number = size <= USUAL_NUMBER_LIMIT ? Math.max(listed, size) : listed;
  if (number > NUMBER_LIMIT - 64) malformed('it uses up all object numbers');
  return number;
}

/** No reference is longer; windows overlap by this. */
const LONGEST = 64;
const LETTER_R = 0x52;

const isBlank = (byte: number | undefined): boolean =>
  byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09 || byte === 0x0c || byte === 0;
const isDigit = (byte: number | undefined): byte is number => byte !== undefined && byte >= 0x30 && byte <= 0x39;

/** The object number of the reference that ends with the `R` at `at`; undefined for another use of the letter. */
function referenceEndingAt(bytes: Buffer, at: number): number | undefined {
  let position = at - 1;
  const passBlanks = (): boolean => {
    const start = position;
    while (position >= 0 && isBlank(bytes[position])) position -= 1;
    return position < start;
  };
  const passDigits = (): string => {
    const end = position + 1;
    while (position >= 0 && isDigit(bytes[position])) position -= 1;
    return bytes.toString('latin1', position + 1, end);
  };
  if (!passBlanks() || passDigits() === '' || !passBlanks()) return undefined;
  const digits = passDigits();
  return digits === '' || digits.length > 10 ? undefined : Number(digits);
}

/** Adds the numbers of all references in these bytes that are not below `from`. */
function collectReferences(bytes: Buffer, from: number, numbers: Set<number>): void {
  for (let at = bytes.indexOf(LETTER_R); at >= 0; at = bytes.indexOf(LETTER_R, at + 1)) {
    const number = isBlank(bytes[at - 1]) ? referenceEndingAt(bytes, at) : undefined;
    if (number !== undefined && number >= from) numbers.add(number);
  }
}

/** Bytes of an object per read. */
const PIECE = 64 * 1024;
/** Objects that are larger than this on average are mostly data of streams, which refer to nothing. */
const LARGE_OBJECT = 16 * 1024;

/** Where objects begin, in the order of the file, with the file's end. */
function beginningsOf({ file, crossReference }: PdfDocument): readonly number[] {
  const beginnings = new Set<number>();
  for (const section of crossReference.sections) {
    for (const [first, count] of section.listed()) {
      for (let number = first; number < first + count; number += 1) {
        const entry = section.find(number);
        if (entry?.kind === 'offset') beginnings.add(crossReference.base + entry.offset);
      }
    }
  }
  return [...beginnings, file.size].sort((first, second) => first - second);
}

/** The parts of the file that may hold references: all of it, or the objects of a large file without their streams. */
function* partsWithReferences(document: PdfDocument): Generator<Buffer> {
  const { file } = document;
  const objects = document.crossReference.sections.reduce((limit, section) => Math.max(limit, section.limit), 1);
  if (file.size / objects < LARGE_OBJECT) {
    for (const { bytes } of file.windows(LONGEST)) yield bytes;
    return;
  }
  const beginnings = beginningsOf(document);
  for (const [index, beginning] of beginnings.entries()) {
    const end = beginnings[index + 1] ?? beginning;
    for (let position = beginning; position < end; position += PIECE - LONGEST) {
      const bytes = file.read(position, Math.min(PIECE, end - position));
      yield bytes;
      if (bytes.includes('stream', 0, 'latin1')) break;
    }
  }
}

/** Numbers of the object streams in use. */
function objectStreamsOf(document: PdfDocument): ReadonlySet<number> {
  const streams = new Set<number>();
  for (const section of document.crossReference.sections) {
    const packed = section.kind === 'stream' ? section : section.hidden;
    for (const [first, count] of packed?.listed() ?? []) {
      for (let number = first; number < first + count; number += 1) {
        const entry = packed?.find(number);
        if (entry?.kind === 'compressed') streams.add(entry.stream);
      }
    }
  }
  return streams;
}

/**
 * The numbers from `from` on with a reference somewhere in the file. A new object with such a number would appear at a
 * dangling reference. The file is searched as bytes, so text that looks like a reference only wastes a number.
 */
function numbersReferredTo(document: PdfDocument, from: number): ReadonlySet<number> {
  const { file } = document;
  const numbers = new Set<number>();
  for (const bytes of partsWithReferences(document)) collectReferences(bytes, from, numbers);
  for (const stream of objectStreamsOf(document)) {
    try {
      const bytes = document.readStream(new PdfReference(stream, document.generationOf(stream)));
      if (bytes !== undefined) collectReferences(bytes, from, numbers);
    } catch (error) {
      // An unreadable object stream holds no usable references.
      if (!(error instanceof SigningError) || file.budget.exhausted) throw error;
    }
  }
  return numbers;
}

/** Hands out numbers for new objects. */
export class UnusedNumbers {
  readonly #taken: ReadonlySet<number>;
  #next: number;

  constructor(document: PdfDocument) {
    const first = firstFreeNumber(document);
    this.#taken = numbersReferredTo(document, first);
    this.#next = first;
    this.#skip();
  }

  /** The number that `take` answers next. */
  get next(): number {
    return this.#next;
  }

  take(): number {
    const number = this.#next;
    this.#next += 1;
    this.#skip();
    return number;
  }

  #skip(): void {
    while (this.#taken.has(this.#next)) this.#next += 1;
  }
}
