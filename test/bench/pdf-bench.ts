/** Shared by the benchmarks of PDF signatures: a scratch folder, an RSA-2048 signer, and a function signing. */
import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CmsSigner } from '../../src/signing/cms/cms-signer.ts';
import { prepareCmsSigner } from '../../src/signing/cms/sign-cms.ts';
import { softwareSigner } from '../../src/signing/keys/software-signer.ts';
import { signPdf } from '../../src/signing/pdf/signature/sign-pdf.ts';
import { makeTestIdentity } from '../signing/cms/test-identities.ts';
import type { BenchLine } from './harness.ts';

export interface PdfBench {
  readonly folder: string;
  readonly signer: CmsSigner;
  readonly privateKey: KeyObject;
}

/** Signs as PAdES, from a file into a file. */
export const signTo = (signer: CmsSigner, inputPath: string, outputPath: string): Promise<unknown> => {
  const options = { subFilter: 'ETSI.CAdES.detached', signingTime: new Date() } as const;
  return signPdf({ inputPath, outputPath, signer, options });
};

/** Runs `measure` in a folder removed afterwards. */
export async function withPdfBench(measure: (bench: PdfBench) => Promise<BenchLine>): Promise<readonly BenchLine[]> {
  const folder = await mkdtemp(join(tmpdir(), 'sinete-bench-pdf-'));
  try {
    const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const { certificate } = makeTestIdentity({ name: 'Signer', key: { privateKey, publicKey } });
    const identity = softwareSigner(privateKey, certificate, []);
    const signer = prepareCmsSigner(identity, { digest: 'sha256', profile: 'cades', omitSigningTime: true });
    return [await measure({ folder, signer, privateKey })];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
