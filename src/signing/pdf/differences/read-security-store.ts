import { hash } from 'node:crypto';
import { SigningError } from '../../errors.ts';
import type { PdfDocument } from '../reading/pdf-document.ts';
import { readStoredStream } from '../long-term/security-store.ts';
import { countOf, PdfReference, PdfStream } from '../syntax/values.ts';
import type { Revision } from './revisions.ts';
import type { PdfSecurityStore } from './pdf-facts.ts';

/** Limit on the bytes of a store. Even the stores of a hundred signatures with their revocation lists are smaller. */
const MAX_BYTES = 64 * 1024 * 1024;
const MAX_STREAMS = 10_000;

export interface ReadStore {
  /** Absent when the document has none. */
  readonly store?: PdfSecurityStore;
  /** True when every object named by the lists was read. */
  readonly complete: boolean;
}

/** Offset after the stream's data in the file; undefined for an unknown length. */
function endOfStream(document: PdfDocument, reference: PdfReference): number | undefined {
  const stream = document.resolve(reference);
  if (!(stream instanceof PdfStream)) return undefined;
  const { dictionary, position } = stream;
  const known = document.crossReference.streamLengths?.get(position);
  const length = known ?? countOf(document.resolve(dictionary.get('Length')));
  return length === undefined ? undefined : position + length;
}

/** The streams that a store names, by their list. */
interface StoredStream {
  readonly list: 'Certs' | 'OCSPs' | 'CRLs';
  readonly data: Buffer;
  /** Offset after the bytes in the file; undefined when unknown. */
  readonly end: number | undefined;
}

/** Reads streams of stores, each place in the file once, up to the limits of all stores together. */
class StoreReader {
  complete = true;
  #bytes = 0;
  #streams = 0;
  readonly #places = new Set<number>();

  /** Streams of the store in this state of the document, unless read before; equal references are read once. */
  read(document: PdfDocument): readonly StoredStream[] | undefined {
    const store = document.resolve(document.catalog.value.get('DSS'));
    if (!(store instanceof Map)) return undefined;
    return (['Certs', 'OCSPs', 'CRLs'] as const).flatMap((list) => {
      const references = document.resolve(store.get(list));
      return (Array.isArray(references) ? references : []).flatMap((reference): readonly StoredStream[] => {
        if (!(reference instanceof PdfReference)) return [];
        const data = this.#readNew(document, reference);
        return data === undefined ? [] : [{ list, data, end: endOfStream(document, reference) }];
      });
    });
  }

  /** The stream's data; undefined for a place read before, and for an unreadable stream. */
  #readNew(document: PdfDocument, reference: PdfReference): Buffer | undefined {
    const stream = document.resolve(reference);
    if (stream instanceof PdfStream) {
      if (this.#places.has(stream.position)) return undefined;
      this.#places.add(stream.position);
    }
    const isTooMuch = this.#bytes > MAX_BYTES || this.#streams > MAX_STREAMS;
    const data = isTooMuch ? undefined : readStoredStream(document, reference);
    if (data === undefined) this.complete = false;
    this.#bytes += data?.length ?? 0;
    this.#streams += 1;
    return data;
  }
}

/** The store of an earlier revision. A damaged revision gives nothing here, and is reported elsewhere. */
function readEarlier(reader: StoreReader, document: PdfDocument): readonly StoredStream[] {
  try {
    return reader.read(document) ?? [];
  } catch (error) {
    if (error instanceof SigningError && error.code === 'PDF_MALFORMED') return [];
    throw error;
  }
}

/**
 * Reads the lists of the document security store (ISO 32000-2 §12.8.4.3) in the last revision. Bytes belong to the
 * first revision with these bytes in its store, and later time stamps cover the bytes. A later writer may repeat the
 * same bytes, as EU DSS does.
 */
export function readSecurityStore(document: PdfDocument, revisions: readonly Revision[]): ReadStore {
  const reader = new StoreReader();
  const current = reader.read(document);
  if (current === undefined) return { complete: true };
  const { complete } = reader;
  const numberAt = (end: number | undefined): number | undefined =>
    end === undefined ? undefined : revisions.find((one) => one.end !== undefined && one.end >= end)?.number;
  const numbers = new Map<string, number>();
  const note = ({ data, end }: StoredStream): void => {
    const [name, number] = [hash('sha256', data, 'hex'), numberAt(end)];
    if (number !== undefined) numbers.set(name, Math.min(number, numbers.get(name) ?? Infinity));
  };
  current.forEach(note);
  for (const { structure } of revisions.slice(0, -1))
    readEarlier(reader, document.seenThrough(structure)).forEach(note);
  const of = (list: StoredStream['list']): readonly Buffer[] =>
    current.filter((stream) => stream.list === list).map(({ data }) => data);
  const lists = { certificates: of('Certs'), ocspResponses: of('OCSPs'), crls: of('CRLs') };
  return { store: { ...lists, revisionOf: (data) => numbers.get(hash('sha256', data, 'hex')) }, complete };
}
