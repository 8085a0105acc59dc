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
import { interleave, median, medianRatio, milliseconds, type Benchmark, type BenchLine } from './harness.ts';

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

export const benchmark: Benchmark = {
  name: 'PAdES: many small files against bare signatures',
  peakMegabytesAtMost: 150,
  async run() {
    const folder = await mkdtemp(join(tmpdir(), 'sinete-bench-pdf-'));
    try {
      const key = generateKeyPairSync('rsa', { modulusLength: 2048 });
      const { certificate } = makeTestIdentity({ name: 'Signer', key });
      const identity = softwareSigner(key.privateKey, certificate, []);
      const signer = prepareCmsSigner(identity, { digest: 'sha256', profile: 'cades', omitSigningTime: true });
      return [await compareSmall(folder, signer, key.privateKey)];
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
};
