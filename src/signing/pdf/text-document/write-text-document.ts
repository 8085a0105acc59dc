/**
 * Writes a PDF of running text, with the glyphs of its fonts embedded: names of any script are shown. The file keeps
 * PDF/A-3a (ISO 19005-3) and PDF/UA-1 (ISO 14289-1).
 */
import { createHash } from 'node:crypto';
import { deflateSync } from 'node:zlib';
import { calibratedColour } from '../appearance/embed-image.ts';
import { ScriptText, showableLines } from '../appearance/script-text.ts';
import { TextSetter } from '../appearance/shape-text.ts';
import { plainString, realNumber } from '../syntax/serialize.ts';
import { encodeTextString, formatDate } from '../syntax/text-string.ts';
import { PdfName, PdfReference } from '../syntax/values.ts';
import type { PdfDictionary, PdfValue } from '../syntax/values.ts';
import { NewDocument } from '../writing/new-document.ts';
import { archiveMetadata } from './archive-metadata.ts';
import { placeBlocks, type PlacedLine, type PlacedPage } from './place-blocks.ts';
import type { TextBlock, TextColour } from './text-block.ts';

/** Sizes of paper in points. */
const PAPERS = { A4: { width: 595.28, height: 841.89 }, Letter: { width: 612, height: 792 } } as const;
/** The name of a size of paper. */
export type Paper = keyof typeof PAPERS;

/** The contents of a text document. */
export interface TextDocument {
  readonly title: string;
  /** BCP 47 language tag, for screen readers. */
  readonly language: string;
  readonly created: Date;
  readonly blocks: readonly TextBlock[];
  /** At the foot of each page, before the page's number. */
  readonly footer: string;
  /** By default A4. */
  readonly paper?: Paper;
}

const FOOTER_SIZE = 8;
const MARGIN = 48;
const BLACK: TextColour = [0, 0, 0];
const GREY: TextColour = [0.38, 0.38, 0.41];
const RULE: TextColour = [0.8, 0.8, 0.82];
const BAR_WIDTH = 4;

const dictionary = (entries: Readonly<Record<string, PdfValue>>): PdfDictionary => new Map(Object.entries(entries));
const name = (text: string): PdfName => new PdfName(text);
const text = (value: string): PdfValue => plainString(encodeTextString(value));

/** Writes PDF 1.7 without external resources. */
export async function writeTextDocument(request: TextDocument): Promise<Buffer> {
  const { blocks, footer, language, title, created, paper = 'A4' } = request;
  const document = new NewDocument();
  const setter = await TextSetter.open([footer, ...blocks.flatMap((block) => [block.text, block.label])]);
  const font = new ScriptText(document, setter, false);
  const size = PAPERS[paper];
  const room = { ...size, margin: MARGIN, foot: 2 * FOOTER_SIZE };
  const pages = placeBlocks(blocks, (line) => font.widthOf(line), room);
  const footers = pages.map((_, index) => `${footer} · ${index + 1}/${pages.length}`);
  font.embed([...pages.flatMap(({ lines }) => lines.map((line) => line.text)), ...footers.flatMap(showableLines)]);
  const tree = document.allocate();
  const structure = new Structure(document);
  const parts = { document, font, structure, tree, width: size.width };
  const kids = pages.map((page, index) => addPage(parts, page, { footer: footers[index] ?? '', index }));
  const box = [0, 0, size.width, size.height].map(realNumber);
  document.put(tree, dictionary({ Type: name('Pages'), Kids: kids, Count: kids.length, MediaBox: box }));
  const metadata = document.allocate();
  const description = dictionary({ Type: name('Metadata'), Subtype: name('XML') });
  document.addStream(metadata, description, archiveMetadata({ title, language, created }));
  const root = document.create(
    dictionary({
      Type: name('Catalog'),
      Pages: new PdfReference(tree, 0),
      Lang: text(language),
      ViewerPreferences: dictionary({ DisplayDocTitle: true }),
      MarkInfo: dictionary({ Marked: true }),
      StructTreeRoot: structure.finish(kids),
      Metadata: new PdfReference(metadata, 0),
    }),
  );
  const about = document.create(
    dictionary({
      Title: text(title),
      Producer: text('Sinete'),
      CreationDate: plainString(Buffer.from(formatDate(created))),
    }),
  );
  const identifier = plainString(createHash('sha256').update(JSON.stringify(request)).digest().subarray(0, 16));
  return document.finish(dictionary({ Root: root, Info: about, ID: [identifier, identifier] }));
}

