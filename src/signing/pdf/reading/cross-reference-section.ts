import type { PdfDictionary } from '../syntax/values.ts';

/** Where an object is (ISO 32000-2 §7.5.4, §7.5.8.3). Offsets are as written: relative to the header. */
export type CrossReferenceEntry =
  | { readonly kind: 'free' }
  | { readonly kind: 'offset'; readonly offset: number; readonly generation: number }
  | { readonly kind: 'compressed'; readonly stream: number };

/** A cross-reference section with its trailer. */
export interface CrossReferenceSection {
  readonly kind: 'table' | 'stream';
  readonly trailer: PdfDictionary;
  /** The highest object number in the section plus 1. */
  readonly limit: number;
  /** Number of runs of consecutive entries: the cost of a `find`. */
  readonly runs: number;
  find(objectNumber: number): CrossReferenceEntry | undefined;
  /** The runs: first object number, and how many follow each other. */
  listed(): Iterable<readonly [first: number, count: number]>;
  /** In a hybrid file, the part invisible to readers of PDF 1.4 (ISO 32000-2 §7.5.8.4); `find` includes this part. */
  readonly hidden?: CrossReferenceSection | undefined;
  /** The entry of the visible part alone; absent when the whole section is visible. */
  findVisible?(objectNumber: number): CrossReferenceEntry | undefined;
}
