/** Texts of any script in a document: their displayable lines, their fonts, and the operators that draw them. */
import type { ObjectSink } from '../writing/incremental-update.ts';
import { type PdfDictionary, type PdfValue } from '../syntax/values.ts';
import { embedGlyphs, type EmbeddedGlyphs } from './embed-font.ts';
import type { TextSetter, GlyphRun } from './shape-text.ts';
import { findFace, type StampFace } from './stamp-fonts.ts';

/** A box of two brackets, because Noto Sans has no square; a question mark would look like a doubt about the name. */
const BOX = '[]';

/** Lines of a text: composed where Unicode can compose, with joiners as the only control characters. */
const cleanLines = (text: string): readonly string[] =>
  text
    .normalize('NFC')
    .split(/\r\n|[\n\r\u2028\u2029]/)
    .map((line) => line.replace(/[\t\p{Zs}]/gu, ' ').replace(/[^\P{C}\u200c\u200d]/gu, ''));

/** True for a character that one of the fonts has, and for joiners between such characters. */
const isShown = (character: string, line: string): boolean =>
  character === '\u200c' || character === '\u200d' || findFace(character, line) !== undefined;

/**
 * The displayable characters of all fonts, as lines, with a box for other characters. PDF/A forbids the glyph for
 * "missing" (ISO 19005-2 §6.2.11.8).
 */
export const showableLines = (text: string): readonly string[] =>
  cleanLines(text).map((line) => Array.from(line, (one) => (isShown(one, line) ? one : BOX)).join(''));

/** The characters of a text that all fonts lack, each once, in their order. */
export function missingCharacters(text: string): string {
  const printed = Array.from(text.normalize('NFC').replace(/[\p{C}\p{Z}]/gu, ''));
  return [...new Set(printed.filter((one) => findFace(one, text) === undefined))].join('');
}

/** A font in the document, with the glyphs in it. */
interface FontUse {
  readonly name: string;
  readonly font: EmbeddedGlyphs;
  readonly glyphs: ReadonlyMap<number, string>;
}

/** The text of a glyph that shows a part of a character only: a space without width. */
const PART = '\u200b';

/** Where a line begins: the left end of its base line, in points. */
interface LineStart {
  readonly x: number;
  readonly y: number;
}

const decimal = (value: number): string => String(Math.round(value * 1000) / 1000);
const utf16 = (text: string): string => Buffer.from(`\ufeff${text}`, 'utf16le').swap16().toString('hex');

/** Draws lines of any script with fonts that hold no more than the glyphs of these lines. */
export class ScriptText {
  readonly #sink: ObjectSink;
  readonly #setter: TextSetter;
  readonly #withGlyphSet: boolean;
  #fonts: ReadonlyMap<StampFace, FontUse> = new Map();

  /**
   * @param setter opened for the texts
   * @param withGlyphSet PDF/A-1 demands a CIDSet (ISO 19005-1 §6.3.5)
   */
  constructor(sink: ObjectSink, setter: TextSetter, withGlyphSet: boolean) {
    this.#sink = sink;
    this.#setter = setter;
    this.#withGlyphSet = withGlyphSet;
  }

  /** The width of a line in font sizes. */
  widthOf(line: string): number {
    return this.#setter.widthOf(line);
  }

  /** The embedded fonts as an entry `Font` of resources. */
  get fontResources(): PdfDictionary {
    const fonts = [...this.#fonts.values()].map(({ name, font }) => [name, font.reference] as const);
    return new Map<string, PdfValue>(fonts);
  }

  /**
   * Embeds the glyphs of these lines. A line broken elsewhere may need other forms of letters than earlier lines; its font
   * is embedded again then.
   */
  embed(lines: Iterable<string>): void {
    const needed = new Map<StampFace, Map<number, string>>();
    for (const line of new Set(lines)) {
      for (const { face, glyphs } of this.#setter.set(line)) {
        const known = needed.get(face) ?? new Map<number, string>();
        needed.set(face, known);
        for (const { glyph, text } of glyphs) if (!known.has(glyph)) known.set(glyph, text === '' ? PART : text);
      }
    }
    const fonts = [...needed].map(([face, glyphs], index): [StampFace, FontUse] => {
      const known = this.#fonts.get(face);
      if (known !== undefined && [...glyphs.keys()].every((glyph) => known.glyphs.has(glyph))) return [face, known];
      const font = embedGlyphs(this.#sink, face.font, glyphs, this.#withGlyphSet);
      return [face, { name: `F${index + 1}`, font, glyphs }];
    });
    this.#fonts = new Map(fonts);
  }

  /** The text operators of an embedded line (ISO 32000-2 §9.4), between `BT` and `ET`. */
  lineOperators(line: string, size: number, start: LineStart): readonly string[] {
    const operators: string[] = [];
    let { x } = start;
    for (const run of this.#setter.set(line)) {
      operators.push(...this.#runOperators(run, size, { x, y: start.y }));
      x += run.width * size;
    }
    return operators;
  }

  /** A run of glyphs. Where glyphs alone do not tell their characters, the characters are given (§14.9.4). */
  #runOperators({ face, glyphs, isShaped }: GlyphRun, size: number, { x, y }: LineStart): string[] {
    const use = this.#fonts.get(face);
    if (use === undefined || glyphs.length === 0) return [];
    const at = (left: number, up: number): string => `1 0 0 1 ${decimal(left)} ${decimal(up)} Tm`;
    const font = `/${use.name} ${decimal(size)} Tf`;
    if (!isShaped) return [font, at(x, y), `${use.font.encode(glyphs.map(({ glyph }) => glyph))} Tj`];
    const operators = [font];
    let isOpen = false;
    for (const [index, { glyph, text, x: left, y: up }] of glyphs.entries()) {
      const next = glyphs[index + 1]?.text;
      const isSpoken = text !== '' && (next === '' || use.glyphs.get(glyph) !== text);
      if (isSpoken) operators.push(`/Span <</ActualText <${utf16(text)}>>> BDC`);
      isOpen ||= isSpoken;
      operators.push(`${at(x + left * size, y + up * size)} ${use.font.encode([glyph])} Tj`);
      if (!isOpen || next === '') continue;
      operators.push('EMC');
      isOpen = false;
    }
    return operators;
  }
}
