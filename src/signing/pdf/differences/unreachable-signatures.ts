/** Finds signatures in the bytes of the file that no version of the document refers to. */
import { SigningError } from '../../errors.ts';
import { readIndirectObject } from '../reading/indirect-object.ts';
import type { PdfDocument } from '../reading/pdf-document.ts';
import type { PdfFile } from '../reading/pdf-file.ts';
import { malformed } from '../syntax/pdf-error.ts';
import { PdfString, USAGE_RIGHTS, type PdfDictionary } from '../syntax/values.ts';
import { transformsOf } from './change-sentences.ts';
import { readRevisions, type Revision } from './revisions.ts';
import { readRange } from './signature-structure.ts';

/**
 * The beginning of `/ByteRange`, used to find its places. Node searches texts of up to seven characters three times as
 * fast as longer texts, at the speed of `memchr`.
 */
const KEY_START = '/ByteRa';
/** A byte range of four direct numbers, as every known signer writes it. */
const RANGE = /^\/ByteRange\s*\[\s*0\s+(\d{1,15})\s+(\d{1,15})\s+(\d{1,15})\s*\]/;
/** Maximum number of characters of a range, and from the beginning of an object to its first entry of interest. */
const RANGE_LENGTH = 256;
const HEAD_LENGTH = 8192;
const HEAD = /(?<![\w.])\d{1,10}\s+\d{1,5}\s+obj\b/g;
/** Maximum number of places to search. */
const MAX_PLACES = 4096;

/** Bytes in front of a byte range in which its object begins: `Contents` may come first. */
const LONGEST_HEAD = 128 * 1024;
/** Maximum number of byte ranges without a sound hole whose objects are looked for. */
const MAX_ODD = 64;

/** A signature dictionary with a sound hole, read from its place in the file. */
export interface UnreachableSignature {
  readonly dictionary: PdfDictionary;
  readonly range: readonly [start: 0, length: number, secondStart: number, secondLength: number];
}

/** The places of a text in the file. */
function* placesOf(file: PdfFile, text: string): Generator<number> {
  for (const { start, bytes } of file.windows(text.length)) {
    for (let at = bytes.indexOf(text, 0, 'latin1'); at !== -1; at = bytes.indexOf(text, at + 1, 'latin1')) {
      yield start + at;
    }
  }
}

/** The object around `position`, when it is a dictionary whose `Contents` fill exactly the hole of the range. */
function readAround(file: PdfFile, position: number, hole: number, behind: number): PdfDictionary | undefined {
  const limit = Math.min(position, hole);
  const from = Math.max(0, limit - HEAD_LENGTH);
  const head = [...file.text(from, limit - from).matchAll(HEAD)].at(-1);
  if (head === undefined) return undefined;
  try {
    const { value } = readIndirectObject(file, from + head.index);
    const contents = value instanceof Map ? value.get('Contents') : undefined;
    if (!(value instanceof Map) || !(contents instanceof PdfString) || contents.position !== hole) return undefined;
    // A reserved space with zeros only holds no signature.
    const isFilled = contents.stored.some((byte) => byte !== 0);
    return isFilled && contents.position + contents.token.length === behind ? value : undefined;
  } catch (error) {
    if (!(error instanceof SigningError) || file.budget.exhausted) throw error;
    return undefined;
  }
}

/** The object around a position, when the last version of the document has the object at this place. */
function liveObjectAround(document: PdfDocument, position: number): number | undefined {
  const from = Math.max(0, position - LONGEST_HEAD);
  const head = [...document.file.text(from, position - from).matchAll(HEAD)].at(-1);
  if (head === undefined) return undefined;
  const number = Number.parseInt(head[0], 10);
  const entry = document.entry(number);
  const place = entry?.kind === 'offset' ? document.crossReference.base + entry.offset : undefined;
  return place === from + head.index ? number : undefined;
}

/** Signatures without a field, and further objects with a byte range. */
export interface UnknownRanges {
  readonly signatures: readonly UnreachableSignature[];
  /** Objects of the last version around a byte range without a sound hole. */
  readonly oddObjects: ReadonlySet<number>;
}

