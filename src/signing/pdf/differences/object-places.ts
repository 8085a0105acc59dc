/** The places of objects, and the objects moved by a revision. */
import type { CrossReferenceSection } from '../reading/cross-reference.ts';
import type { PdfDocument } from '../reading/pdf-document.ts';
import type { Revision } from './revisions.ts';

/** Maximum number of entries for an entry by entry comparison. */
export const MAX_COMPARED_ENTRIES = 1_000_000;

/**
 * Names the bytes of an object: equal places hold equal objects. Undefined for free or absent objects. An object in an
 * object stream moves with the stream.
 */
export function placeOf(view: PdfDocument, number: number): string | undefined {
  const entry = view.entry(number);
  switch (entry?.kind) {
    case 'offset':
      return `${entry.offset}.${entry.generation}`;
    case 'compressed': {
      const stream = view.entry(entry.stream);
      return stream?.kind === 'offset' ? `${stream.offset} in ${entry.stream}` : undefined;
    }
    case 'free':
    case undefined:
      return undefined;
  }
}

/** Number of entries in the revision's own sections. */
export function countListed({ structure, ownSections }: Revision): number {
  let total = 0;
  for (const section of structure.sections.slice(0, ownSections)) {
    for (const [, count] of section.listed()) total += count;
  }
  return total;
}

/** Distinct object numbers in the revision's own sections. */
export function listedNumbers({ structure, ownSections }: Revision): ReadonlySet<number> {
  const numbers = new Set<number>();
  for (const section of structure.sections.slice(0, ownSections)) {
    for (const [first, count] of section.listed()) {
      for (let number = first; number < first + count; number += 1) numbers.add(number);
    }
  }
  return numbers;
}

/**
 * True when the table and the stream of a hybrid section give an object different places, because programs differ in
 * the part they read. An object hidden in the table and listed in the stream is no conflict: all programs since PDF 1.5
 * use the stream (ISO 32000-2 §7.5.8.4).
 */
export function isAmbiguous(section: CrossReferenceSection, number: number): boolean {
  const [visible, hidden] = [section.findVisible?.(number), section.hidden?.find(number)];
  if (visible?.kind !== 'offset' || hidden === undefined || hidden.kind === 'free') return false;
  return hidden.kind !== 'offset' || hidden.offset !== visible.offset || hidden.generation !== visible.generation;
}

/** Effects of a revision on objects. */
export interface MovedObjects {
  /** Objects of the previous revision with another place now, or without a place. */
  readonly touched: ReadonlySet<number>;
  /** New objects. */
  readonly added: ReadonlySet<number>;
  /** Moved objects with their bytes in other revisions: an honest writer adds objects inside its own revision. */
  readonly elsewhere: readonly number[];
  /** Objects with another place in the table than in the stream of a hybrid section. */
  readonly ambiguous: readonly number[];
}

export function movedObjects(before: PdfDocument, after: PdfDocument, revision: Revision): MovedObjects {
  const [touched, added] = [new Set<number>(), new Set<number>()];
  const [elsewhere, ambiguous]: [number[], number[]] = [[], []];
  const own = revision.structure.sections.slice(0, revision.ownSections);
  for (const number of listedNumbers(revision)) {
    const [then, now] = [placeOf(before, number), placeOf(after, number)];
    if (own.some((section) => isAmbiguous(section, number))) ambiguous.push(number);
    if (then === now) continue;
    if (then === undefined) added.add(number);
    else touched.add(number);
    const entry = after.entry(number);
    if (entry?.kind !== 'offset') continue;
    const position = after.crossReference.base + entry.offset;
    if (position < revision.start || position >= (revision.end ?? Infinity)) elsewhere.push(number);
  }
  return { touched, added, elsewhere, ambiguous };
}

/** Entries of all sections up to a revision that point at later bytes, and the object streams in use. */
export interface Promises {
  /** Objects whose entry points past the end of its revision. */
  readonly ahead: readonly { readonly number: number; readonly position: number }[];
  readonly objectStreams: ReadonlySet<number>;
}

export function promisesOf(revisions: readonly Revision[]): Promises {
  const ahead: { number: number; position: number }[] = [];
  const objectStreams = new Set<number>();
  for (const revision of revisions) {
    const { base, sections } = revision.structure;
    for (const section of sections.slice(0, revision.ownSections)) {
      for (const [first, count] of section.listed()) {
        for (let number = first; number < first + count; number += 1) {
          const entry = section.find(number);
          if (entry?.kind === 'compressed') objectStreams.add(entry.stream);
          if (entry?.kind !== 'offset' || base + entry.offset < (revision.end ?? Infinity)) continue;
          ahead.push({ number, position: base + entry.offset });
        }
      }
    }
  }
  return { ahead, objectStreams };
}
