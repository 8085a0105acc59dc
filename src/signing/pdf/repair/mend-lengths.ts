import type { IncrementalUpdate } from '../writing/incremental-update.ts';
import type { PdfDocument } from '../reading/pdf-document.ts';
import type { PdfFile } from '../reading/pdf-file.ts';
import { serialize } from '../syntax/serialize.ts';
import { countOf, PdfReference, PdfStream } from '../syntax/values.ts';
import type { FoundObject, FoundStream, ScannedFile } from './scan-objects.ts';
import type { ScannedSection } from './scanned-section.ts';

/** Streams are rewritten in memory; beyond this limit the remaining streams stay unchanged, which readers tolerate. */
const MAX_REWRITTEN = 64 * 1024 * 1024;

/** The dictionary's length, through a reference if necessary. */
function declaredLength({ declared }: FoundStream, scanned: ScannedFile): number | undefined {
  return declared instanceof PdfReference ? scanned.objects.get(declared.number)?.count : countOf(declared);
}

function isRight(file: PdfFile, stream: FoundStream, length: number | undefined): boolean {
  if (length === undefined || length === stream.length) return length !== undefined;
  return /^\s{0,4}endstream/.test(file.text(stream.position + length, 16));
}

/** The streams with a wrong length in the dictionary, or with data without an end. */
export function findWrongLengths(file: PdfFile, scanned: ScannedFile): readonly FoundObject[] {
  return [...scanned.objects.values()].filter(({ stream }) => {
    return stream !== undefined && !isRight(file, stream, declaredLength(stream, scanned));
  });
}

/** Rewrites the streams with their true length; answers the number of streams. */
export function mendLengths(
  document: PdfDocument,
  section: ScannedSection,
  update: IncrementalUpdate,
  wrong: readonly FoundObject[],
): number {
  let [left, count] = [MAX_REWRITTEN, 0];
  for (const { number, generation, position, stream } of wrong) {
    const entry = section.entries.get(number);
    if (stream === undefined || entry?.kind !== 'offset' || entry.offset !== position) continue;
    const value = document.resolve(section.referenceTo(number));
    if (!(value instanceof PdfStream) || stream.length > left) continue;
    left -= stream.length;
    value.dictionary.set('Length', stream.length);
    const cipher = document.cipherOf(number, generation);
    const head = serialize(value.dictionary, { cipher, keepStored: true });
    const data = document.file.read(stream.position, stream.length);
    update.replaceBody(number, Buffer.concat([head, Buffer.from('\nstream\n'), data, Buffer.from('\nendstream')]));
    count += 1;
  }
  return count;
}
