/**
 * Sets texts of any script: the order of the Unicode Bidirectional Algorithm (UAX 9), and the forms and places of letters
 * by HarfBuzz.
 */
import type { Bidi } from 'bidi-js';
import type * as HarfBuzz from 'harfbuzzjs';
import { widthOf } from './stamp-text.ts';
import { findFace, hasGlyph, latinFace, needsShaping, type StampFace } from './stamp-fonts.ts';

/** A glyph of a line. Lengths are in font sizes, from the start of the run. */
export interface PlacedGlyph {
  readonly glyph: number;
  /** The characters that the glyph shows; empty for a further glyph of the same characters. */
  readonly text: string;
  readonly x: number;
  readonly y: number;
}

/** Neighbouring glyphs of a single font. */
export interface GlyphRun {
  readonly face: StampFace;
  /** In the order of the characters. */
  readonly glyphs: readonly PlacedGlyph[];
  readonly width: number;
  /** True when the glyphs do not follow each other by their widths alone. */
  readonly isShaped: boolean;
}

interface Item {
  readonly face: StampFace;
  readonly level: number;
  readonly text: string;
}

const plainItems = (text: string): readonly Item[] => (text === '' ? [] : [{ face: latinFace(), level: 0, text }]);

/** Joiners, which only a shaper understands. */
const JOINERS = /[\u200c\u200d]/gu;
const COMBINING = /[\p{M}\u200c\u200d]/u;

/** The parts of the libraries in use, loaded when a text needs them. */
interface Means {
  readonly hb: typeof HarfBuzz;
  readonly levelsOf: (text: string) => Uint8Array;
  readonly mirrored: (character: string) => string;
}

let means: Means | undefined;

async function loadMeans(): Promise<Means> {
  const [hb, library] = await Promise.all([import('harfbuzzjs'), import('bidi-js')]);
  // The types of the package describe an ES module, and Node loads its CommonJS file.
  const bidi = (library.default as unknown as () => Bidi)();
  return {
    hb,
    levelsOf: (text) => bidi.getEmbeddingLevels(text).levels,
    mirrored: (character) => bidi.getMirroredCharacter(character) ?? character,
  };
}

/** Characters that Noto Sans shows one by one: Latin letters and common signs. Lines of these need no fonts but one. */
const PLAIN = /^[ -~\u00a0-\u024f]*$/;

/** Sets the lines of a stamp or a report. */
export class TextSetter {
  readonly #means: Means | undefined;
  readonly #fonts = new Map<StampFace, HarfBuzz.Font>();
  readonly #known = new Map<string, readonly GlyphRun[]>();

  private constructor(loaded: Means | undefined) {
    this.#means = loaded;
  }

  /** Reads the libraries that the texts need. */
  static async open(texts: readonly (string | undefined)[]): Promise<TextSetter> {
    if (!texts.some((text) => text !== undefined && needsShaping(text))) return new TextSetter(undefined);
    means ??= await loadMeans();
    return new TextSetter(means);
  }

  /** The runs of a line, from left to right. */
  set(line: string): readonly GlyphRun[] {
    const known = this.#known.get(line);
    if (known !== undefined) return known;
    const items = PLAIN.test(line) ? plainItems(line) : this.#inOrder(this.#itemsOf(line));
    const runs = items.map((item) => this.#setItem(item));
    // Reports have many lines, and only the forms of letters take long to find.
    if (runs.some(({ isShaped }) => isShaped)) this.#known.set(line, runs);
    return runs;
  }

  /** The width of a line in font sizes. */
  widthOf(line: string): number {
    if (PLAIN.test(line)) return widthOf(latinFace().font, line);
    return this.set(line).reduce((sum, run) => sum + run.width, 0);
  }

  /** Parts of a single font and direction. Characters of no script, such as digits and marks, follow their neighbour. */
  #itemsOf(line: string): readonly Item[] {
    const levels = this.#means?.levelsOf(line);
    const items: { face: StampFace; level: number; text: string }[] = [];
    let index = 0;
    for (const character of line) {
      const level = levels?.[index] ?? 0;
      index += character.length;
      const last = items.at(-1);
      const isMark = last !== undefined && COMBINING.test(character) && hasGlyph(last.face, character);
      const face = isMark ? last.face : (findFace(character, line) ?? latinFace());
      if (last !== undefined && last.face === face && (last.level === level || isMark)) last.text += character;
      else items.push({ face, level, text: character });
    }
    return items;
  }

