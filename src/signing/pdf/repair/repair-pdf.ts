import {
  expectUnchangedSize,
  forEachChunk,
  throwIfCancelled,
  withNewFile,
  writeAt,
} from '../../signed-data/content.ts';
import { SigningError } from '../../errors.ts';
import { walkFields } from '../reading/form-fields.ts';
import { IncrementalUpdate } from '../writing/incremental-update.ts';
import { walkPages } from '../reading/page-tree.ts';
import { PdfDocument } from '../reading/pdf-document.ts';
import { unsupported } from '../syntax/pdf-error.ts';
import { expectLastVersionWhole } from '../differences/unreachable-signatures.ts';
import { countOf } from '../syntax/values.ts';
import { PdfFile } from '../reading/pdf-file.ts';
import { findWrongLengths, mendLengths, mendPages } from './mend-pages.ts';
import { openScanned } from './open-scanned.ts';
import { rebuiltSection } from './rebuilt-section.ts';
import { scanObjects } from './scan-objects.ts';
import type { ScannedFile } from './scan-objects.ts';
import { keysOf, type PdfKeys } from '../encryption/standard-security.ts';

/** A PDF to repair, and the path of the repaired copy. */
export interface RepairPdfRequest extends PdfKeys {
  readonly inputPath: string;
  /** Created exclusively, flushed and closed; removed on failure. */
  readonly outputPath: string;
  readonly signal?: AbortSignal;
}

/** The repairs in the copy. */
export interface RepairPdfResult {
  /** A sentence for each repair; empty for a sound file, whose output is a copy. */
  readonly repairs: readonly string[];
}

/** Bytes in which readers accept the header (ISO 32000-2 Annex I), and in which a repair looks for it. */
const HEADER_WINDOW = 1024;
const HEADER_SEARCH = 2 ** 20;
const NEW_HEADER = Buffer.from('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n', 'latin1');

/** Bytes to remove at the front of the file, and bytes to insert there. */
interface Front {
  readonly cut: number;
  readonly prefix: Buffer;
  readonly repairs: readonly string[];
}

/** A header stands before the first object; other bytes may stand before the header. */
function readFront(file: PdfFile, scanned: ScannedFile): Front {
  let firstObject = HEADER_SEARCH;
  for (const { position } of scanned.objects.values()) firstObject = Math.min(firstObject, position);
  const at = file.text(0, Math.max(HEADER_WINDOW, firstObject)).search(/%PDF-\d/);
  if (at === 0) return { cut: 0, prefix: Buffer.alloc(0), repairs: [] };
  if (at > 0) return { cut: at, prefix: Buffer.alloc(0), repairs: ['Removed what stood in front of the header.'] };
  return { cut: 0, prefix: NEW_HEADER, repairs: ['Added the missing header.'] };
}

/** Reads everything needed for signing: structure, all pages, all fields. Answers the first error. */
async function findDamage(path: string, keys: PdfKeys): Promise<SigningError | undefined> {
  try {
    const document = await PdfDocument.open(path, keys);
    try {
      const [first] = walkPages(document.catalog.value, (value, holder) => document.locate(value, holder));
      for (const field of walkFields(document)) document.resolve(field.value.value);
      if (first === undefined) unsupported('The PDF has no pages, so there is no place for a signature.');
      expectLastVersionWhole(document);
      return undefined;
    } finally {
      await document.close();
    }
  } catch (error) {
    if (!(error instanceof SigningError) || !['PDF_MALFORMED', 'PDF_UNSUPPORTED'].includes(error.code)) throw error;
    return error;
  }
}

/** The pages of a document, and how many its page tree announces. */
interface PageCount {
  readonly found: number;
  readonly announced: number;
}

/** Undefined for a document whose pages cannot be read. */
async function countPages(path: string, keys: PdfKeys): Promise<PageCount | undefined> {
  try {
    const document = await PdfDocument.open(path, keys);
    try {
      const found = [...walkPages(document.catalog.value, (value, holder) => document.locate(value, holder))].length;
      const tree = document.resolve(document.catalog.value.get('Pages'));
      const announced = tree instanceof Map ? countOf(document.resolve(tree.get('Count'))) : undefined;
      return { found, announced: announced ?? found };
    } finally {
      await document.close();
    }
  } catch (error) {
    if (error instanceof SigningError) return undefined;
    throw error;
  }
}

