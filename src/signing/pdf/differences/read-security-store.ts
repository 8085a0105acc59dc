import type { PdfDocument } from '../reading/pdf-document.ts';
import { readStoredStream } from '../long-term/security-store.ts';
import { countOf, PdfReference, PdfStream } from '../syntax/values.ts';
import type { Revision } from './revisions.ts';
import type { PdfSecurityStore } from './pdf-facts.ts';

/** More than the stores of a hundred signatures with their revocation lists. */
const MAX_BYTES = 64 * 1024 * 1024;
const MAX_STREAMS = 10_000;

export interface ReadStore {
  /** Absent when the document has none. */
  readonly store?: PdfSecurityStore;
  /** Everything named by the lists was read. */
  readonly complete: boolean;
}

/** Offset behind the stream's data in the file; undefined where the length is not known. */
function endOfStream(document: PdfDocument, reference: PdfReference): number | undefined {
  const stream = document.resolve(reference);
  if (!(stream instanceof PdfStream)) return undefined;
  const { dictionary, position } = stream;
  const known = document.crossReference.streamLengths?.get(position);
  const length = known ?? countOf(document.resolve(dictionary.get('Length')));
  return length === undefined ? undefined : position + length;
}

/**
 * Reads the lists of the document security store (ISO 32000-2 §12.8.4.3); equal references are read once. The bytes of
 * a stream belong to the revision in which they stand in the file: a later time stamp covers that revision.
 */
export function readSecurityStore(document: PdfDocument, revisions: readonly Revision[]): ReadStore {
  const store = document.resolve(document.catalog.value.get('DSS'));
  if (!(store instanceof Map)) return { complete: true };
  let [bytes, streams, complete] = [0, 0, true];
  const ends = new Map<Buffer, number>();
  const read = (key: string): Buffer[] => {
    const list = document.resolve(store.get(key));
    const found = new Map<number, Buffer>();
    for (const reference of Array.isArray(list) ? list : []) {
      if (!(reference instanceof PdfReference) || found.has(reference.number)) continue;
      const isTooMuch = bytes > MAX_BYTES || streams > MAX_STREAMS;
      const data = isTooMuch ? undefined : readStoredStream(document, reference);
      if (data === undefined) complete = false;
      else {
        found.set(reference.number, data);
        const end = endOfStream(document, reference);
        if (end !== undefined) ends.set(data, end);
      }
      bytes += data?.length ?? 0;
      streams += 1;
    }
    return [...found.values()];
  };
  const lists = { certificates: read('Certs'), ocspResponses: read('OCSPs'), crls: read('CRLs') };
  const revisionOf = (data: Buffer): number | undefined => {
    const end = ends.get(data);
    return end === undefined ? undefined : revisions.find((one) => one.end !== undefined && one.end >= end)?.number;
  };
  return { store: { ...lists, revisionOf }, complete };
}
