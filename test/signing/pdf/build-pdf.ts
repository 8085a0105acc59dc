/** PDFs made by code, in all the shapes in which a cross-reference may come. */
import { deflateSync } from 'node:zlib';

/** Objects by number: their syntax, or a stream's dictionary without `Length` and its data. */
export type Objects = Readonly<
  Record<number, string | { readonly dictionary: string; readonly data: Buffer | string }>
>;

export interface PdfShape {
  /**
   * `hybrid`: the stream of `XRefStm` lists the compressed objects only. `word`: as Word saves, a table with every
   * object, and an empty second table whose `XRefStm` lists every object again.
   */
  readonly kind?: 'table' | 'stream' | 'hybrid' | 'word';
  /** Numbers of objects that go into an object stream; not for `table`. */
  readonly compressed?: readonly number[];
  /** Places that the stream of a `hybrid` gives to objects of the table. */
  readonly hiddenAt?: Readonly<Record<number, number>>;
  /** Default: 1.7. */
  readonly version?: string;
  /** In front of the header; offsets count from the header. */
  readonly junk?: string;
  /** More trailer entries. */
  readonly trailer?: string;
  /** Default: an entry of its own for every file. */
  readonly identifier?: string;
  readonly lineEnd?: '\n' | '\r\n' | '\r';
  /** Generations other than 0. */
  readonly generations?: Readonly<Record<number, number>>;
  /** Bytes after `%%EOF`. */
  readonly end?: string;
}

const IDENTIFIER = '/ID [<00112233445566778899aabbccddeeff> <00112233445566778899aabbccddeeff>]';

interface Entry {
  readonly type: 0 | 1 | 2;
  readonly second: number;
  readonly third: number;
}

const bytes = (text: string): Buffer => Buffer.from(text, 'latin1');
const bodyOf = (object: Objects[number]): Buffer => {
  if (typeof object === 'string') return bytes(object);
  const data = Buffer.from(object.data);
  const head = bytes(`<<${object.dictionary} /Length ${data.length}>>\nstream\n`);
  return Buffer.concat([head, data, bytes('\nendstream')]);
};

class Writer {
  readonly parts: Buffer[] = [];
  length = 0;
  readonly base: number;

  constructor(original: Buffer, base: number) {
    this.base = base;
    this.write(original);
  }

  get offset(): number {
    return this.length - this.base;
  }

  write(data: Buffer | string): void {
    const part = typeof data === 'string' ? bytes(data) : data;
    this.parts.push(part);
    this.length += part.length;
  }
}

function toRuns(numbers: readonly number[]): [first: number, count: number][] {
  const runs: [number, number][] = [];
  for (const number of numbers) {
    const run = runs.at(-1);
    if (run !== undefined && run[0] + run[1] === number) run[1] += 1;
    else runs.push([number, 1]);
  }
  return runs;
}

function writeTable(writer: Writer, entries: ReadonlyMap<number, Entry>, trailer: string, lineEnd: string): void {
  const end = lineEnd === '\r\n' ? '\r\n' : ` ${lineEnd}`;
  writer.write(`xref${lineEnd}`);
  for (const [first, count] of toRuns([...entries.keys()])) {
    writer.write(`${first} ${count}${lineEnd}`);
    for (let number = first; number < first + count; number += 1) {
      const { type, second, third } = entries.get(number)!;
      const visible = type === 1;
      const [offset, generation] = [visible ? second : 0, visible ? third : number === 0 ? 65_535 : 0];
      writer.write(
        `${String(offset).padStart(10, '0')} ${String(generation).padStart(5, '0')} ${visible ? 'n' : 'f'}${end}`,
      );
    }
  }
  writer.write(`trailer${lineEnd}<<${trailer}>>${lineEnd}`);
}

