import { appendedSection } from './appended-section.ts';
import type { AppendedObject } from './appended-section.ts';
import { malformed, unsupported } from '../syntax/pdf-error.ts';
import type { Located, PdfDocument } from '../reading/pdf-document.ts';
import { serialize } from '../syntax/serialize.ts';
import { UnusedNumbers } from './unused-numbers.ts';
import { PdfReference, PdfStream } from '../syntax/values.ts';
import type { PdfDictionary, PdfValue } from '../syntax/values.ts';

/** The part after the original bytes of an incremental update. */
export interface AppendedPart {
  readonly bytes: Buffer;
  /** Offset of each object's body in `bytes`, after `12 0 obj`. */
  readonly bodies: ReadonlyMap<number, number>;
}

/** Writes a cross-reference section, as `appendedSection` does. */
export type SectionWriter = typeof appendedSection;

/**
 * An incremental update (ISO 32000-2 §7.5.6): working copies of changed objects, new objects, and the section with all
 * of these. The original bytes are never touched.
 */
export class IncrementalUpdate {
  readonly #document: PdfDocument;
  readonly #working = new Map<number, PdfValue>();
  readonly #changed = new Set<number>();
  readonly #replaced = new Set<number>();
  readonly #bodies = new Map<number, Buffer>();
  readonly #numbers: UnusedNumbers;
  readonly #trailer: PdfDictionary = new Map();

  /** Throws `PDF_UNSUPPORTED` for a file whose integrity code every revision has to renew (ISO/TS 32004). */
  constructor(document: PdfDocument) {
    if (document.trailer.has('AuthCode')) {
      unsupported(
        'The PDF has an integrity code (ISO/TS 32004), which a signature would break. Use a copy without it.',
      );
    }
    this.#document = document;
    this.#numbers = new UnusedNumbers(document);
  }

  /** A number for a new object, which nothing refers to yet; its generation is 0. */
  allocate(): number {
    return this.#numbers.take();
  }

  /** A reference to an existing object. */
  referenceTo(number: number): PdfReference {
    return new PdfReference(number, this.#document.generationOf(number));
  }

  /** Like `PdfDocument.locate`, with the working copy: change the copy, then call `markChanged` with the holder. */
  locate(value: PdfValue | undefined, holder?: number): Located {
    let located: Located = { value: value ?? null, holder };
    while (located.value instanceof PdfReference) {
      const found = this.#document.locate(located.value);
      if (found.holder === undefined) return found;
      const working = this.#working.get(found.holder);
      if (working === undefined) this.#working.set(found.holder, found.value);
      located = { value: working ?? found.value, holder: found.holder };
    }
    return located;
  }

  /** The object is written again with the changes made to its working copy. */
  markChanged(holder: number | undefined): void {
    if (holder === undefined) malformed('its catalog stands where no catalog may stand');
    this.#changed.add(holder);
  }

  /** Adds an object, which may still be changed until `finish`. */
  create(value: PdfValue): PdfReference {
    const number = this.allocate();
    this.#working.set(number, value);
    this.#changed.add(number);
    return new PdfReference(number, 0);
  }

  /** Adds an object under a number from `allocate`. */
  add(number: number, value: PdfValue): void {
    this.addBody(number, serialize(value, { cipher: this.#document.cipherOf(number, 0) }));
  }

  /** Adds a stream under a number from `allocate`. */
  addStream(number: number, dictionary: PdfDictionary, data: Buffer): void {
    const cipher = this.#document.cipherOf(number, 0);
    const stored = cipher === undefined ? data : cipher.encryptStream(data);
    const head = serialize(new Map([...dictionary, ['Length', stored.length]]), { cipher });
    this.addBody(number, Buffer.concat([head, Buffer.from('\nstream\n'), stored, Buffer.from('\nendstream')]));
  }

  /** Adds an object with finished syntax. */
  addBody(number: number, body: Buffer): void {
    this.#bodies.set(number, body);
  }

  /** Gives the trailer of the update an entry that the trailer before has not, or has with another value. */
  setTrailerEntry(key: string, value: PdfValue): void {
    this.#trailer.set(key, value);
  }

  /** Writes an existing object again, with finished syntax and unchanged strings. */
  replaceBody(number: number, body: Buffer): void {
    this.#replaced.add(number);
    this.#bodies.set(number, body);
  }

  /**
   * Writes the update, with the same kind of cross-reference as at the end of the file.
   *
   * @param section writes the end of the file; default: a section with a link to the section before @param start
   * position of the update, relative to the beginning of the output; default: after the file
   */
  finish(section: SectionWriter = appendedSection, start = this.#document.file.size): AppendedPart {
    const document = this.#document;
    for (const number of this.#changed) this.#bodies.set(number, this.#serializeWorkingCopy(number));
    const endsLine = /[\r\n]$/.test(document.file.text(document.file.size - 1, 1));
    const parts: Buffer[] = [endsLine ? Buffer.alloc(0) : Buffer.from('\n')];
    let length = parts[0]?.length ?? 0;
    const bodies = new Map<number, number>();
    const objects: AppendedObject[] = [];
    for (const [number, body] of [...this.#bodies].sort(([first], [second]) => first - second)) {
      const isRewritten = this.#changed.has(number) || this.#replaced.has(number);
      const generation = isRewritten ? document.generationOf(number) : 0;
      const head = Buffer.from(`${number} ${generation} obj\n`);
      const part = Buffer.concat([head, body, Buffer.from('\nendobj\n')]);
      bodies.set(number, length + head.length);
      objects.push({ number, generation, offset: start + length - document.crossReference.base });
      parts.push(part);
      length += part.length;
    }
    const offset = start + length - document.crossReference.base;
    parts.push(section(document, objects, offset, this.#numbers.next, this.#trailer));
    return { bytes: Buffer.concat(parts), bodies };
  }

  #serializeWorkingCopy(number: number): Buffer {
    const value = this.#working.get(number) ?? null;
    if (value instanceof PdfStream) malformed(`object ${number} is a stream where a dictionary belongs`);
    const cipher = this.#document.cipherOf(number, this.#document.generationOf(number));
    return serialize(value, { cipher, keepStored: true });
  }
}

/** The destination of a font's objects: an incremental update, or a new document. */
export type ObjectSink = Pick<IncrementalUpdate, 'allocate' | 'addStream' | 'create'>;
