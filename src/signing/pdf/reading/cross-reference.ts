import { malformed } from '../syntax/pdf-error.ts';
import type { PdfFile } from './pdf-file.ts';
import { readCrossReferenceStream } from './cross-reference-stream.ts';
import { readCrossReferenceTable } from './cross-reference-table.ts';
import type { CrossReferenceSection } from './cross-reference-section.ts';
import { countOf } from '../syntax/values.ts';
import type { PdfDictionary } from '../syntax/values.ts';

/** The whole chain, newest section first. */
export interface CrossReference {
  readonly sections: readonly CrossReferenceSection[];
  /** Value of the last `startxref`: where the newest section begins, relative to the header. */
  readonly start: number;
  /** Offset of the header: all offsets in the file are relative to the header. */
  readonly base: number;
  /** Where in the file each section begins, in the same order; absent where the file's own sections are not used. */
  readonly positions?: readonly number[];
  /** Lengths of streams with a wrong dictionary, by the position of their data. */
  readonly streamLengths?: ReadonlyMap<number, number>;
}

const MAX_SECTIONS = 4096;
const MAX_TAIL = 64 * 1024;

/** The number behind the last `startxref` (ISO 32000-2 §7.5.5). */
function readStartOffset(file: PdfFile): number {
  for (let length = 2048; ; length *= 4) {
    const tail = file.text(Math.max(0, file.size - length), length);
    const at = tail.lastIndexOf('startxref');
    if (at >= 0) {
      const digits = /^startxref\s*(\d{1,15})/.exec(tail.slice(at, at + 64))?.[1];
      if (digits === undefined) malformed('no offset follows its last "startxref"');
      return Number(digits);
    }
    if (length >= MAX_TAIL || length >= file.size) malformed('its end is missing: there is no "startxref"');
  }
}

const beginsSection = (text: string): boolean => /^\s*(xref\b|\d+\s+\d+\s+obj)/.test(text);

/** True when exactly here a section begins, and not just any object. */
function isSection(text: string): boolean {
  const head = text.split(/\b(?:stream|endobj)\b/, 1)[0] ?? '';
  return head.startsWith('xref') || (/^\d+\s+\d+\s+obj/.test(head) && head.includes('/XRef'));
}

/** The header's offset when the file counts from there, else 0. Junk in front of the header shifts every offset. */
function findBase(file: PdfFile, headerOffset: number, start: number): number {
  const window = 4096;
  if (headerOffset === 0 || isSection(file.text(start, window))) return 0;
  return isSection(file.text(start + headerOffset, window).trimStart()) ? headerOffset : 0;
}

function readSection(file: PdfFile, base: number, offset: number): CrossReferenceSection {
  const position = base + offset;
  const text = file.text(position, 64);
  if (/^\s*xref/.test(text)) {
    const readHidden = (hidden: number): CrossReferenceSection => readCrossReferenceStream(file, base + hidden);
    return readCrossReferenceTable(file, position + text.indexOf('xref') + 4, readHidden);
  }
  if (!beginsSection(text)) malformed(`there is no cross-reference section at octet ${position}`);
  return readCrossReferenceStream(file, position);
}

function previousOffset(file: PdfFile, base: number, trailer: PdfDictionary): number | undefined {
  const previous = trailer.get('Prev');
  if (previous === undefined || previous === null) return undefined;
  const offset = countOf(previous);
  if (offset === undefined) malformed('a trailer has a Prev entry that is no offset');
  // Some producers write "Prev 0" for "none".
  return offset === 0 && !beginsSection(file.text(base, 64)) ? undefined : offset;
}

/** Reads all sections from the last `startxref` back to the first (ISO 32000-2 §7.5.6). */
export function readCrossReference(file: PdfFile, headerOffset: number): CrossReference {
  const start = readStartOffset(file);
  const base = findBase(file, headerOffset, start);
  const sections: CrossReferenceSection[] = [];
  const seen = new Set<number>();
  for (let offset: number | undefined = start; offset !== undefined;) {
    if (seen.has(offset)) malformed('its cross-reference sections refer to each other in a circle');
    if (seen.size === MAX_SECTIONS) malformed(`it has more than ${MAX_SECTIONS} cross-reference sections`);
    seen.add(offset);
    const section = readSection(file, base, offset);
    sections.push(section);
    offset = previousOffset(file, base, section.trailer);
  }
  return { sections, start, base, positions: [...seen].map((offset) => base + offset) };
}
