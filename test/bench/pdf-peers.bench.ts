import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { existsSync, globSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { P12Signer as LibpdfSigner, PDF } from '@libpdf/core';
import { plainAddPlaceholder } from '@signpdf/placeholder-plain';
import { P12Signer as SignpdfSigner } from '@signpdf/signer-p12';
import { SignPdf } from '@signpdf/signpdf';
import { prepareCmsSigner } from '../../src/signing/cms/sign-cms.ts';
import { softwareSigner } from '../../src/signing/keys/software-signer.ts';
import { signPdf } from '../../src/signing/pdf/signature/sign-pdf.ts';
import { writePkcs12 } from '../../src/test-authority/index.ts';
import { makeTestIdentity } from '../signing/cms/test-identities.ts';
import { buildPdf, onePage } from '../signing/pdf/build-pdf.ts';
import { median, milliseconds, type Benchmark, type BenchLine } from './harness.ts';

const SMALL = 600_000;
const ROUNDS = 3;

/** The folder in memory, if any: to compare work, not the disk. */
const scratch = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();

/** The small PDFs of the folder in `BENCH_PDFS`, or some made here. */
async function smallFiles(): Promise<Buffer[]> {
  const folder = process.env['BENCH_PDFS'];
  if (folder === undefined) {
    const sizes = [1_000, 10_000, 50_000, 100_000, 200_000];
    return sizes.flatMap((size) => {
      const objects = { ...onePage(), 6: { dictionary: '', data: randomBytes(size) } };
      return [buildPdf(objects), buildPdf(objects, { kind: 'stream', compressed: [1, 2] })];
    });
  }
  const files = await Promise.all(globSync(join(folder, '**/*.pdf')).map((path) => readFile(path)));
  return files.filter(({ length }) => length < SMALL);
}

type Signs = (pdf: Buffer) => Promise<unknown>;

/** Milliseconds for each file signed by all of `contenders`, the median of a few rounds. */
async function compare<Name extends string>(
  files: readonly Buffer[],
  contenders: Readonly<Record<Name, Signs>>,
): Promise<Record<Name, number[]>> {
  const names = Object.keys(contenders) as Name[];
  const figures = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<Name, number[]>;
  for (const file of files) {
    const rounds = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<Name, number[]>;
    try {
      for (let round = 0; round < ROUNDS; round += 1) {
        for (const name of names) rounds[name].push(await milliseconds(() => contenders[name](file)));
      }
    } catch {
      continue; // A peer does not sign this file.
    }
    for (const name of names) figures[name].push(median(rounds[name]));
  }
  return figures;
}

export const benchmark: Benchmark = {
  name: 'PAdES over small PDFs with RSA-2048, how many times faster than peers (BENCH_PDFS names a folder of PDFs)',
  async run() {
    const folder = await mkdtemp(join(scratch, 'sinete-bench-pdf-peers-'));
    try {
      const key = generateKeyPairSync('rsa', { modulusLength: 2048 });
      const { certificate } = makeTestIdentity({ name: 'Signer', key });
      const privateKey = key.privateKey.export({ format: 'der', type: 'pkcs8' });
      const p12 = await writePkcs12({ privateKey, certificate, chain: [] }, 'x', { iterations: 1 });
      const identity = softwareSigner(key.privateKey, certificate, []);
      const signer = prepareCmsSigner(identity, { digest: 'sha256', profile: 'cades', omitSigningTime: true });
      const [inputPath, outputPath] = [join(folder, 'in.pdf'), join(folder, 'out.pdf')];
      const ours: Signs = async (pdf) => {
        await writeFile(inputPath, pdf);
        const options = { subFilter: 'ETSI.CAdES.detached', signingTime: new Date() } as const;
        await signPdf({ inputPath, outputPath, signer, options });
        await rm(outputPath);
      };
      const libpdfSigner = await LibpdfSigner.create(p12, 'x');
      const libpdf: Signs = async (pdf) => {
        const document = await PDF.load(new Uint8Array(pdf));
        await document.sign({ signer: libpdfSigner });
      };
      const signpdf: Signs = async (pdf) => {
        // Its signer reads the key file at its first signature and cannot be used again.
        const signpdfSigner = new SignpdfSigner(p12, { passphrase: 'x' });
        const texts = { reason: 'r', contactInfo: 'c', name: 'n', location: 'l' };
        await new SignPdf().sign(plainAddPlaceholder({ pdfBuffer: pdf, ...texts }), signpdfSigner);
      };
      const files = await smallFiles();
      const line = async (what: string, peer: Signs): Promise<BenchLine> => {
        const figures = await compare(files, { ours, peer });
        return {
          what,
          ratio: median(figures.peer) / median(figures.ours),
          detail: `median ${median(figures.ours).toFixed(2)} ms against ${median(figures.peer).toFixed(2)} ms, ${figures.ours.length} of ${files.length} files`,
        };
      };
      return [await line('@libpdf/core', libpdf), await line('@signpdf', signpdf)];
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
};
