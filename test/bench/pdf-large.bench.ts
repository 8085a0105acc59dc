import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { runTool } from '../oracles/run-program.ts';
import { writeLargePdf } from '../signing/pdf/large-pdf.ts';
import { interleave, median, compared, milliseconds, type Benchmark, type BenchLine } from './harness.ts';
import { signTo, withPdfBench, type PdfBench } from './pdf-bench.ts';

const LARGE_MEGABYTES = 500;

async function compareLarge({ folder, signer }: PdfBench): Promise<BenchLine> {
  const inputPath = join(folder, 'large.pdf');
  await writeLargePdf(inputPath, LARGE_MEGABYTES);
  const timed = async (action: (outputPath: string) => Promise<unknown>): Promise<number> => {
    const outputPath = join(folder, 'large-out.pdf');
    const elapsed = await milliseconds(() => action(outputPath));
    await rm(outputPath);
    return elapsed;
  };
  const figures = await interleave({
    ours: () => timed((outputPath) => signTo(signer, inputPath, outputPath)),
    tools: () =>
      timed(async (outputPath) => {
        await runTool('openssl', ['dgst', '-sha256', inputPath]);
        await runTool('cp', [inputPath, outputPath]);
        // Ours ends when the file is on disk; so does this.
        await runTool('sync', [outputPath]);
      }),
  });
  return {
    what: `PAdES over a PDF of ${LARGE_MEGABYTES} MB against openssl dgst, cp and sync`,
    ...compared(figures, 'ours', 'tools'),
    bound: { atMost: 1.5 },
    detail: `${median(figures.ours).toFixed(0)} ms against ${median(figures.tools).toFixed(0)} ms`,
  };
}

export const benchmark: Benchmark = {
  name: 'PAdES: a large file against the tools that read and copy it',
  peakMegabytesAtMost: 100,
  run: () => withPdfBench(compareLarge),
};
