import { execFile } from 'node:child_process';
import { generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { CmsSigner } from '../../src/signing/cms/cms-signer.ts';
import { prepareCmsSigner } from '../../src/signing/cms/sign-cms.ts';
import { softwareSigner } from '../../src/signing/keys/software-signer.ts';
import { signPdf } from '../../src/signing/pdf/sign-pdf.ts';
import { makeTestIdentity } from '../signing/cms/test-identities.ts';
import { buildPdf, onePage } from '../signing/pdf/build-pdf.ts';
import { writeLargePdf } from '../signing/pdf/large-pdf.ts';
import { interleave, median, medianRatio, milliseconds, type Benchmark, type BenchLine } from './harness.ts';

const UNDER_WAY = 8;
const SIGNATURES = 200;
const LARGE_MEGABYTES = 200;
const poolSign = promisify<string, Uint8Array, KeyObject, Buffer>(sign);
const run = promisify(execFile);

/** Calls `once` with `UNDER_WAY` calls at any time, and answers calls per second. */
async function rate(once: (index: number) => Promise<unknown>): Promise<number> {
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < SIGNATURES) await once(next++);
  };
  const elapsed = await milliseconds(() => Promise.all(Array.from({ length: UNDER_WAY }, worker)));
  return SIGNATURES / (elapsed / 1000);
}

const signTo = (signer: CmsSigner, inputPath: string, outputPath: string): Promise<unknown> => {
  const options = { subFilter: 'ETSI.CAdES.detached', signingTime: new Date() } as const;
  return signPdf({ inputPath, outputPath, signer, options });
};

async function compareSmall(folder: string, signer: CmsSigner, privateKey: KeyObject): Promise<BenchLine> {
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
    ratio: medianRatio(figures, 'pades', 'raw'),
    detail: `${median(figures.pades).toFixed(0)}/s against ${median(figures.raw).toFixed(0)}/s raw crypto.sign`,
  };
}

async function compareLarge(folder: string, signer: CmsSigner): Promise<BenchLine> {
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
        await run('openssl', ['dgst', '-sha256', inputPath]);
        await run('cp', [inputPath, outputPath]);
        // Ours ends when the file is on disk; so does this.
        await run('sync', [outputPath]);
      }),
  });
  return {
    what: `PAdES over a PDF of ${LARGE_MEGABYTES} MB against openssl dgst, cp and sync`,
    ratio: medianRatio(figures, 'ours', 'tools'),
    bound: { atMost: 2 },
    detail: `${median(figures.ours).toFixed(0)} ms against ${median(figures.tools).toFixed(0)} ms`,
  };
}

export const benchmark: Benchmark = {
  name: 'PAdES: many small files against bare signatures, a large file against the tools that read and copy it',
  peakMegabytesAtMost: 150,
  async run() {
    const folder = await mkdtemp(join(tmpdir(), 'sinete-bench-pdf-'));
    try {
      const key = generateKeyPairSync('rsa', { modulusLength: 2048 });
      const { certificate } = makeTestIdentity({ name: 'Signer', key });
      const identity = softwareSigner(key.privateKey, certificate, []);
      const signer = prepareCmsSigner(identity, { digest: 'sha256', profile: 'cades', omitSigningTime: true });
      return [await compareSmall(folder, signer, key.privateKey), await compareLarge(folder, signer)];
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
};
