import {
  readCrossReference,
  type CrossReference,
  type CrossReferenceEntry,
  type CrossReferenceSection,
} from './cross-reference.ts';
import { readIndirectObject, type CipherOf, ObjectStream, RecentObjects } from './indirect-object.ts';
import { createObjectCipher, type FileEncryption } from '../encryption/object-cipher.ts';
import { spend } from '../../budget/budget.ts';
import { malformed } from '../syntax/pdf-error.ts';
import { PdfFile } from './pdf-file.ts';
import { openEncryption } from '../encryption/standard-security.ts';
import type { PdfKeys } from '../encryption/standard-security.ts';
import type { Scan } from './reference-scanner.ts';
import { decodeStream, hasIdentityCrypt, MAX_DECODED } from './stream-filters.ts';
import { countOf, PdfReference, PdfStream, PdfString } from '../syntax/values.ts';
import type { ObjectCipher, PdfDictionary, PdfValue } from '../syntax/values.ts';

/** A value, and the number of the indirect object around the value (`undefined`: the trailer). */
export interface Located {
  readonly value: PdfValue;
  readonly holder: number | undefined;
}

export interface OpenOptions extends PdfKeys {
  /** Replaces the file's own cross-reference, which is then not read. */
  readonly structure?: CrossReference;
}

const HEADER_WINDOW = 1024;
const MAX_REFERENCE_CHAIN = 32;
const MAX_NESTED_LOADS = 32;
const KEPT_OBJECT_STREAMS = 4;

/**
 * A PDF opened for reading: parts are read and parsed on demand. Every call parses values anew, so callers may change
 * the result. All reading throws `PDF_MALFORMED`, `PDF_UNSUPPORTED` or `PDF_ENCRYPTED`.
 */
export class PdfDocument {
  readonly file: PdfFile;
  /** As in the header, for example `1.7`. */
  readonly version: string;
  readonly crossReference: CrossReference;
  readonly #objectStreams = new Map<number, ObjectStream>();
  #encryption: FileEncryption | undefined;
  #encryptNumber: number | undefined;
  #recent: RecentObjects | undefined;
  #catalog: { readonly value: PdfDictionary; readonly holder: number } | undefined;
  #nestedLoads = 0;

  private constructor(file: PdfFile, structure: CrossReference | undefined) {
    this.file = file;
    const head = file.text(0, HEADER_WINDOW);
    const headerOffset = head.indexOf('%PDF-');
    if (headerOffset < 0 && structure === undefined) {
      malformed('it does not begin as a PDF does; perhaps it is another kind of file');
    }
    this.version = /%PDF-(\d+\.\d+)/.exec(head.slice(Math.max(0, headerOffset)))?.[1] ?? '';
    this.crossReference = structure ?? readCrossReference(file, headerOffset);
  }

