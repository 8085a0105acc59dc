import type { PdfDocument } from '../reading/pdf-document.ts';
import { readStoredStream } from '../long-term/security-store.ts';
import { PdfReference } from '../syntax/values.ts';
import type { PdfSecurityStore } from './pdf-facts.ts';

/** More than the stores of a hundred signatures with their revocation lists. */
const MAX_OCTETS = 64 * 1024 * 1024;
const MAX_STREAMS = 10_000;

export interface ReadStore {
  /** Absent when the document has none. */
  readonly store?: PdfSecurityStore;
  /** Everything named by the lists was read. */
  readonly complete: boolean;
}

/** Reads the lists of the document security store (ISO 32000-2 §12.8.4.3); equal references are read once. */
export function readSecurityStore(document: PdfDocument): ReadStore {
  const store = document.resolve(document.catalog.value.get('DSS'));
  if (!(store instanceof Map)) return { complete: true };
  let [octets, streams, complete] = [0, 0, true];
  const read = (key: string): Buffer[] => {
    const list = document.resolve(store.get(key));
    const found = new Map<number, Buffer>();
    for (const reference of Array.isArray(list) ? list : []) {
      if (!(reference instanceof PdfReference) || found.has(reference.number)) continue;
      const isTooMuch = octets > MAX_OCTETS || streams > MAX_STREAMS;
      const data = isTooMuch ? undefined : readStoredStream(document, reference);
      if (data === undefined) complete = false;
      else found.set(reference.number, data);
      octets += data?.length ?? 0;
      streams += 1;
    }
    return [...found.values()];
  };
  const lists = { certificates: read('Certs'), ocspResponses: read('OCSPs'), crls: read('CRLs') };
  return { store: lists, complete };
}