/**
 * Signatures whose byte range leaves out exactly their own `Contents`, and that are not among the known ones. The range
 * may end after the end of the file, when the file was cut off. An embedded file is no such case: its ranges count from
 * its own beginning.
 *
 * @param known byte ranges of the signatures that some version of the document leads to, joined by blanks
 */
export function findUnreachableSignatures(document: PdfDocument, known: ReadonlySet<string>): UnknownRanges {
  const { file } = document;
  const found = new Map<string, UnreachableSignature>();
  const oddPlaces: number[] = [];
  let places = 0;
  for (const position of placesOf(file, KEY_START)) {
    places += 1;
    if (places > MAX_PLACES) break;
    const match = RANGE.exec(file.text(position, RANGE_LENGTH));
    if (match === null) {
      oddPlaces.push(position);
      continue;
    }
    const [hole, behind, length] = match.slice(1).map(Number) as [number, number, number];
    const range = [0, hole, behind, length] as const;
    const name = range.join(' ');
    if (known.has(name) || found.has(name)) continue;
    const dictionary = readAround(file, position, hole, behind);
    if (dictionary === undefined) oddPlaces.push(position);
    else found.set(name, { dictionary, range });
  }
  const odd = oddPlaces.slice(0, MAX_ODD).map((position) => liveObjectAround(document, position));
  return {
    signatures: [...found.values()],
    oddObjects: new Set(odd.filter((number) => number !== undefined)),
  };
}

/** True for a signature dictionary that gives usage rights. */
const givesUsageRights = (document: PdfDocument, dictionary: PdfDictionary): boolean => {
  const methods = transformsOf(document, dictionary).map(({ method }) => method);
  return methods.length > 0 && methods.every((method) => USAGE_RIGHTS.includes(method));
};

/** True when the permissions of the document give usage rights (ISO 32000-2 Table 263). */
export function grantsUsageRights(document: PdfDocument): boolean {
  const permissions = document.resolve(document.catalog.value.get('Perms'));
  return permissions instanceof Map && USAGE_RIGHTS.some((key) => permissions.has(key));
}

/** True when the permissions of a revision lead to a signature of usage rights with this byte range. */
function grantsRange(view: PdfDocument, range: readonly number[]): boolean {
  const permissions = view.resolve(view.catalog.value.get('Perms'));
  if (!(permissions instanceof Map)) return false;
  return USAGE_RIGHTS.some((key) => {
    const signature = view.resolve(permissions.get(key));
    return signature instanceof Map && readRange(view, signature).join(' ') === range.join(' ');
  });
}

/**
 * True for usage rights: by the transform method, or by the permissions of a version that the signature covers. Later
 * permissions count for nothing, because a forger could hide the signature of a person in this way.
 */
export function isUsageRights(
  document: PdfDocument,
  revisions: readonly Revision[],
  { dictionary, range }: UnreachableSignature,
): boolean {
  if (givesUsageRights(document, dictionary)) return true;
  const [, , behind, length] = range;
  try {
    return revisions
      .filter(({ end = Infinity }) => end <= behind + length)
      .some(({ structure }) => grantsRange(document.seenThrough(structure), range));
  } catch (error) {
    if (!(error instanceof SigningError) || document.file.budget.exhausted) throw error;
    return false;
  }
}

/** Bytes to search for objects after the last version. */
const MAX_REST = 4 * 1024 * 1024;

/** True when objects follow the last readable version: a later version was cut off, or never finished. */
export function hasObjectsBehind({ file }: PdfDocument, end: number): boolean {
  return file.text(end, MAX_REST).search(HEAD) !== -1;
}

/** Throws `PDF_MALFORMED` for a file whose last version was cut off: programs would show the version before. */
export function expectLastVersionWhole(document: PdfDocument): void {
  const end = readRevisions(document).at(-1)?.end;
  if (end === undefined || !hasObjectsBehind(document, end)) return;
  malformed('the file is incomplete, because its last version was cut off, perhaps with a signature');
}
