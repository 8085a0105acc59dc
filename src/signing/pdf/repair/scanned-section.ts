import { SigningError } from '../../errors.ts';
import type { CrossReferenceEntry, CrossReferenceSection } from '../reading/cross-reference-section.ts';
import type { PdfDocument } from '../reading/pdf-document.ts';
import { PdfReference } from '../syntax/values.ts';
import type { PdfDictionary, PdfValue } from '../syntax/values.ts';
import type { FoundObject, ScannedFile } from './scan-objects.ts';

/** An entry with its place in an object stream. */
export type ScannedEntry =
  | Exclude<CrossReferenceEntry, { kind: 'compressed' }>
  | { readonly kind: 'compressed'; readonly stream: number; readonly index: number };

const MAX_OBJECT_NUMBER = 8_388_607;
const MAX_GENERATION = 65_534;
const DOCUMENT_ENTRIES = ['Root', 'Info', 'ID', 'Encrypt'];

/** The last value of each document entry (not section entry) in the trailers. */
function mergeTrailers(trailers: readonly PdfDictionary[]): PdfDictionary {
  const merged: PdfDictionary = new Map<string, PdfValue>();
  for (const trailer of trailers) {
    for (const key of DOCUMENT_ENTRIES) {
      const value = trailer.get(key);
      if (value !== undefined && value !== null) merged.set(key, value);
    }
  }
  return merged;
}

/** Where objects are, as found by reading the whole file. Offsets are positions in the file. */
export class ScannedSection implements CrossReferenceSection {
  readonly kind = 'stream';
  readonly runs = 1;
  readonly trailer: PdfDictionary;
  readonly entries = new Map<number, ScannedEntry>();
  readonly #found: ReadonlyMap<number, FoundObject>;

  constructor(scanned: ScannedFile) {
    this.#found = scanned.objects;
    this.trailer = mergeTrailers(scanned.trailers);
    for (const { number, generation, position } of scanned.objects.values()) {
      if (number === 0 || number > MAX_OBJECT_NUMBER || generation > MAX_GENERATION) continue;
      this.entries.set(number, { kind: 'offset', offset: position, generation });
    }
  }

  get limit(): number {
    let limit = 1;
    for (const number of this.entries.keys()) limit = Math.max(limit, number + 1);
    return limit;
  }

  find(objectNumber: number): CrossReferenceEntry | undefined {
    return this.entries.get(objectNumber);
  }

  *listed(): Generator<readonly [first: number, count: number]> {
    for (const number of this.entries.keys()) yield [number, 1];
  }

  /**
   * Lists the objects in object streams; the later of two with the same number counts. Unreadable streams are skipped.
   */
  addObjectStreams(document: PdfDocument): void {
    const streams = [...this.#found.values()].filter(({ type, stream }) => type === 'ObjStm' && stream !== undefined);
    const standsAt = new Map<number, number>();
    for (const { number: stream, position } of streams.sort((first, second) => first.position - second.position)) {
      for (const [index, number] of numbersIn(document, stream).entries()) {
        const rival = standsAt.get(number) ?? this.#found.get(number)?.position ?? -1;
        if (number === 0 || number > MAX_OBJECT_NUMBER || number === stream || rival > position) continue;
        this.entries.set(number, { kind: 'compressed', stream, index });
        standsAt.set(number, position);
      }
    }
  }

  /** A reference to a listed object. */
  referenceTo(number: number): PdfReference {
    const entry = this.entries.get(number);
    return new PdfReference(number, entry?.kind === 'offset' ? entry.generation : 0);
  }
}

function numbersIn(document: PdfDocument, stream: number): readonly number[] {
  try {
    return document.objectNumbersIn(stream);
  } catch (error) {
    if (error instanceof SigningError && !document.file.budget.exhausted) return [];
    throw error;
  }
}