function writeStream(writer: Writer, number: number, entries: ReadonlyMap<number, Entry>, trailer: string): void {
  const data = Buffer.alloc(entries.size * 7);
  for (const [index, { type, second, third }] of [...entries.values()].entries()) {
    data.writeUInt8(type, index * 7);
    data.writeUInt32BE(second, index * 7 + 1);
    data.writeUInt16BE(third, index * 7 + 5);
  }
  const index = toRuns([...entries.keys()])
    .flat()
    .join(' ');
  const dictionary = `/Type /XRef /W [1 4 2] /Index [${index}] /Filter /FlateDecode ${trailer}`;
  writer.write(`${number} 0 obj\n`);
  writer.write(bodyOf({ dictionary, data: deflateSync(data) }));
  writer.write('\nendobj\n');
}

function objectStreamOf(objects: Objects, numbers: readonly number[]): Objects[number] {
  let offsets = '';
  let bodies = '';
  for (const number of numbers) {
    offsets += `${number} ${bodies.length} `;
    bodies += `${objects[number] as string}\n`;
  }
  const dictionary = `/Type /ObjStm /N ${numbers.length} /First ${offsets.length} /Filter /FlateDecode`;
  return { dictionary, data: deflateSync(bytes(offsets + bodies)) };
}

interface Revision {
  readonly writer: Writer;
  readonly objects: Objects;
  readonly shape: PdfShape;
  readonly size: number;
  readonly trailer: string;
  /** Object number 0 is listed by the first revision only. */
  readonly first: boolean;
}

function writeRevision({ writer, objects, shape, size, trailer, first }: Revision): Buffer {
  const { kind = 'table', compressed = [], lineEnd = '\n', generations = {}, end = '\n' } = shape;
  const entries = new Map<number, Entry>(first ? [[0, { type: 0, second: 0, third: 0xffff }]] : []);
  const streamNumber = size;
  const listed: Record<number, Objects[number]> = { ...objects };
  if (compressed.length > 0) listed[streamNumber] = objectStreamOf(objects, compressed);
  for (const key of Object.keys(listed)) {
    const number = Number(key);
    const index = compressed.indexOf(number);
    const generation = generations[number] ?? 0;
    entries.set(
      number,
      index < 0
        ? { type: 1, second: writer.offset, third: generation }
        : { type: 2, second: streamNumber, third: index },
    );
    if (index >= 0) continue;
    writer.write(`${number} ${generation} obj${lineEnd}`);
    writer.write(bodyOf(listed[number]!));
    writer.write(`${lineEnd}endobj${lineEnd}`);
  }
  let last = Math.max(size - 1, ...entries.keys());
  let hidden = '';
  if (kind === 'hybrid' || kind === 'word') {
    const only = new Map([...entries].filter(([number]) => compressed.includes(number)));
    for (const [number, offset] of Object.entries(shape.hiddenAt ?? {})) {
      only.set(Number(number), { type: 1, second: offset, third: 0 });
    }
    last += 1;
    hidden = ` /XRefStm ${writer.offset}`;
    entries.set(last, { type: 1, second: writer.offset, third: 0 });
    if (kind === 'hybrid') writeStream(writer, last, only, `/Size ${last + 1}`);
    else writeStream(writer, last, entries, `${trailer} /Size ${last + 1}`);
  }
  let start = writer.offset;
  if (kind === 'stream') {
    last += 1;
    entries.set(last, { type: 1, second: start, third: 0 });
    writeStream(writer, last, entries, `${trailer} /Size ${last + 1}`);
  } else {
    start = writer.offset;
    writeTable(writer, entries, `${trailer} /Size ${last + 1}${kind === 'word' ? '' : hidden}`, lineEnd);
  }
  if (kind === 'word') {
    writer.write(`startxref${lineEnd}${start}${lineEnd}%%EOF${lineEnd}`);
    const previous = start;
    start = writer.offset;
    const second = `${trailer} /Size ${last + 1} /Prev ${previous}${hidden}`;
    writer.write(`xref${lineEnd}0 0${lineEnd}trailer${lineEnd}<<${second}>>${lineEnd}`);
  }
  writer.write(`startxref${lineEnd}${start}${lineEnd}%%EOF${end}`);
  return Buffer.concat(writer.parts);
}

