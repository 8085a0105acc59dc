import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { PdfDocument } from '../../../../src/signing/pdf/reading/pdf-document.ts';

/** Asks about the bytes of a PDF, opened from a file as in the product. */
export type AskFile = <Answer>(file: Buffer, ask: (document: PdfDocument) => Answer) => Promise<Answer>;

/** For the tests of a file: a folder for their PDFs, which is removed afterwards. */
export function openedFiles(): AskFile {
  let folder = '';
  beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), 'sinete-pdf-'))));
  afterAll(() => rmSync(folder, { recursive: true }));
  return async (file, ask) => {
    const path = join(folder, 'file.pdf');
    writeFileSync(path, file);
    const document = await PdfDocument.open(path);
    try {
      return ask(document);
    } finally {
      await document.close();
    }
  };
}