const pages = (count: number): string => (count === 1 ? '1 page' : `${count} pages`);

/** Tells the numbers of pages where the repair shows others than before, or fewer than the document announces. */
function pageSentences(before: PageCount | undefined, after: PageCount | undefined): readonly string[] {
  if (after === undefined) return [];
  const sentences: string[] = [];
  if (before !== undefined) {
    sentences.push(
      `The document showed ${pages(before.found)} before the repair, and shows ${pages(after.found)} now.`,
    );
  }
  const announced = Math.max(before?.announced ?? 0, after.announced);
  if (announced > after.found) {
    sentences.push(`The document announces ${pages(announced)}, but only ${pages(after.found)} could be found.`);
  }
  return sentences;
}

async function copyFile(
  file: PdfFile,
  { cut, prefix }: Pick<Front, 'cut' | 'prefix'>,
  end: Buffer,
  request: RepairPdfRequest,
): Promise<void> {
  const { outputPath, signal } = request;
  await withNewFile(outputPath, async (output) => {
    await writeAt(output, prefix, 0);
    const slice = { file: file.handle, start: cut, length: file.size - cut };
    await forEachChunk(slice, (chunk, position) => writeAt(output, chunk, prefix.length + position), signal);
    await expectUnchangedSize(slice);
    await writeAt(output, end, prefix.length + slice.length);
    const damage = end.length === 0 ? undefined : await findDamage(outputPath, keysOf(request));
    if (damage !== undefined) throw damage;
  });
}

async function scan(path: string): Promise<ScannedFile> {
  const file = await PdfFile.open(path);
  try {
    return scanObjects(file);
  } finally {
    await file.close();
  }
}

async function rebuild(request: RepairPdfRequest, scanned: ScannedFile): Promise<readonly string[]> {
  const { inputPath } = request;
  const { document, section } = await openScanned(inputPath, request, scanned);
  try {
    section.addObjectStreams(document);
    const update = new IncrementalUpdate(document);
    const front = readFront(document.file, scanned);
    const pages = mendPages(document, section, update);
    const mended = mendLengths(document, section, update, findWrongLengths(document.file, scanned));
    const shift = front.prefix.length - front.cut;
    const { bytes } = update.finish(rebuiltSection(section, shift), document.file.size + shift);
    await copyFile(document.file, front, bytes, request);
    const lengths = mended === 0 ? [] : [`Corrected the length of ${mended} streams.`];
    return [...front.repairs, 'Rebuilt the cross-reference from the objects in the file.', ...pages, ...lengths];
  } finally {
    await document.close();
  }
}

/**
 * Repairs a PDF with a damaged or missing cross-reference, without an end or a proper beginning, with wrong stream
 * lengths, or without a catalog or page tree. All bytes from the header on stay unchanged: the repair is an appended
 * section with every object. The whole file is read once; memory grows with the number of objects, not with the file.
 *
 * Rejects with `PDF_CHANGE_FORBIDDEN` for a signed file, because a repair would break the signature; `PDF_MALFORMED`
 * when no page is left; `PDF_ENCRYPTED`, `PASSWORD_INCORRECT`, `PDF_UNSUPPORTED`, `LIMIT_EXCEEDED`, `CONTENT_CHANGED`,
 * `CANCELLED`, and the system's own errors. On failure the output is removed.
 */
export async function repairPdf(request: RepairPdfRequest): Promise<RepairPdfResult> {
  throwIfCancelled(request.signal);
  const damage = await findDamage(request.inputPath, keysOf(request));
  if (damage === undefined) {
    const file = await PdfFile.open(request.inputPath);
    try {
      await copyFile(file, { cut: 0, prefix: Buffer.alloc(0) }, Buffer.alloc(0), request);
    } finally {
      await file.close();
    }
    return { repairs: [] };
  }
  const scanned = await scan(request.inputPath);
  if (scanned.hasSignature) {
    throw new SigningError(
      'PDF_CHANGE_FORBIDDEN',
      'The PDF is damaged and carries a signature, which a repair would break. Ask its author for a sound copy.',
      { cause: damage },
    );
  }
  const before = await countPages(request.inputPath, keysOf(request));
  const repairs = await rebuild(request, scanned);
  const after = await countPages(request.outputPath, keysOf(request));
  return { repairs: [...repairs, ...pageSentences(before, after)] };
}
