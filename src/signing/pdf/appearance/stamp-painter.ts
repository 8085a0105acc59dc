import { readFileSync } from 'node:fs';
import { deflateSync } from 'node:zlib';
import { TrueTypeFont } from './true-type-font.ts';
import { realNumber } from '../syntax/serialize.ts';
import type { SignatureAppearance } from '../sign-request.ts';
import { PdfName, PdfReference, type PdfDictionary, type PdfValue } from '../syntax/values.ts';
import { unusableAppearance, uprightMatrix, type Placement, type Rotation } from './page-geometry.ts';
import type { ArchiveRules } from './archive-rules.ts';
import { calibratedGrey, embedImage, type EmbeddedImage } from './embed-image.ts';
import { embedFont, type EmbeddedFont } from './embed-font.ts';
import type { ObjectSink } from '../writing/incremental-update.ts';
import { FIRST_BASE_LINE, layoutText, LINE_PITCH } from './stamp-text.ts';
import { NewDocument } from '../writing/new-document.ts';

const FONT_FILE = new URL('../../../../assets/fonts/NotoSans-Regular.ttf', import.meta.url);
/** A box of two brackets, because Noto Sans has no square; a question mark would look like a doubt about the name. */
const BOX = '[]';

let font: TrueTypeFont | undefined;

/** The font of all stamps: Noto Sans (SIL Open Font License 1.1), read once. */
export function stampFont(): TrueTypeFont {
  font ??= new TrueTypeFont(readFileSync(FONT_FILE), 'NotoSans-Regular');
  return font;
}

/**
 * The displayable characters, as lines: composed where Unicode can compose, without control characters, and with a box
 * for characters outside of the font. PDF/A forbids the glyph for "missing" (ISO 19005-2 §6.2.11.8).
 */
export function showableLines(text: string): readonly string[] {
  const face = stampFont();
  const showable = (character: string): string => {
    return face.glyphOf(character.codePointAt(0) ?? 0) === undefined ? BOX : character;
  };
  return text
    .normalize('NFC')
    .split(/\r\n|[\n\r\u2028\u2029]/)
    .map((line) => line.replace(/[\t\p{Zs}]/gu, ' ').replace(/\p{C}/gu, ''))
    .map((line) => Array.from(line, showable).join(''));
}

/** The characters of a text that the font lacks, each once, in their order. */
export function missingCharacters(text: string): string {
  const face = stampFont();
  const printed = Array.from(text.normalize('NFC').replace(/[\p{C}\p{Z}]/gu, ''));
  return [...new Set(printed.filter((one) => face.glyphOf(one.codePointAt(0) ?? 0) === undefined))].join('');
}

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
  readonly #font: EmbeddedFont | undefined;
  readonly #image: EmbeddedImage | undefined;
  readonly #drawn = new Map<string, PdfReference>();

  /** Throws `PDF_APPEARANCE_INVALID` when there is nothing to draw, or the picture cannot be used. */
  constructor(update: ObjectSink, rules: ArchiveRules, content: Content) {
    this.#update = update;
    this.missing = missingCharacters(content.text ?? '');
    const lines = showableLines(content.text ?? '');
    this.#lines = lines.every((line) => line.trim() === '') ? [] : lines;
    if (this.#lines.length === 0 && content.image === undefined) {
      unusableAppearance('A visible signature needs a text or a picture. Give one of them.');
    }
    this.#image = content.image === undefined ? undefined : embedImage(update, content.image, rules);
    const codePoints = Array.from(this.#lines.join(''), (character) => character.codePointAt(0) ?? 0);
    this.#font = this.#lines.length === 0 ? undefined : embedFont(update, stampFont(), codePoints, rules.part === 1);
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
    const number = this.#update.allocate();
    const dictionary: PdfDictionary = new Map<string, PdfValue>([
      ['Type', new PdfName('XObject')],
      ['Subtype', new PdfName('Form')],
      ['BBox', [0, 0, realNumber(width), realNumber(height)]],
      ['Matrix', uprightMatrix(rotation, width, height).map(realNumber)],
      ['Resources', this.#resources()],
      ['Filter', new PdfName('FlateDecode')],
    ]);
    this.#update.addStream(number, dictionary, deflateSync(this.#content(width, height)));
    const reference = new PdfReference(number, 0);
    this.#drawn.set(key, reference);
    return reference;
  }

  #resources(): PdfDictionary {
    const resources: PdfDictionary = new Map();
    if (this.#font !== undefined) {
      resources.set('Font', new Map<string, PdfValue>([['F1', this.#font.reference]]));
      resources.set('ColorSpace', new Map<string, PdfValue>([['C1', calibratedGrey()]]));
    }
    if (this.#image !== undefined) {
      resources.set('XObject', new Map<string, PdfValue>([['I1', this.#image.reference]]));
    }
    return resources;
  }

  #content(width: number, height: number): Buffer {
    const margin = Math.min(LARGEST_MARGIN, Math.min(width, height) * MARGIN_SHARE);
    const inner = { x: margin, y: margin, width: width - 2 * margin, height: height - 2 * margin };
    const { imageRoom, textRoom } = divide(inner, this.#image, this.#lines.length > 0);
    const parts = ['q'];
    if (this.#image !== undefined) parts.push(this.#imageOperators(fitImage(this.#image, imageRoom)));
    if (this.#font !== undefined) parts.push(this.#textOperators(this.#font, textRoom));
    return Buffer.from([...parts, 'Q'].join('\n'), 'latin1');
  }

  #imageOperators({ x, y, width, height }: Placement): string {
    return `q ${decimal(width)} 0 0 ${decimal(height)} ${decimal(x)} ${decimal(y)} cm /I1 Do Q`;
  }

  /** The lines in black, in the middle of the height. */
  #textOperators(font: EmbeddedFont, room: Placement): string {
    const { size, lines } = layoutText(stampFont(), this.#lines, room);
    const pitch = size * LINE_PITCH;
    const top = room.y + room.height - Math.max(0, (room.height - lines.length * pitch) / 2);
    const operators = ['BT', `/F1 ${decimal(size)} Tf`, '/C1 cs 0 sc', `${decimal(pitch)} TL`];
    operators.push(`${decimal(room.x)} ${decimal(top - size * FIRST_BASE_LINE)} Td`);
    for (const [index, line] of lines.entries()) {
      if (index > 0) operators.push('T*');
      if (line !== '') operators.push(`${font.encode(line)} Tj`);
    }
    return [...operators, 'ET'].join('\n');
  }
}

/** A stamp drawn without a page; sizes are points. */
export type StampDrawing = Pick<SignatureAppearance, 'width' | 'height' | 'text' | 'image'>;

const dictionary = (entries: Readonly<Record<string, PdfValue>>): PdfDictionary => new Map(Object.entries(entries));

/**
 * A PDF with a single page of the stamp's size, drawn by the same painter as a signature's stamp. Free areas are
 * transparent. Throws `PDF_APPEARANCE_INVALID` like signing.
 */
export function drawStamp({ width, height, ...content }: StampDrawing): Buffer {
  if (!(width > 0 && height > 0)) unusableAppearance('A visible signature needs a width and a height above 0.');
  const document = new NewDocument();
  const painter = new StampPainter(document, { part: undefined, allowsTransparency: true }, content);
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