/** An element of the structure tree: its marked contents by page, or a link's annotation. */
interface Element {
  readonly role: string;
  readonly reference: PdfReference;
  readonly contents: { readonly page: number; readonly id: number }[];
  readonly annotations: PdfReference[];
}

/** Collects the structure tree (ISO 32000-2 §14.7) while pages are written. */
class Structure {
  readonly #document: NewDocument;
  readonly #elements = new Map<number, Element>();
  readonly #contents: PdfReference[][] = [];
  readonly #links: PdfReference[] = [];

  constructor(document: NewDocument) {
    this.#document = document;
  }

  /** The identifier of a content on a page, which belongs to the element of a block. */
  mark(page: number, block: number, role: string): number {
    const element = this.#elements.get(block) ?? {
      role,
      reference: this.#document.create(null),
      contents: [],
      annotations: [],
    };
    this.#elements.set(block, element);
    const marked = (this.#contents[page] ??= []);
    const id = marked.length;
    marked.push(element.reference);
    element.contents.push({ page, id });
    return id;
  }

  /** Puts a link's annotation into the element of its paragraph. */
  link(block: number, annotation: PdfReference): void {
    this.#elements.get(block)?.annotations.push(annotation);
  }

  /** The key under which the parent tree finds an annotation. Pages have the keys below 100 000. */
  keyOfLink(block: number): number {
    const element = this.#elements.get(block);
    if (element === undefined) throw new TypeError('A link belongs to no paragraph.');
    this.#links.push(element.reference);
    return 100_000 + this.#links.length - 1;
  }

