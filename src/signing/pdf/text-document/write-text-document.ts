/** Writes a PDF of running text on A4 pages, with the glyphs of its fonts embedded: names of any script are shown. */
import { deflateSync } from 'node:zlib';
import { ScriptText, showableLines } from '../appearance/script-text.ts';
import { TextSetter } from '../appearance/shape-text.ts';
import { wrap } from '../appearance/stamp-text.ts';
import { plainString, realNumber } from '../syntax/serialize.ts';
import { encodeTextString, formatDate } from '../syntax/text-string.ts';
import { PdfName, PdfReference } from '../syntax/values.ts';
import type { PdfDictionary, PdfValue } from '../syntax/values.ts';
import { NewDocument } from '../writing/new-document.ts';

/** A paragraph in a single style. Lengths are in points. */
export interface TextBlock {
  readonly text: string;
  readonly size: number;
  readonly bold?: boolean;
  readonly indent?: number;
  readonly spaceBefore?: number;
  /** Red, green and blue from 0 to 1; black when absent. */
  readonly colour?: readonly [number, number, number];
  /** An address opened by a click on the paragraph. */
  readonly link?: string;
}

/** The contents of a text document. */
export interface TextDocument {
  readonly title: string;
  /** BCP 47 language tag, for screen readers. */
  readonly language: string;
  readonly created: Date;
  readonly blocks: readonly TextBlock[];
  /** At the foot of each page, before the page's number. */
  readonly footer: string;
}

interface PlacedLine {
  readonly block: TextBlock;
  readonly text: string;
  readonly x: number;
  readonly y: number;
}

const PAGE = { width: 595.28, height: 841.89, margin: 54 } as const;
const FOOTER_SIZE = 8;
const LINE_HEIGHT = 1.35;
const BLACK = [0, 0, 0] as const;
/** The font has a single weight; a stroke of this share of the size around each glyph makes bold text. */
const BOLD_STROKE = 0.035;

/** Writes PDF 1.7 without external resources. */
export async function writeTextDocument(text: TextDocument): Promise<Buffer> {
  const document = new NewDocument();
  const setter = await TextSetter.open([text.footer, ...text.blocks.map((block) => block.text)]);
  const font = new ScriptText(document, setter, false);
  const pages = placeLines(text.blocks, font);
  const footers = pages.map((_, index) => `${text.footer} · ${index + 1}/${pages.length}`);
  font.embed([...pages.flat().map((line) => line.text), ...footers.flatMap(showableLines)]);
  const tree = document.allocate();
  const parent = new PdfReference(tree, 0);
  const kids = pages.map((lines, index) => addPage(document, { lines, footer: footers[index] ?? '', font, parent }));
  document.put(
    tree,
    dictionary({
      Type: new PdfName('Pages'),
      Kids: kids,
      Count: kids.length,
      MediaBox: [0, 0, PAGE.width, PAGE.height].map(realNumber),
    }),
  );
  const root = document.create(
    dictionary({
      Type: new PdfName('Catalog'),
      Pages: parent,
      Lang: plainString(Buffer.from(text.language)),
      ViewerPreferences: dictionary({ DisplayDocTitle: true }),
    }),
  );
  const about = document.create(
    dictionary({
      Title: plainString(encodeTextString(text.title)),
      Producer: plainString(Buffer.from('Sinete')),
      CreationDate: plainString(Buffer.from(formatDate(text.created))),
    }),
  );
  return document.finish(dictionary({ Root: root, Info: about }));
}

const dictionary = (entries: Readonly<Record<string, PdfValue>>): PdfDictionary => new Map(Object.entries(entries));

/** Breaks paragraphs into lines and lines into pages. */
function placeLines(blocks: readonly TextBlock[], font: ScriptText): readonly (readonly PlacedLine[])[] {
  const bottom = PAGE.margin + 2 * FOOTER_SIZE;
  const pages: PlacedLine[][] = [[]];
  let y = PAGE.height - PAGE.margin;
  for (const block of blocks) {
    const x = PAGE.margin + (block.indent ?? 0);
    const limit = (PAGE.width - PAGE.margin - x) / block.size;
    y -= block.spaceBefore ?? 0;
    for (const line of showableLines(block.text).flatMap((one) => wrap((text) => font.widthOf(text), one, limit))) {
      y -= block.size * LINE_HEIGHT;
      if (y < bottom) {
        pages.push([]);
        y = PAGE.height - PAGE.margin - block.size * LINE_HEIGHT;
      }
      pages.at(-1)?.push({ block, text: line, x, y });
    }
  }
  return pages;
}

interface PageParts {
  readonly lines: readonly PlacedLine[];
  readonly footer: string;
  readonly font: ScriptText;
  readonly parent: PdfReference;
}

function addPage(document: NewDocument, { lines, footer, font, parent }: PageParts): PdfReference {
  const grey = [0.4, 0.4, 0.4] as const;
  const foot = { block: { text: footer, size: FOOTER_SIZE, colour: grey }, x: PAGE.margin, y: PAGE.margin } as const;
  const all = [...lines, ...showableLines(footer).map((text) => ({ ...foot, text }))];
  const content = all.map((line) => lineOperators(line, font)).join('\n');
  const number = document.allocate();
  const filter = new Map<string, PdfValue>([['Filter', new PdfName('FlateDecode')]]);
  document.addStream(number, filter, deflateSync(Buffer.from(content, 'latin1')));
  const links = lines.flatMap((line) =>
    line.block.link === undefined ? [] : [addLink(document, line, font.widthOf(line.text))],
  );
  return document.create(
    dictionary({
      Type: new PdfName('Page'),
      Parent: parent,
      Contents: new PdfReference(number, 0),
      Resources: dictionary({ Font: font.fontResources }),
      ...(links.length === 0 ? {} : { Annots: links }),
    }),
  );
}

/** A line as text operators (ISO 32000-2 §9.4); mode 2 fills and strokes. */
function lineOperators({ block, text, x, y }: PlacedLine, font: ScriptText): string {
  const colour = (block.colour ?? BLACK).map((part) => part.toFixed(3)).join(' ');
  const weight = block.bold === true ? `2 Tr ${(block.size * BOLD_STROKE).toFixed(3)} w ${colour} RG` : '0 Tr';
  return ['BT', weight, `${colour} rg`, ...font.lineOperators(text, block.size, { x, y }), 'ET'].join(' ');
}

/** @param width of the line, in font sizes */
function addLink(document: NewDocument, { block, x, y }: PlacedLine, width: number): PdfReference {
  const corners = [x, y - block.size * 0.25, x + width * block.size, y + block.size].map(realNumber);
  return document.create(
    dictionary({
      Type: new PdfName('Annot'),
      Subtype: new PdfName('Link'),
      Rect: corners,
      Border: [0, 0, 0],
      F: 4,
      A: dictionary({ S: new PdfName('URI'), URI: plainString(Buffer.from(block.link ?? '')) }),
    }),
  );
}
