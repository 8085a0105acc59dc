import { deflateSync } from 'node:zlib';
import { missingCharacters, ScriptText, showableLines } from './script-text.ts';
import { TextSetter } from './shape-text.ts';
import { realNumber } from '../syntax/serialize.ts';
import type { SignatureAppearance } from '../sign-request.ts';
import { PdfName, PdfReference, type PdfDictionary, type PdfValue } from '../syntax/values.ts';
import { unusableAppearance, uprightMatrix, type Placement, type Rotation } from './page-geometry.ts';
import type { ArchiveRules } from './archive-rules.ts';
import { calibratedGrey, embedImage, type EmbeddedImage } from './embed-image.ts';
import { codeOperators } from './scan-code.ts';
import type { ObjectSink } from '../writing/incremental-update.ts';
import { FIRST_BASE_LINE, layoutText, layoutTitled, LINE_PITCH, type SizedLine } from './stamp-text.ts';
import { NewDocument } from '../writing/new-document.ts';

/** Largest share of the width for the picture beside text. */
const IMAGE_SHARE = 0.4;
const LARGEST_MARGIN = 3;
const MARGIN_SHARE = 0.05;

/** The frame: the width of its line in points, its grey, and the distance of the contents. */
const FRAME_LINE = 0.6;
const FRAME_GREY = 0.62;
const FRAME_PADDING = 6;
/** The grey of all lines but the title. */
const BODY_GREY = 0.22;
/** Largest share of the width for the code to scan, and its distance from the text in points. */
const CODE_SHARE = 0.34;
const CODE_DISTANCE = 6;

type Content = Pick<SignatureAppearance, 'text' | 'image' | 'title' | 'framed' | 'code'>;

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
  readonly #content: Content;
  readonly #grey: PdfValue;
  readonly #drawn = new Map<string, PdfReference>();

  /**
   * Throws `PDF_APPEARANCE_INVALID` when there is nothing to draw, or the picture cannot be used. The setter has been
   * opened for the text.
   */
  constructor(update: ObjectSink, rules: ArchiveRules, content: Content, setter: TextSetter) {
    this.#update = update;
    this.#content = content;
    // Some programs draw the white of a calibrated space as cream. A PDF/A without a colour space of its own needs one.
    this.#grey = rules.part === undefined || rules.allowsTransparency ? new PdfName('DeviceGray') : calibratedGrey();
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
    const { framed = false, code } = this.#content;
    const least = Math.min(width, height);
    const margin = framed ? Math.min(FRAME_PADDING, least * 0.1) : Math.min(LARGEST_MARGIN, least * MARGIN_SHARE);
    const whole = { x: margin, y: margin, width: width - 2 * margin, height: height - 2 * margin };
    const { inner, codeRoom } = besideCode(whole, code !== undefined);
    const { imageRoom, textRoom } = divide(inner, this.#image, this.#lines.length > 0);
    const parts = ['q'];
    if (framed) parts.push(frameOperators(width, height));
    if (code !== undefined) parts.push('/C1 cs 0 sc', codeOperators(code, codeRoom));
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
    const { framed = false, code } = this.#content;
    if (this.#lines.length > 0) resources.set('Font', this.#text.fontResources);
    if (this.#lines.length > 0 || framed || code !== undefined) {
      resources.set('ColorSpace', new Map<string, PdfValue>([['C1', this.#grey]]));
    }
    if (this.#image !== undefined) {
      resources.set('XObject', new Map<string, PdfValue>([['I1', this.#image.reference]]));
    }
    return resources;
  }

  #imageOperators({ x, y, width, height }: Placement): string {
    return `q ${decimal(width)} 0 0 ${decimal(height)} ${decimal(x)} ${decimal(y)} cm /I1 Do Q`;
  }

  /** The lines in the middle of the height: the title in black, and the lines around it in dark grey. */
  #textOperators(room: Placement): string {
    const lines = this.#layOut(room);
    this.#text.embed([...this.#lines, ...lines.map(({ text }) => text)]);
    const height = lines.reduce((sum, { size }) => sum + size * LINE_PITCH, 0);
    let top = room.y + room.height - Math.max(0, (room.height - height) / 2);
    const hasTitle = lines.some(({ isTitle }) => isTitle);
    const operators = ['BT', '/C1 cs'];
    for (const { text, size, isTitle } of lines) {
      const start = { x: room.x, y: top - size * FIRST_BASE_LINE };
      operators.push(`${hasTitle && !isTitle ? BODY_GREY : 0} sc`, ...this.#text.lineOperators(text, size, start));
      top -= size * LINE_PITCH;
    }
    return [...operators, 'ET'].join('\n');
  }

  #layOut(room: Placement): readonly SizedLine[] {
    const measure = (text: string): number => this.#text.widthOf(text);
    const [title] = showableLines(this.#content.title ?? '');
    if (title !== undefined && title !== '' && this.#lines.includes(title)) {
      return layoutTitled(measure, this.#lines, title, room);
    }
    const { size, lines } = layoutText(measure, this.#lines, room);
    return lines.map((text) => ({ text, size, isTitle: false }));
  }
}

/** The contents at the left, and a square for the code to scan at the right. */
function besideCode(whole: Placement, hasCode: boolean): { readonly inner: Placement; readonly codeRoom: Placement } {
  if (!hasCode) return { inner: whole, codeRoom: whole };
  const side = Math.min(whole.height, whole.width * CODE_SHARE);
  const codeRoom = {
    x: whole.x + whole.width - side,
    y: whole.y + (whole.height - side) / 2,
    width: side,
    height: side,
  };
  return { inner: { ...whole, width: Math.max(1, whole.width - side - CODE_DISTANCE) }, codeRoom };
}

/** A white ground, and a thin line inside its edge. */
function frameOperators(width: number, height: number): string {
  const half = FRAME_LINE / 2;
  const box = [half, half, width - FRAME_LINE, height - FRAME_LINE].map(decimal).join(' ');
  return `/C1 cs 1 sc 0 0 ${decimal(width)} ${decimal(height)} re f /C1 CS ${FRAME_GREY} SC ${FRAME_LINE} w ${box} re S`;
}

/** A stamp drawn without a page; sizes are points. */
export type StampDrawing = Pick<SignatureAppearance, 'width' | 'height'> & Content;

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