  /** The order on the page (UAX 9, rule L2): from the highest level on, neighbours of this level are turned around. */
  #inOrder(items: readonly Item[]): readonly Item[] {
    let ordered = [...items];
    const highest = Math.max(0, ...items.map(({ level }) => level));
    for (let level = highest; level > 0; level -= 1) {
      const next: Item[] = [];
      let group: Item[] = [];
      for (const item of ordered) {
        if (item.level >= level) {
          group.push(item);
          continue;
        }
        next.push(...group.reverse(), item);
        group = [];
      }
      ordered = [...next, ...group.reverse()];
    }
    return ordered;
  }

  #setItem(item: Item): GlyphRun {
    const { face, level, text } = item;
    if (face.shaped !== undefined && this.#means !== undefined) return this.#shape(this.#means.hb, item);
    const isBackwards = level % 2 === 1;
    const characters = Array.from(text.replace(JOINERS, ''));
    const shown = isBackwards ? characters.reverse() : characters;
    let width = 0;
    const glyphs = shown.map((character): PlacedGlyph => {
      const drawn = isBackwards ? (this.#means?.mirrored(character) ?? character) : character;
      const glyph = face.font.glyphOf(drawn.codePointAt(0) ?? 0) ?? 0;
      const x = width;
      width += face.font.advanceOf(glyph) / face.font.unitsPerEm;
      return { glyph, text: character, x, y: 0 };
    });
    return { face, glyphs: isBackwards ? glyphs.reverse() : glyphs, width, isShaped: isBackwards };
  }

  #fontOf(hb: typeof HarfBuzz, face: StampFace): HarfBuzz.Font {
    const known = this.#fonts.get(face);
    if (known !== undefined) return known;
    const file = new Uint8Array(face.shaped ?? []);
    const font = new hb.Font(new hb.Face(new hb.Blob(file.buffer)));
    this.#fonts.set(face, font);
    return font;
  }

  #shape(hb: typeof HarfBuzz, { face, level, text }: Item): GlyphRun {
    const buffer = new hb.Buffer();
    buffer.addText(text);
    buffer.guessSegmentProperties();
    buffer.setDirection(level % 2 === 1 ? hb.Direction.RTL : hb.Direction.LTR);
    hb.shape(this.#fontOf(hb, face), buffer);
    const [infos, positions] = [buffer.getGlyphInfos(), buffer.getGlyphPositions()];
    const starts = [...new Set(infos.map(({ cluster }) => cluster)), text.length].sort((one, other) => one - other);
    const seen = new Set<number>();
    const unit = face.font.unitsPerEm;
    let width = 0;
    const glyphs = infos.map(({ codepoint: glyph, cluster }, index): PlacedGlyph & { readonly cluster: number } => {
      const { xAdvance = 0, xOffset = 0, yOffset = 0 } = positions[index] ?? {};
      const characters = text.slice(cluster, starts[starts.indexOf(cluster) + 1]);
      const placed = { glyph, cluster, text: seen.has(cluster) ? '' : characters, y: yOffset / unit };
      seen.add(cluster);
      const x = width + xOffset / unit;
      width += xAdvance / unit;
      return { ...placed, x };
    });
    glyphs.sort((one, other) => one.cluster - other.cluster);
    return { face, glyphs, width, isShaped: true };
  }
}