/** Writes a whole file; object 1 is the catalog. */
export function buildPdf(objects: Objects, shape: PdfShape = {}): Buffer {
  const { version = '1.7', junk = '', lineEnd = '\n', identifier = IDENTIFIER, generations = {} } = shape;
  const writer = new Writer(bytes(junk), junk.length);
  writer.write(`%PDF-${version}${lineEnd}%\xe2\xe3\xcf\xd3${lineEnd}`);
  const size = Math.max(...Object.keys(objects).map(Number)) + 1;
  const trailer = `/Root 1 ${generations[1] ?? 0} R ${identifier} ${shape.trailer ?? ''}`;
  return writeRevision({ writer, objects, shape, size, trailer, first: true });
}

/** Appends an incremental update, for files without junk in front. */
export function appendRevision(original: Buffer, objects: Objects, shape: PdfShape = {}): Buffer {
  const text = original.toString('latin1');
  const previous = /startxref\s+(\d+)\s+%%EOF\s*$/.exec(text)![1]!;
  const size = Math.max(...[...text.matchAll(/\/Size (\d+)/g)].map((match) => Number(match[1])));
  const writer = new Writer(original, 0);
  const trailer = `/Root 1 ${shape.generations?.[1] ?? 0} R ${shape.identifier ?? IDENTIFIER} /Prev ${previous} ${shape.trailer ?? ''}`;
  return writeRevision({ writer, objects, shape, size, trailer, first: false });
}

const CONTENT = 'BT /F1 24 Tf 72 720 Td (A document to sign) Tj ET';

/** A document of a single page; `changes` replaces or adds objects. Free numbers begin at 6. */
export function onePage(changes: Objects = {}): Objects {
  return {
    1: '<</Type /Catalog /Pages 2 0 R>>',
    2: '<</Type /Pages /Kids [3 0 R] /Count 1 /MediaBox [0 0 595 842]>>',
    3: '<</Type /Page /Parent 2 0 R /Contents 4 0 R /Resources <</Font <</F1 5 0 R>>>>>>',
    4: { dictionary: '', data: CONTENT },
    5: '<</Type /Font /Subtype /Type1 /BaseFont /Helvetica>>',
    ...changes,
  };
}

/** A tagged document of a single page: a paragraph below the document element. Free numbers begin at 24. */
export const taggedPage = (changes: Objects = {}): Objects =>
  onePage({
    1: '<</Type /Catalog /Pages 2 0 R /MarkInfo <</Marked true>> /StructTreeRoot 20 0 R /Lang (en)>>',
    3: '<</Type /Page /Parent 2 0 R /Contents 4 0 R /StructParents 0 /Resources <</Font <</F1 5 0 R>>>>>>',
    4: { dictionary: '', data: `/P <</MCID 0>> BDC ${CONTENT} EMC` },
    20: '<</Type /StructTreeRoot /K [21 0 R] /ParentTree 23 0 R /ParentTreeNextKey 1>>',
    21: '<</Type /StructElem /S /Document /P 20 0 R /K [22 0 R]>>',
    22: '<</Type /StructElem /S /P /P 21 0 R /Pg 3 0 R /K [0]>>',
    23: '<</Nums [0 [22 0 R]]>>',
    ...changes,
  });

/** Objects that give the page of `onePage` a form with these fields; each is a widget of the page. */
export function withFields(fields: Readonly<Record<number, string>>, form = ''): Objects {
  const references = Object.keys(fields)
    .map((number) => `${number} 0 R`)
    .join(' ');
  return onePage({
    1: `<</Type /Catalog /Pages 2 0 R /AcroForm <</Fields [${references}] ${form}>>>>`,
    3: `<</Type /Page /Parent 2 0 R /Contents 4 0 R /Resources <</Font <</F1 5 0 R>>>> /Annots [${references}]>>`,
    ...fields,
  });
}

/** An empty signature field and its widget in a single dictionary. */
export const emptySignatureField = (name: string, more = ''): string =>
  `<</Type /Annot /Subtype /Widget /FT /Sig /T (${name}) /F 4 /Rect [72 72 200 120] /P 3 0 R ${more}>>`;
