import { deflateSync } from 'node:zlib';
import { TextSetter, type GlyphRun } from './shape-text.ts';
import { findFace, latinFace, type StampFace } from './stamp-fonts.ts';
import type { TrueTypeFont } from './true-type-font.ts';
import { realNumber } from '../syntax/serialize.ts';
import type { SignatureAppearance } from '../sign-request.ts';
import { PdfName, PdfReference, type PdfDictionary, type PdfValue } from '../syntax/values.ts';
import { unusableAppearance, uprightMatrix, type Placement, type Rotation } from './page-geometry.ts';
import type { ArchiveRules } from './archive-rules.ts';
import { calibratedGrey, embedImage, type EmbeddedImage } from './embed-image.ts';
import { embedGlyphs, type EmbeddedGlyphs } from './embed-font.ts';
import type { ObjectSink } from '../writing/incremental-update.ts';
import { FIRST_BASE_LINE, layoutText, LINE_PITCH } from './stamp-text.ts';
import { NewDocument } from '../writing/new-document.ts';

/** A box of two brackets, because Noto Sans has no square; a question mark would look like a doubt about the name. */
const BOX = '[]';

/** The font of texts without other scripts. */
export const stampFont = (): TrueTypeFont => latinFace().font;

/** Lines of a text: composed where Unicode can compose, with joiners as the only control characters. */
const cleanLines = (text: string): readonly string[] =>
  text
    .normalize('NFC')
    .split(/\r\n|[\n\r\u2028\u2029]/)
    .map((line) => line.replace(/[\t\p{Zs}]/gu, ' ').replace(/[^\P{C}\u200c\u200d]/gu, ''));

const JOINERS = /[\u200c\u200d]/gu;

/**
 * The displayable characters of Noto Sans, as lines, with a box for other characters. PDF/A forbids the glyph for
 * "missing" (ISO 19005-2 §6.2.11.8).
 */
export function showableLines(text: string): readonly string[] {
  const face = stampFont();
  const showable = (character: string): string =>
    face.glyphOf(character.codePointAt(0) ?? 0) === undefined ? BOX : character;
  return cleanLines(text.replace(JOINERS, '')).map((line) => Array.from(line, showable).join(''));
}

/** True for a character that one of the fonts has, and for joiners between such characters. */
const isShown = (character: string, line: string): boolean =>
  character === '\u200c' || character === '\u200d' || findFace(character, line) !== undefined;

/** The displayable characters of all fonts, as lines, with a box for other characters. */
const linesOfAllScripts = (text: string): readonly string[] =>
  cleanLines(text).map((line) => Array.from(line, (one) => (isShown(one, line) ? one : BOX)).join(''));

/** The characters of a text that all fonts lack, each once, in their order. */
function missingCharacters(text: string): string {
  const printed = Array.from(text.normalize('NFC').replace(/[\p{C}\p{Z}]/gu, ''));
  return [...new Set(printed.filter((one) => findFace(one, text) === undefined))].join('');
}

/** A font of a stamp in the document, with the glyphs in it. */
interface StampFontUse {
  readonly name: string;
  readonly font: EmbeddedGlyphs;
  readonly glyphs: ReadonlyMap<number, string>;
}

/** The text of a glyph that shows a part of a character only: a space without width. */
const PART = '\u200b';

type Fonts = ReadonlyMap<StampFace, StampFontUse>;

/** Largest share of the width for the picture beside text. */
const IMAGE_SHARE = 0.4;
const LARGEST_MARGIN = 3;
const MARGIN_SHARE = 0.05;

type Content = Pick<SignatureAppearance, 'text' | 'image'>;

const decimal = (value: number): string => String(Math.round(value * 1000) / 1000);

/** The largest rectangle with the picture's proportions inside `room`, in its middle. */
function fitImage(image: EmbeddedImage, room: Placement): Placement {
  const scale = Math.min(room.width / image.width, room.height / image.height);
  const [width, height] = [image.width * scale, image.height * scale];
  return { x: room.x + (room.width - width) / 2, y: room.y + (room.height - height) / 2, width, height };
}

