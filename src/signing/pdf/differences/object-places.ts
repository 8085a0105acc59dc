/** Where objects stand, and which of them a revision puts elsewhere. */
import type { PdfDocument } from '../reading/pdf-document.ts';
import type { Revision } from './revisions.ts';

/** More entries than this are not compared one by one. */
export const MAX_COMPARED_ENTRIES = 1_000_000;

/**
 * Names the octets that an object is read from: equal places hold equal objects. Undefined for objects that are free or
 * absent. An object in an object stream moves when the stream does.
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

/** Entries that a revision lists itself. */
export function countListed({ structure, ownSections }: Revision): number {
  let total = 0;
  for (const section of structure.sections.slice(0, ownSections)) {
    for (const [, count] of section.listed()) total += count;
  }
  return total;
}

/** Numbers of the objects that a revision lists itself, each once. */
export function listedNumbers({ structure, ownSections }: Revision): ReadonlySet<number> {
  const numbers = new Set<number>();
  for (const section of structure.sections.slice(0, ownSections)) {
    for (const [first, count] of section.listed()) {
      for (let number = first; number < first + count; number += 1) numbers.add(number);
    }
  }
  return numbers;
}

/** What a revision does to objects. */
export interface MovedObjects {
  /** There before, and now somewhere else, or gone. */
  readonly touched: ReadonlySet<number>;
  /** Not there before. */
  readonly added: ReadonlySet<number>;
  /** Objects that are said to stand in octets of other revisions: what an honest writer adds stands in its own. */
  readonly elsewhere: readonly number[];
  /** Objects that were there, and that only some programs see changed (ISO 32000-2 §7.5.8.4). */
  readonly hidden: readonly number[];
}

export function movedObjects(before: PdfDocument, after: PdfDocument, revision: Revision): MovedObjects {
  const [touched, added] = [new Set<number>(), new Set<number>()];
  const [elsewhere, hidden]: [number[], number[]] = [[], []];
  const own = revision.structure.sections.slice(0, revision.ownSections);
  for (const number of listedNumbers(revision)) {
    const [then, now] = [placeOf(before, number), placeOf(after, number)];
    if (then !== undefined && own.some((section) => section.hidden?.find(number) !== undefined)) hidden.push(number);
    if (then === now) continue;
    if (then === undefined) added.add(number);
    else touched.add(number);
    const entry = after.entry(number);
    if (entry?.kind !== 'offset') continue;
    const position = after.crossReference.base + entry.offset;
    if (position < revision.start || position >= (revision.end ?? Infinity)) elsewhere.push(number);
  }
  return { touched, added, elsewhere, hidden };
}

/** What all sections up to one revision promise of later octets, and which object streams they need. */
export interface Promises {
  /** Objects whose entry leads behind the end of the revision that lists them. */
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
