import type { PdfDictionary } from '../syntax/values.ts';

/** Where an object is (ISO 32000-2 §7.5.4, §7.5.8.3). Offsets are as written: relative to the header. */
export type CrossReferenceEntry =
  | { readonly kind: 'free' }
  | { readonly kind: 'offset'; readonly offset: number; readonly generation: number }
  | { readonly kind: 'compressed'; readonly stream: number };

/** One cross-reference section with its trailer. */
export interface CrossReferenceSection {
  readonly kind: 'table' | 'stream';
  readonly trailer: PdfDictionary;
  /** One more than the highest object number that has an entry. */
  readonly limit: number;
  /** Number of runs of consecutive entries: what one `find` may cost. */
  readonly runs: number;
  find(objectNumber: number): CrossReferenceEntry | undefined;
  /** The runs: first object number, and how many follow each other. */
  listed(): Iterable<readonly [first: number, count: number]>;
  /** In a hybrid file, the part that readers of PDF 1.4 do not see (ISO 32000-2 §7.5.8.4); `find` looks into it too. */
  readonly hidden?: CrossReferenceSection | undefined;
  /** What the visible part alone says; absent where all of the section is visible. */
  findVisible?(objectNumber: number): CrossReferenceEntry | undefined;
}