/** Areas for picture and text: with both, the picture on the left and the text on the right. */
function divide(
  inner: Placement,
  image: EmbeddedImage | undefined,
  hasText: boolean,
): { readonly imageRoom: Placement; readonly textRoom: Placement } {
  if (image === undefined || !hasText) return { imageRoom: inner, textRoom: inner };
  const natural = (inner.height * image.width) / image.height;
  const width = Math.min(natural, inner.width * IMAGE_SHARE);
  const taken = width + Math.min(LARGEST_MARGIN * 2, inner.width * MARGIN_SHARE);
  return {
    imageRoom: { ...inner, width },
    textRoom: { ...inner, x: inner.x + taken, width: inner.width - taken },
  };
}

/** Draws a stamp in the requested sizes. Picture and font go into the update once. */
export class StampPainter {
  readonly #update: ObjectSink;
  readonly #lines: readonly string[];
  readonly #setter: TextSetter;
  readonly #withGlyphSet: boolean;
  #fonts: Fonts = new Map();
  readonly #image: EmbeddedImage | undefined;
  readonly #drawn = new Map<string, PdfReference>();

  /**
   * Throws `PDF_APPEARANCE_INVALID` when there is nothing to draw, or the picture cannot be used. The setter has been
   * opened for the text.
   */
  constructor(update: ObjectSink, rules: ArchiveRules, content: Content, setter: TextSetter) {
    this.#update = update;
    this.missing = missingCharacters(content.text ?? '');
    this.#setter = setter;
    const lines = linesOfAllScripts(content.text ?? '');
    this.#lines = lines.every((line) => line.trim() === '') ? [] : lines;
    if (this.#lines.length === 0 && content.image === undefined) {
      unusableAppearance('A visible signature needs a text or a picture. Give one of them.');
    }
    this.#image = content.image === undefined ? undefined : embedImage(update, content.image, rules);
    this.#withGlyphSet = rules.part === 1;
  }

  /** Characters that are drawn as boxes; empty when the font has all. */
  readonly missing: string;

  /** True when the picture lost its transparency, which the file's standard forbids. */
  get hasFlattened(): boolean {
    return this.#image?.flattened ?? false;
  }

