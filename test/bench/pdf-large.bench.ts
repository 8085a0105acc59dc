import { execFile } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { CmsSigner } from '../../src/signing/cms/cms-signer.ts';
import { prepareCmsSigner } from '../../src/signing/cms/sign-cms.ts';
import { softwareSigner } from '../../src/signing/keys/software-signer.ts';
import { signPdf } from '../../src/signing/pdf/sign-pdf.ts';
import { makeTestIdentity } from '../signing/cms/test-identities.ts';
import { writeLargePdf } from '../signing/pdf/large-pdf.ts';
import { interleave, median, medianRatio, milliseconds, type Benchmark, type BenchLine } from './harness.ts';

const LARGE_MEGABYTES = 500;
const run = promisify(execFile);

const signTo = (signer: CmsSigner, inputPath: string, outputPath: string): Promise<unknown> => {
  const options = { subFilter: 'ETSI.CAdES.detached', signingTime: new Date() } as const;
  return signPdf({ inputPath, outputPath, signer, options });
};

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
    bound: { atMost: 1.5 },
    detail: `${median(figures.ours).toFixed(0)} ms against ${median(figures.tools).toFixed(0)} ms`,
  };
}

export const benchmark: Benchmark = {
  name: 'PAdES: a large file against the tools that read and copy it',
  peakMegabytesAtMost: 100,
  async run() {
    const folder = await mkdtemp(join(tmpdir(), 'sinete-bench-pdf-'));
    try {
      const key = generateKeyPairSync('rsa', { modulusLength: 2048 });
      const { certificate } = makeTestIdentity({ name: 'Signer', key });
      const identity = softwareSigner(key.privateKey, certificate, []);
      const signer = prepareCmsSigner(identity, { digest: 'sha256', profile: 'cades', omitSigningTime: true });
      return [await compareLarge(folder, signer)];
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
};
