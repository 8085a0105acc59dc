import { deflateSync } from 'node:zlib';
import { realNumber } from '../syntax/serialize.ts';
import type { SignatureAppearance } from '../sign-request.ts';
import { PdfName, PdfReference } from '../syntax/values.ts';
import type { PdfDictionary, PdfValue } from '../syntax/values.ts';
import { unusableAppearance } from './appearance-error.ts';
import type { ArchiveRules } from './archive-rules.ts';
import { calibratedGrey } from './colour-spaces.ts';
import { embedFont } from './embed-font.ts';
import type { ObjectSink } from '../writing/incremental-update.ts';
import type { EmbeddedFont } from './embed-font.ts';
import { embedImage } from './embed-image.ts';
import type { EmbeddedImage } from './embed-image.ts';
import { FIRST_BASE_LINE, layoutText, LINE_PITCH } from './layout-text.ts';
import { uprightMatrix } from './page-geometry.ts';
import type { Placement, Rotation } from './page-geometry.ts';
import { showableLines, stampFont } from './stamp-font.ts';

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

/** Rooms for picture and text: side by side when both are there, the picture on the left. */
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
    const lines = showableLines(content.text ?? '');
    this.#lines = lines.every((line) => line.trim() === '') ? [] : lines;
    if (this.#lines.length === 0 && content.image === undefined) {
      unusableAppearance('A visible signature needs a text or a picture. Give one of them.');
    }
    this.#image = content.image === undefined ? undefined : embedImage(update, content.image, rules);
    const codePoints = Array.from(this.#lines.join(''), (character) => character.codePointAt(0) ?? 0);
    this.#font = this.#lines.length === 0 ? undefined : embedFont(update, stampFont(), codePoints, rules.part === 1);
  }

  /** The form XObject for an annotation of this size on a page turned like this; sizes in user space, as shown. */
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