  /**
   * The form XObject for an annotation of this size on a page with this rotation; sizes in user space, as displayed.
   */
  draw(width: number, height: number, rotation: Rotation): PdfReference {
    const key = [width, height].map(decimal).join(' ') + ` ${rotation}`;
    const drawn = this.#drawn.get(key);
    if (drawn !== undefined) return drawn;
    const margin = Math.min(LARGEST_MARGIN, Math.min(width, height) * MARGIN_SHARE);
    const inner = { x: margin, y: margin, width: width - 2 * margin, height: height - 2 * margin };
    const { imageRoom, textRoom } = divide(inner, this.#image, this.#lines.length > 0);
    const parts = ['q'];
    if (this.#image !== undefined) parts.push(this.#imageOperators(fitImage(this.#image, imageRoom)));
    if (this.#lines.length > 0) parts.push(this.#textOperators(textRoom));
    const content = Buffer.from([...parts, 'Q'].join('\n'), 'latin1');
    const number = this.#update.allocate();
    const dictionary: PdfDictionary = new Map<string, PdfValue>([
      ['Type', new PdfName('XObject')],
      ['Subtype', new PdfName('Form')],
      ['BBox', [0, 0, realNumber(width), realNumber(height)]],
      ['Matrix', uprightMatrix(rotation, width, height).map(realNumber)],
      ['Resources', this.#resources()],
      ['Filter', new PdfName('FlateDecode')],
    ]);
    this.#update.addStream(number, dictionary, deflateSync(content));
    const reference = new PdfReference(number, 0);
    this.#drawn.set(key, reference);
    return reference;
  }

  #resources(): PdfDictionary {
    const resources: PdfDictionary = new Map();
    if (this.#lines.length > 0) {
      const fonts = [...this.#fonts.values()].map(({ name, font }) => [name, font.reference] as const);
      resources.set('Font', new Map<string, PdfValue>(fonts));
      resources.set('ColorSpace', new Map<string, PdfValue>([['C1', calibratedGrey()]]));
    }
    if (this.#image !== undefined) {
      resources.set('XObject', new Map<string, PdfValue>([['I1', this.#image.reference]]));
    }
    return resources;
  }

  /**
   * Embeds the glyphs of these lines. A line broken elsewhere may need other forms of letters than the lines of an earlier
   * size; its font is embedded again then.
   */
  #embed(lines: readonly string[]): void {
    const needed = new Map<StampFace, Map<number, string>>();
    for (const { face, glyphs } of [...this.#lines, ...lines].flatMap((line) => this.#setter.set(line))) {
      const known = needed.get(face) ?? new Map<number, string>();
      needed.set(face, known);
      for (const { glyph, text } of glyphs) if (!known.has(glyph)) known.set(glyph, text === '' ? PART : text);
    }
    const fonts = [...needed].map(([face, glyphs], index): [StampFace, StampFontUse] => {
      const known = this.#fonts.get(face);
      if (known !== undefined && [...glyphs.keys()].every((glyph) => known.glyphs.has(glyph))) return [face, known];
      const font = embedGlyphs(this.#update, face.font, glyphs, this.#withGlyphSet);
      return [face, { name: `F${index + 1}`, font, glyphs }];
    });
    this.#fonts = new Map(fonts);
  }

  #imageOperators({ x, y, width, height }: Placement): string {
    return `q ${decimal(width)} 0 0 ${decimal(height)} ${decimal(x)} ${decimal(y)} cm /I1 Do Q`;
  }

  /** The lines in black, in the middle of the height. */
  #textOperators(room: Placement): string {
    const { size, lines } = layoutText((text) => this.#setter.widthOf(text), this.#lines, room);
    this.#embed(lines);
    const pitch = size * LINE_PITCH;
    const top = room.y + room.height - Math.max(0, (room.height - lines.length * pitch) / 2);
    const operators = ['BT', '/C1 cs 0 sc'];
    for (const [index, line] of lines.entries()) {
      let x = room.x;
      for (const run of this.#setter.set(line)) {
        operators.push(...this.#runOperators(run, size, { x, y: top - size * FIRST_BASE_LINE - index * pitch }));
        x += run.width * size;
      }
    }
    return [...operators, 'ET'].join('\n');
  }

  /** A run of glyphs. Where glyphs alone do not tell their characters, the characters are given (§14.9.4). */
  #runOperators({ face, glyphs, isShaped }: GlyphRun, size: number, { x, y }: Pick<Placement, 'x' | 'y'>): string[] {
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

const utf16 = (text: string): string => Buffer.from(`\ufeff${text}`, 'utf16le').swap16().toString('hex');

/** A stamp drawn without a page; sizes are points. */
export type StampDrawing = Pick<SignatureAppearance, 'width' | 'height' | 'text' | 'image'>;

const dictionary = (entries: Readonly<Record<string, PdfValue>>): PdfDictionary => new Map(Object.entries(entries));

/**
 * A PDF with a single page of the stamp's size, drawn by the same painter as a signature's stamp. Free areas are
 * transparent. Throws `PDF_APPEARANCE_INVALID` like signing.
 */
export async function drawStamp({ width, height, ...content }: StampDrawing): Promise<Buffer> {
  if (!(width > 0 && height > 0)) unusableAppearance('A visible signature needs a width and a height above 0.');
  const document = new NewDocument();
  const setter = await TextSetter.open([content.text]);
  const painter = new StampPainter(document, { part: undefined, allowsTransparency: true }, content, setter);
  const form = painter.draw(width, height, 0);
  const contents = document.allocate();
  document.addStream(contents, new Map(), Buffer.from('/S1 Do', 'latin1'));
  const tree = document.allocate();
  const page = document.create(
    dictionary({
      Type: new PdfName('Page'),
      Parent: new PdfReference(tree, 0),
      MediaBox: [0, 0, realNumber(width), realNumber(height)],
      Contents: new PdfReference(contents, 0),
      Resources: dictionary({ XObject: dictionary({ S1: form }) }),
    }),
  );
  document.put(tree, dictionary({ Type: new PdfName('Pages'), Kids: [page], Count: 1 }));
  const root = document.create(dictionary({ Type: new PdfName('Catalog'), Pages: new PdfReference(tree, 0) }));
  return document.finish(dictionary({ Root: root }));
}
