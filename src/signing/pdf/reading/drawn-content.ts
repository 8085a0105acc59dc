import { nameOf, PdfStream, type PdfReference, type PdfValue } from '../syntax/values.ts';
import { readDrawingSyntax } from './drawing-syntax.ts';
import type { PdfDocument } from './pdf-document.ts';

/** Limit on the decoded instructions that are read, in bytes. */
const MOST_INSTRUCTIONS = 256 * 1024 * 1024;

/** A dictionary of a document, and the reference to its stream. */
interface Place {
  readonly dictionary: ReadonlyMap<string, PdfValue>;
  /** Undefined for a dictionary that is not a stream's. */
  readonly stream: PdfReference | undefined;
}

/** Reads the instructions of everything in a document that is drawn. */
export class DrawnContent {
  readonly #document: PdfDocument;
  /** Graphics states that instructions set, and those with overprint, by name. */
  readonly #states = new Set<string>();
  readonly #overprinting = new Set<string>();
  #hasInks = false;
  #read = 0;

  constructor(document: PdfDocument) {
    this.#document = document;
  }

  /** True when instructions use inks while a graphics state with overprint is set (ISO 32000-2 §8.6.7). */
  get overprints(): boolean {
    return this.#hasInks && [...this.#states].some((name) => this.#overprinting.has(name));
  }

  /** True when more instructions were left out than programs draw in reasonable time. */
  get isTooLong(): boolean {
    return this.#read > MOST_INSTRUCTIONS;
  }

  /**
   * True when programs read the instructions of a page, a form, a pattern or a font in different ways. Throws
   * `PDF_MALFORMED` or `PDF_UNSUPPORTED` when the data cannot be decoded.
   */
  isBroken(place: Place): boolean {
    this.#noteStates(place.dictionary);
    return this.#drawnIn(place).some((parts) => {
      if (this.isTooLong) return false;
      const data = Buffer.concat(
        parts.flatMap((part) => [this.#document.readStream(part) ?? Buffer.alloc(0), LINE_END]),
      );
      this.#read += data.length;
      const { isSound, states, hasInks } = readDrawingSyntax(data);
      for (const state of states) this.#states.add(state);
      this.#hasInks ||= hasInks;
      return !isSound;
    });
  }

  /** The streams of instructions in a place. The parts of a page are one text (ISO 32000-2 §7.8.2). */
  #drawnIn({ dictionary, stream }: Place): readonly (readonly PdfValue[])[] {
    const value = (key: string): PdfValue => this.#document.resolve(dictionary.get(key));
    if (stream !== undefined) {
      const isDrawn = nameOf(value('Subtype')) === 'Form' || value('PatternType') === 1;
      return isDrawn ? [[stream]] : [];
    }
    if (nameOf(value('Type')) === 'Page') {
      const contents = value('Contents');
      if (contents instanceof PdfStream) return [[dictionary.get('Contents') ?? null]];
      return Array.isArray(contents) ? [contents] : [];
    }
    const glyphs = nameOf(value('Subtype')) === 'Type3' ? value('CharProcs') : null;
    return glyphs instanceof Map ? [...glyphs.values()].map((glyph) => [glyph]) : [];
  }

  /** Notes the graphics states with overprint among the resources of a page or form. */
  #noteStates(dictionary: ReadonlyMap<string, PdfValue>): void {
    const states = this.#document.resolve(dictionary.get('ExtGState'));
    if (!(states instanceof Map)) return;
    for (const [name, value] of states) {
      const state = this.#document.resolve(value);
      if (!(state instanceof Map)) continue;
      const isSet = (key: string): boolean => this.#document.resolve(state.get(key)) === true;
      if (isSet('OP') || isSet('op')) this.#overprinting.add(name);
    }
  }
}

/** Between the parts of a page. */
const LINE_END = Buffer.from('\n');