  /**
   * Rejects with Node's system error for an unreadable file, and with `PDF_ENCRYPTED` or `PASSWORD_INCORRECT` for a
   * wrong password. The caller closes the document.
   */
  static async open(path: string, options: OpenOptions = {}): Promise<PdfDocument> {
    const file = await PdfFile.open(path);
    try {
      const document = new PdfDocument(file, options.structure);
      await document.#openEncryption(options);
      return document;
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  async close(): Promise<void> {
    await this.file.close();
  }

  /**
   * The same file through other sections: an earlier revision. Both documents share the open file, the limit of work
   * and the key; closing either closes both.
   */
  seenThrough(structure: CrossReference): PdfDocument {
    const view = new PdfDocument(this.file, structure);
    view.#encryption = this.#encryption;
    view.#encryptNumber = this.#encryptNumber;
    view.#recent = this.#recent;
    return view;
  }

  /** From now on parsed objects are cached, here and in views through other sections: callers must not change them. */
  keepObjects(): void {
    this.#recent ??= new RecentObjects();
  }

  /** The newest section; the next section has to be of the same kind. */
  get newestSection(): CrossReferenceSection {
    return this.crossReference.sections[0] ?? malformed('it has no cross-reference section');
  }

  get trailer(): PdfDictionary {
    return this.newestSection.trailer;
  }

  get encrypted(): boolean {
    return this.#encryption !== undefined;
  }

  /** The document catalog (ISO 32000-2 §7.7.2). Read once; not to be changed. */
  get catalog(): { readonly value: ReadonlyMap<string, PdfValue>; readonly holder: number } {
    if (this.#catalog === undefined) {
      const { value, holder } = this.locate(this.trailer.get('Root'));
      if (!(value instanceof Map) || holder === undefined) malformed('its document catalog is missing');
      this.#catalog = { value, holder };
    }
    return this.#catalog;
  }

  /** The newest entry of an object; undefined without any entry. */
  entry(number: number): CrossReferenceEntry | undefined {
    for (const section of this.crossReference.sections) {
      this.file.budget.spend(section.runs + 8);
      const entry = section.find(number);
      if (entry !== undefined) return entry;
    }
    return undefined;
  }

  /** The generation of a rewritten object (ISO 32000-2 §7.5.6). */
  generationOf(number: number): number {
    const entry = this.entry(number);
    return entry?.kind === 'offset' ? entry.generation : 0;
  }

  /** The cipher for strings and streams of an object; undefined without encryption. */
  cipherOf(number: number, generation: number): ObjectCipher | undefined {
    if (this.#encryption === undefined || number === this.#encryptNumber) return undefined;
    return createObjectCipher(this.#encryption.fileKey, this.#encryption.methods, number, generation);
  }

  /** The object with this number; null for a free or absent object (ISO 32000-2 §7.3.10). */
  #load(number: number, entry: CrossReferenceEntry | undefined): PdfValue {
    if (entry === undefined || entry.kind === 'free') return null;
    this.#nestedLoads += 1;
    if (this.#nestedLoads > MAX_NESTED_LOADS) malformed('its objects need each other in a circle');
    try {
      if (entry.kind === 'compressed') return this.#objectStream(entry.stream).read(number);
      return this.#readAt(entry.offset, number).value;
    } finally {
      this.#nestedLoads -= 1;
    }
  }

  /** Follows references to the value; null for a missing object. */
  readonly resolve = (value: PdfValue | undefined): PdfValue => this.locate(value).value;

  /**
   * Follows references and answers the value with the object around it; `holder` is the object around `value` itself.
   */
  locate(value: PdfValue | undefined, holder?: number): Located {
    let located: Located = { value: value ?? null, holder };
    for (let step = 0; located.value instanceof PdfReference; step += 1) {
      if (step > MAX_REFERENCE_CHAIN) malformed('references lead to each other in a circle');
      const { number, generation } = located.value;
      const entry = this.entry(number);
      const stale = entry?.kind === 'offset' && entry.generation !== generation;
      located = { value: stale ? null : this.#load(number, entry), holder: number };
    }
    return located;
  }

  /**
   * The data of the stream at `value`, decrypted and decoded (up to 64 MiB); undefined for another value. Throws
   * `PDF_UNSUPPORTED` for filters unusual in structure streams.
   */
  readStream(value: PdfValue | undefined): Buffer | undefined {
    const { value: stream, holder } = this.locate(value);
    if (!(stream instanceof PdfStream) || holder === undefined) return undefined;
    return this.#streamData(stream, this.cipherOf(holder, this.generationOf(holder)));
  }

  /** The data of the stream at `value`, decrypted, with all filters; undefined for another value. */
  readStored(value: PdfValue | undefined): Buffer | undefined {
    const { value: stream, holder } = this.locate(value);
    if (!(stream instanceof PdfStream) || holder === undefined) return undefined;
    return this.#storedData(stream, this.cipherOf(holder, this.generationOf(holder)));
  }

  /** Numbers of the objects in an object stream, in its order. */
  objectNumbersIn(objectStream: number): readonly number[] {
    return this.#objectStream(objectStream).numbers;
  }

  /** Scans an object of an object stream for references to these objects; undefined for an object outside of it. */
  scanPacked(objectStream: number, number: number, targets: ReadonlySet<number>): Scan | undefined {
    return this.#objectStream(objectStream).scan(number, targets);
  }

  #readAt(offset: number, number: number): ReturnType<typeof readIndirectObject> {
    spend('objects');
    const position = this.crossReference.base + offset;
    const cipherOf: CipherOf = (found, generation) => this.cipherOf(found, generation);
    const object =
      this.#recent?.read(this.file, position, cipherOf) ?? readIndirectObject(this.file, position, cipherOf);
    if (object.number !== number) malformed(`object ${object.number} stands at byte ${position} instead of ${number}`);
    return object;
  }

  #objectStream(number: number): ObjectStream {
    const kept = this.#objectStreams.get(number);
    if (kept !== undefined) return kept;
    const entry = this.entry(number);
    if (entry?.kind !== 'offset') malformed(`the object stream ${number} is missing`);
    const { value, generation } = this.#readAt(entry.offset, number);
    if (!(value instanceof PdfStream)) malformed(`object ${number} is not an object stream`);
    const count = countOf(this.resolve(value.dictionary.get('N')));
    const first = countOf(this.resolve(value.dictionary.get('First')));
    if (count === undefined || first === undefined) malformed(`the object stream ${number} lacks N or First`);
    const stream = new ObjectStream(this.#streamData(value, this.cipherOf(number, generation)), count, first);
    const [oldest] = this.#objectStreams.keys();
    if (this.#objectStreams.size >= KEPT_OBJECT_STREAMS && oldest !== undefined) this.#objectStreams.delete(oldest);
    this.#objectStreams.set(number, stream);
    return stream;
  }

  #streamData(stream: PdfStream, cipher: ObjectCipher | undefined): Buffer {
    const plain = this.#storedData(stream, cipher);
    const data = decodeStream(plain, stream.dictionary, this.resolve);
    this.file.budget.spend(plain.length + (data.length >> 2));
    return data;
  }

  #storedData({ dictionary, position }: PdfStream, cipher: ObjectCipher | undefined): Buffer {
    const length = this.crossReference.streamLengths?.get(position) ?? countOf(this.resolve(dictionary.get('Length')));
    if (length === undefined || length > MAX_DECODED) malformed('a stream has no usable length');
    const stored = this.file.read(position, length);
    return cipher === undefined || hasIdentityCrypt(dictionary, this.resolve) ? stored : cipher.decryptStream(stored);
  }

  async #openEncryption(keys: PdfKeys): Promise<void> {
    const { value, holder } = this.locate(this.trailer.get('Encrypt'));
    if (value === null) return;
    if (!(value instanceof Map)) malformed('its encryption dictionary is not a dictionary');
    const identifiers = this.resolve(this.trailer.get('ID'));
    const first = Array.isArray(identifiers) ? this.resolve(identifiers[0]) : null;
    const identifier = first instanceof PdfString ? first.stored : Buffer.alloc(0);
    this.#encryption = await openEncryption(value, identifier, this.resolve, keys);
    this.#encryptNumber = holder;
    // Objects read without the key are dropped.
    this.#objectStreams.clear();
  }
}