  finish(pages: readonly PdfReference[]): PdfReference {
    const root = this.#document.allocate();
    const top = this.#document.allocate();
    const parent = new PdfReference(top, 0);
    const elements = [...this.#elements.entries()].sort(([one], [other]) => one - other).map(([, element]) => element);
    for (const { role, reference, contents, annotations } of elements) {
      const kids: PdfValue[] = contents.map(({ page, id }) =>
        dictionary({ Type: name('MCR'), Pg: pages[page] ?? null, MCID: id }),
      );
      for (const annotation of annotations) {
        kids.push(dictionary({ Type: name('OBJR'), Obj: annotation, Pg: pages[contents[0]?.page ?? 0] ?? null }));
      }
      this.#document.put(reference.number, dictionary({ Type: name('StructElem'), S: name(role), P: parent, K: kids }));
    }
    const rootReference = new PdfReference(root, 0);
    const all = elements.map(({ reference }) => reference);
    this.#document.put(top, dictionary({ Type: name('StructElem'), S: name('Document'), P: rootReference, K: all }));
    const numbers: PdfValue[] = [
      ...pages.flatMap((_, index) => [index, this.#contents[index] ?? []]),
      ...this.#links.flatMap((reference, index) => [100_000 + index, reference]),
    ];
    const parents = this.#document.create(dictionary({ Nums: numbers }));
    this.#document.put(
      root,
      dictionary({
        Type: name('StructTreeRoot'),
        K: [parent],
        ParentTree: parents,
        ParentTreeNextKey: 100_000 + this.#links.length,
      }),
    );
    return rootReference;
  }
}

interface PageParts {
  readonly document: NewDocument;
  readonly font: ScriptText;
  readonly structure: Structure;
  readonly tree: number;
  readonly width: number;
}

const decimal = (value: number): string => String(Math.round(value * 1000) / 1000);
const colourOf = (colour: TextColour): string => colour.map(decimal).join(' ');

function addPage(
  { document, font, structure, tree, width }: PageParts,
  { lines, bands, rules }: PlacedPage,
  { footer, index }: { readonly footer: string; readonly index: number },
): PdfReference {
  const operators: string[] = ['/C1 cs /C1 CS'];
  for (const { ground, bar, top, bottom } of bands) {
    const height = decimal(top - bottom);
    const whole = `${colourOf(ground)} sc ${MARGIN} ${decimal(bottom)} ${decimal(width - 2 * MARGIN)} ${height} re f`;
    const edge = `${colourOf(bar)} sc ${MARGIN} ${decimal(bottom)} ${BAR_WIDTH} ${height} re f`;
    operators.push('/Artifact BMC', whole, edge, 'EMC');
  }
  for (const y of rules) {
    const line = `${MARGIN} ${decimal(y)} m ${decimal(width - MARGIN)} ${decimal(y)} l S`;
    operators.push('/Artifact BMC', `${colourOf(RULE)} SC 0.6 w ${line}`, 'EMC');
  }
  for (const [block, own] of Map.groupBy(lines, ({ number }) => number)) {
    const role = own[0]?.block.link === undefined ? (own[0]?.block.role ?? 'P') : 'Link';
    operators.push(`/${role} <</MCID ${structure.mark(index, block, role)}>> BDC`);
    operators.push(...own.map((line) => lineOperators(line, font)), 'EMC');
  }
  const foot = showableLines(footer).map((line) => ({ text: line, x: MARGIN, y: MARGIN - FOOTER_SIZE * 1.5 }));
  operators.push('/Artifact <</Type /Pagination /Subtype /Footer>> BDC');
  operators.push(...foot.map((line) => textOperators(line, FOOTER_SIZE, GREY, font)), 'EMC');
  const number = document.allocate();
  document.addStream(
    number,
    dictionary({ Filter: name('FlateDecode') }),
    deflateSync(Buffer.from(operators.join('\n'), 'latin1')),
  );
  const links = lines.flatMap((line) =>
    line.block.link === undefined ? [] : [addLink(document, structure, line, font)],
  );
  return document.create(
    dictionary({
      Type: name('Page'),
      Parent: new PdfReference(tree, 0),
      Contents: new PdfReference(number, 0),
      Resources: dictionary({ Font: font.fontResources, ColorSpace: dictionary({ C1: calibratedColour() }) }),
      StructParents: index,
      Tabs: name('S'),
      ...(links.length === 0 ? {} : { Annots: links }),
    }),
  );
}

const lineOperators = (line: PlacedLine, font: ScriptText): string =>
  textOperators(line, line.block.size, line.isLabel ? GREY : (line.block.colour ?? BLACK), font);

/** A line as text operators (ISO 32000-2 §9.4). */
function textOperators(
  { text: line, x, y }: Pick<PlacedLine, 'text' | 'x' | 'y'>,
  size: number,
  colour: TextColour,
  font: ScriptText,
): string {
  return ['BT', `${colourOf(colour)} sc`, ...font.lineOperators(line, size, { x, y }), 'ET'].join(' ');
}

function addLink(document: NewDocument, structure: Structure, line: PlacedLine, font: ScriptText): PdfReference {
  const { block, number, x, y } = line;
  const corners = [x, y - block.size * 0.25, x + font.widthOf(line.text) * block.size, y + block.size];
  const annotation = document.create(
    dictionary({
      Type: name('Annot'),
      Subtype: name('Link'),
      Rect: corners.map(realNumber),
      Border: [0, 0, 0],
      F: 4,
      Contents: text(block.link ?? ''),
      StructParent: structure.keyOfLink(number),
      A: dictionary({ S: name('URI'), URI: plainString(Buffer.from(block.link ?? '')) }),
    }),
  );
  structure.link(number, annotation);
  return annotation;
}
