/** Run as a program, writes a PDF of many pages, signed twice; imported, runs itself in a process of its own. */
import { execFileSync } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { signPdf } from '../../src/signing/index.ts';
import { writeManyPages } from '../signing/pdf/large-pdf.ts';
import { makePdfSigners } from '../signing/pdf/signers.ts';

export interface ManyPages {
  readonly pages: number;
  /** Bytes of the picture on each page. */
  readonly bytes: number;
  /** Pages below one node of the tree. */
  readonly fanout: number;
}

/** In a process of its own, to make the peak of memory of the caller the peak of reading the file. */
export function writeInChild(path: string, { pages, bytes, fanout }: ManyPages): void {
  const words = [path, pages, bytes, fanout].map(String);
  execFileSync(process.execPath, [fileURLToPath(import.meta.url), ...words], { stdio: 'inherit' });
}

async function writeSigned(path: string, { pages, bytes, fanout }: ManyPages): Promise<void> {
  const { pades } = makePdfSigners();
  const options = { subFilter: 'ETSI.CAdES.detached', signingTime: new Date() } as const;
  await writeManyPages(`${path}-plain`, pages, bytes, fanout);
  await signPdf({ inputPath: `${path}-plain`, outputPath: `${path}-once`, signer: pades, options });
  await rm(`${path}-plain`);
  await signPdf({ inputPath: `${path}-once`, outputPath: path, signer: pades, options });
  await rm(`${path}-once`);
}

const [, program, path, ...numbers] = process.argv;
if (program === fileURLToPath(import.meta.url) && path !== undefined) {
  const [pages = 0, bytes = 0, fanout = 0] = numbers.map(Number);
  await writeSigned(path, { pages, bytes, fanout });
}
