import { deflateSync } from 'node:zlib';
import { missingCharacters, ScriptText, showableLines } from './script-text.ts';
import { TextSetter } from './shape-text.ts';
import { realNumber } from '../syntax/serialize.ts';
import type { SignatureAppearance } from '../sign-request.ts';
import { PdfName, PdfReference, type PdfDictionary, type PdfValue } from '../syntax/values.ts';
import { unusableAppearance, uprightMatrix, type Placement, type Rotation } from './page-geometry.ts';
import type { ArchiveRules } from './archive-rules.ts';
import { calibratedGrey, embedImage, type EmbeddedImage } from './embed-image.ts';
import type { ObjectSink } from '../writing/incremental-update.ts';
import { FIRST_BASE_LINE, layoutText, LINE_PITCH } from './stamp-text.ts';
import { NewDocument } from '../writing/new-document.ts';

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
  readonly #text: ScriptText;
  readonly #image: EmbeddedImage | undefined;
  readonly #drawn = new Map<string, PdfReference>();

  /**
   * Throws `PDF_APPEARANCE_INVALID` when there is nothing to draw, or the picture cannot be used. The setter has been
   * opened for the text.
   */
  constructor(update: ObjectSink, rules: ArchiveRules, content: Content, setter: TextSetter) {
    this.#update = update;
    this.missing = missingCharacters(content.text ?? '');
    const lines = showableLines(content.text ?? '');
    this.#lines = lines.every((line) => line.trim() === '') ? [] : lines;
    if (this.#lines.length === 0 && content.image === undefined) {
      unusableAppearance('A visible signature needs a text or a picture. Give one of them.');
    }
    this.#image = content.image === undefined ? undefined : embedImage(update, content.image, rules);
    this.#text = new ScriptText(update, setter, rules.part === 1);
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
      resources.set('Font', this.#text.fontResources);
      resources.set('ColorSpace', new Map<string, PdfValue>([['C1', calibratedGrey()]]));
    }
    if (this.#image !== undefined) {
      resources.set('XObject', new Map<string, PdfValue>([['I1', this.#image.reference]]));
    }
    return resources;
  }

  #imageOperators({ x, y, width, height }: Placement): string {
    return `q ${decimal(width)} 0 0 ${decimal(height)} ${decimal(x)} ${decimal(y)} cm /I1 Do Q`;
  }

  /** The lines in black, in the middle of the height. */
  #textOperators(room: Placement): string {
    const { size, lines } = layoutText((text) => this.#text.widthOf(text), this.#lines, room);
    this.#text.embed([...this.#lines, ...lines]);
    const pitch = size * LINE_PITCH;
    const top = room.y + room.height - Math.max(0, (room.height - lines.length * pitch) / 2);
    const operators = ['BT', '/C1 cs 0 sc'];
    for (const [index, line] of lines.entries()) {
      const start = { x: room.x, y: top - size * FIRST_BASE_LINE - index * pitch };
      operators.push(...this.#text.lineOperators(line, size, start));
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
