import { randomBytes, sign, type KeyObject } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { withSignaturesKept } from '../../src/signing/pdf/keep-signatures.ts';
import { buildPdf, onePage } from '../signing/pdf/build-pdf.ts';
import { interleave, median, compared, milliseconds, type Benchmark, type BenchLine } from './harness.ts';
import { signTo, withPdfBench, type PdfBench } from './pdf-bench.ts';

const UNDER_WAY = 8;
const SIGNATURES = 200;
const poolSign = promisify<string, Uint8Array, KeyObject, Buffer>(sign);

/** Calls `once` with `UNDER_WAY` calls at any time, and answers calls per second. */
async function rate(once: (index: number) => Promise<unknown>): Promise<number> {
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < SIGNATURES) await once(next++);
  };
  const elapsed = await milliseconds(() => Promise.all(Array.from({ length: UNDER_WAY }, worker)));
  return SIGNATURES / (elapsed / 1000);
}

async function compareSmall({ folder, signer, privateKey }: PdfBench): Promise<BenchLine> {
  const inputPath = join(folder, 'small.pdf');
  await writeFile(inputPath, buildPdf({ ...onePage(), 6: { dictionary: '', data: randomBytes(100_000) } }));
  const attributes = randomBytes(300);
  const output = (index: number): string => join(folder, `signed-${index}.pdf`);
  const figures = await interleave({
    raw: () => rate(() => poolSign('sha256', attributes, privateKey)),
    pades: async () => {
      const figure = await rate((index) => signTo(signer, inputPath, output(index)));
      await Promise.all(Array.from({ length: SIGNATURES }, (_, index) => rm(output(index))));
      return figure;
    },
  });
  return {
    what: 'PAdES over a PDF of 100 kB, file to flushed file, 8 under way, against bare RSA-2048 signatures',
    ...compared(figures, 'pades', 'raw'),
    detail: `${median(figures.pades).toFixed(0)}/s against ${median(figures.raw).toFixed(0)}/s raw crypto.sign`,
  };
}

/** The check before a signed file is handed out, as a share of the whole: a first and a second signature. */
async function measureCheck({ folder, signer }: PdfBench): Promise<BenchLine> {
  const [unsigned, signed, output] = ['plain.pdf', 'once.pdf', 'twice.pdf'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  await writeFile(unsigned, buildPdf({ ...onePage(), 6: { dictionary: '', data: randomBytes(100_000) } }));
  await signTo(signer, unsigned, signed);
  const signAgain = (): Promise<unknown> => signTo(signer, signed, output);
  const timed = async (action: () => Promise<unknown>): Promise<number> => {
    const elapsed = await milliseconds(action);
    await rm(output);
    return elapsed;
  };
  const figures = await interleave({
    checked: () => timed(() => withSignaturesKept({ inputPath: signed, outputPath: output }, signAgain)),
    plain: () => timed(signAgain),
  });
  return {
    what: 'a second signature in a PDF of 100 kB, checked before it is handed out, against unchecked',
    ...compared(figures, 'checked', 'plain'),
    detail: `${median(figures.checked).toFixed(1)} ms against ${median(figures.plain).toFixed(1)} ms`,
  };
}

export const benchmark: Benchmark = {
  name: 'PAdES: many small files against bare signatures',
  peakMegabytesAtMost: 150,
  run: async () => [...(await withPdfBench(compareSmall)), ...(await withPdfBench(measureCheck))],
};
