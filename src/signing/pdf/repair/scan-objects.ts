import { SigningError } from '../../errors.ts';
import { readIndirectObjectWithEnd } from '../reading/indirect-object.ts';
import type { PdfFile } from '../reading/pdf-file.ts';
import { countOf, nameOf, PdfReference, PdfStream, PdfString, USAGE_RIGHTS } from '../syntax/values.ts';
import type { PdfDictionary, PdfValue } from '../syntax/values.ts';

/** An object found in the file; a later object of the same number replaces an earlier (ISO 32000-2 §7.5.6). */
export interface FoundObject {
  readonly number: number;
  readonly generation: number;
  /** Position of the object number in the file. */
  readonly position: number;
  /** `Type` of a dictionary or stream, if present. */
  readonly type: string | undefined;
  /** The object's value, if a plain count, like the lengths of streams. */
  readonly count: number | undefined;
  readonly stream: FoundStream | undefined;
}

export interface FoundStream {
  /** Position of the first byte of data. */
  readonly position: number;
  /** Bytes up to `endstream`. */
  readonly length: number;
  /** The dictionary's `Length`: a number or a reference. */
  readonly declared: PdfValue;
}

/** The contents of a file, independent of its cross-reference. */
export interface ScannedFile {
  /** By number, the last of each. */
  readonly objects: ReadonlyMap<number, FoundObject>;
  /** Trailers and dictionaries of cross-reference streams, in the order of the file. */
  readonly trailers: readonly PdfDictionary[];
  readonly hasSignature: boolean;
}

const CHUNK = 256 * 1024;
const OVERLAP = 64;
const MARK =
  /(?<![\w.])(\d{1,10})[\0\t\n\f\r ]+(\d{1,5})[\0\t\n\f\r ]+obj(?![A-Za-z])|(?<![\w/])trailer(?=[\0\t\n\f\r ]*<<)/g;

/** The position of the next `endstream`, else of the next `endobj`, else the end of the file. */
function findStreamEnd(file: PdfFile, position: number): number {
  const longest = 'endstream'.length;
  for (let start = position; start < file.size; start += CHUNK - longest) {
    const chunk = file.read(start, CHUNK);
    file.budget.spend(chunk.length >> 4);
    const found = ['endstream', 'endobj'].map((word) => chunk.indexOf(word, 0, 'latin1')).filter((at) => at >= 0);
    if (found.length > 0) return start + Math.min(...found);
  }
  return file.size;
}

const endsAt = (file: PdfFile, position: number): boolean => /^\s{0,4}endstream/.test(file.text(position, 16));

/** Bytes of data between `position` and `endstream`, without the line end before `endstream`. */
function measureStream(file: PdfFile, position: number): number {
  const end = findStreamEnd(file, position);
  const tail = file.text(Math.max(position, end - 2), Math.min(2, end - position));
  return end - position - (/\r\n$/.test(tail) ? 2 : /[\r\n]$/.test(tail) ? 1 : 0);
}

/** Usage rights look like a signature. Nothing is resolved here: a reference that stands elsewhere counts as a signature. */
const isSignature = (dictionary: PdfDictionary): boolean =>
  Array.isArray(dictionary.get('ByteRange')) &&
  dictionary.get('Contents') instanceof PdfString &&
  !givesUsageRights(dictionary.get('Reference'));

const givesUsageRights = (references: PdfValue | undefined): boolean =>
  Array.isArray(references) && references.length > 0 && references.every((reference) => isUsageRight(reference));

const isUsageRight = (reference: PdfValue): boolean =>
  reference instanceof Map && USAGE_RIGHTS.includes(nameOf(reference.get('TransformMethod')) ?? '');

class ObjectScanner {
  readonly objects = new Map<number, FoundObject>();
  readonly trailers: PdfDictionary[] = [];
  hasSignature = false;
  readonly #file: PdfFile;

  constructor(file: PdfFile) {
    this.#file = file;
  }

  scan(): void {
    const file = this.#file;
    let windowStart = 0;
    let text = file.text(0, CHUNK);
    for (let position = 0; position < file.size;) {
      const isLast = windowStart + text.length >= file.size;
      MARK.lastIndex = position - windowStart;
      const match = MARK.exec(text);
      // A mark at the end of the window may continue after the window; so may text that does not look like a mark yet.
      if (match === null || match.index > text.length - OVERLAP) {
        if (isLast && match === null) return;
        if (!isLast) {
          position = Math.max(position, windowStart + (match?.index ?? text.length - OVERLAP));
          [windowStart, text] = [position, file.text(position, CHUNK)];
          continue;
        }
      }
      if (match === null) return;
      const at = windowStart + match.index;
      const next = match[1] === undefined ? this.#readTrailer(at) : this.#readObject(at);
      position = Math.max(at + match[0].length, next);
      if (position > windowStart + text.length) [windowStart, text] = [position, file.text(position, CHUNK)];
    }
  }

  /** Reads a trailer and answers the next position; an unreadable trailer is skipped. */
  #readTrailer(position: number): number {
    const start = position + 'trailer'.length;
    return this.#attempt(start, () => {
      const { value, length } = this.#file.parse(start, (reader) => ({
        value: reader.readValue(),
        length: reader.position,
      }));
      if (value instanceof Map) this.trailers.push(value);
      return start + length;
    });
  }

  #readObject(position: number): number {
    return this.#attempt(position, () => {
      const { number, generation, value, end } = readIndirectObjectWithEnd(this.#file, position);
      const dictionary = value instanceof PdfStream ? value.dictionary : value;
      const type = dictionary instanceof Map ? nameOf(dictionary.get('Type')) : undefined;
      const stream = value instanceof PdfStream ? this.#readStream(value) : undefined;
      if (dictionary instanceof Map && isSignature(dictionary)) this.hasSignature = true;
      if (stream !== undefined && type === 'XRef' && dictionary instanceof Map) this.trailers.push(dictionary);
      else this.objects.set(number, { number, generation, position, type, count: countOf(value), stream });
      return stream === undefined ? end : stream.position + stream.length;
    });
  }

  #readStream({ dictionary, position }: PdfStream): FoundStream {
    const declared = dictionary.get('Length') ?? null;
    const length = declared instanceof PdfReference ? this.objects.get(declared.number)?.count : countOf(declared);
    const isRight =
      length !== undefined && position + length <= this.#file.size && endsAt(this.#file, position + length);
    return { position, declared, length: isRight ? length : measureStream(this.#file, position) };
  }

  #attempt(fallback: number, read: () => number): number {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof SigningError)) throw error;
      if (this.#file.budget.exhausted) {
        const message = 'Repairing the PDF takes more work than any real document needs.';
        throw new SigningError('LIMIT_EXCEEDED', message, { cause: error });
      }
      return fallback;
    }
  }
}

/**
 * Scans a file from front to back for objects and trailers, and skips the data of streams. Throws `LIMIT_EXCEEDED`
 * beyond the work of any real document.
 */
export function scanObjects(file: PdfFile): ScannedFile {
  const scanner = new ObjectScanner(file);
  scanner.scan();
  return scanner;
}
