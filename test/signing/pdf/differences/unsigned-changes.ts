/** The changes by a revision of an unsigned file: as for signed files, without the time for signing. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { changesSince } from '../../../../src/signing/pdf/differences/compare-revisions.ts';
import { PageNumbers } from '../../../../src/signing/pdf/differences/page-numbers.ts';
import { readRevisions, RevisionViews } from '../../../../src/signing/pdf/differences/revisions.ts';
import { PdfDocument } from '../../../../src/signing/pdf/reading/pdf-document.ts';
import { appendRevision, buildPdf, type Objects, type PdfShape } from '../build-pdf.ts';

/** Edits of objects: a whole new object, or pairs of a text and the text in its place. */
export type Edits = Readonly<Record<number, Objects[number] | readonly (readonly [from: string, to: string])[]>>;

/** The edited objects; with `whole`, the other objects as well. */
export function withEdits(objects: Objects, edits: Edits, whole = false): Objects {
  const changed: Record<number, Objects[number]> = whole ? { ...objects } : {};
  for (const [key, edit] of Object.entries(edits)) {
    const number = Number(key);
    changed[number] = edit instanceof Array ? replaced(textOf(objects, number), edit) : edit;
  }
  return changed;
}

/** The text of an object. */
export function textOf(objects: Objects, number: number): string {
  const body = objects[number];
  if (typeof body !== 'string') throw new Error(`Object ${number} is no text.`);
  return body;
}

const replaced = (body: string, edits: readonly (readonly [string, string])[]): string =>
  edits.reduce((text, [from, to]) => {
    if (!text.includes(from)) throw new Error(`The object does not say ${from}.`);
    return text.replace(from, to);
  }, body);

/** The changes since the first revision of a file: `FIELD_FILLED 6 page 1 name`, in order. */
export async function changesIn(file: Buffer): Promise<readonly string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'sinete-changes-'));
  const path = join(folder, 'file.pdf');
  writeFileSync(path, file);
  const document = await PdfDocument.open(path);
  try {
    const revisions = readRevisions(document);
    const [first] = revisions;
    if (first === undefined) throw new Error('The file has no revision.');
    const comparison = {
      document,
      revisions,
      views: new RevisionViews(document, revisions),
      pages: new PageNumbers(document),
    };
    return changesSince(comparison, first).map(({ code, objectNumber, page, fieldName }) =>
      [code, objectNumber, page === undefined ? undefined : `page ${page}`, fieldName]
        .filter((part) => part !== undefined)
        .join(' '),
    );
  } finally {
    await document.close();
    rmSync(folder, { recursive: true });
  }
}

/** The changes of one revision over a base. */
export const changesBy = async (
  base: Objects,
  changes: Objects,
  shape: PdfShape = {},
  later: PdfShape = shape,
): Promise<readonly string[]> => changesIn(appendRevision(buildPdf(base, shape), changes, later));
