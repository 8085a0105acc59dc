import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CmsSigner } from '../../../src/signing/cms/index.ts';
import { SigningError } from '../../../src/signing/errors.ts';
import { inspectPdf } from '../../../src/signing/pdf/verification/verify-pdf.ts';
import { signPdf } from '../../../src/signing/pdf/signature/sign-pdf.ts';
import { runNode } from '../../oracles/run-program.ts';
import { buildPdf, onePage } from './build-pdf.ts';
import { writeLargePdf } from './large-pdf.ts';
import { askQpdf, askPdfsig, makeWithQpdf } from './oracles.ts';
import { SIGNING_TIME, Workshop } from './workshop.ts';

let workshop: Workshop;
let inputPath: string;
beforeAll(async () => {
  workshop = await Workshop.open();
  inputPath = await workshop.write(buildPdf(onePage()));
});
afterAll(() => workshop.close());

const options = { subFilter: 'ETSI.CAdES.detached', signingTime: SIGNING_TIME } as const;
const exists = (path: string): Promise<boolean> =>
  readFile(path).then(
    () => true,
    () => false,
  );

describe('signPdf and its files', () => {
  it('leaves an existing file at the output alone', async () => {
    const outputPath = workshop.newPath();
    await writeFile(outputPath, 'precious');
    const signing = signPdf({ inputPath, outputPath, signer: workshop.signers.pades, options });
    await expect(signing).rejects.toMatchObject({ code: 'EEXIST' });
    expect(await readFile(outputPath, 'utf8')).toBe('precious');
  });

  it.each([
    ['does not exist', (): Promise<string> => Promise.resolve(workshop.newPath()), 'ENOENT'],
    ['is a folder', async () => mkdir(workshop.newPath(), { recursive: true }), 'PDF_UNSUPPORTED'],
    ['needs a password', async () => transform('--encrypt', 'user', 'owner', '256', '--'), 'PDF_ENCRYPTED'],
    [
      'needs a password by RC4',
      async () => transform('--allow-weak-crypto', '--encrypt', 'user', 'owner', '40', '--'),
      'PDF_ENCRYPTED',
    ],
  ] as const)('creates no output when the input %s', async (_, make, code) => {
    const refusal = await workshop.refusal((await make()) ?? '');
    expect(refusal.code).toBe(code);
  });

  async function transform(...parameters: string[]): Promise<string> {
    const path = workshop.newPath();
    await makeWithQpdf([...parameters, inputPath, path]);
    return path;
  }

  it('removes the output when the key fails', async () => {
    const outputPath = workshop.newPath();
    const failure = new SigningError('TOKEN_REMOVED', 'The token was removed.');
    const signer: CmsSigner = { ...workshop.signers.pades, signDigest: () => Promise.reject(failure) };
    await expect(signPdf({ inputPath, outputPath, signer, options })).rejects.toBe(failure);
    expect(await exists(outputPath)).toBe(false);
  });

  it('removes the output when the signature is longer than the key said', async () => {
    const outputPath = workshop.newPath();
    const signer: CmsSigner = { ...workshop.signers.pades, detachedSizeLimit: 100 };
    const signing = signPdf({ inputPath, outputPath, signer, options });
    await expect(signing).rejects.toMatchObject({ code: 'SIGNATURE_INVALID' });
    expect(await exists(outputPath)).toBe(false);
  });

  it('creates nothing when cancelled before the beginning', async () => {
    const outputPath = workshop.newPath();
    const signing = signPdf({
      inputPath,
      outputPath,
      signer: workshop.signers.pades,
      options,
      signal: AbortSignal.abort(),
    });
    await expect(signing).rejects.toMatchObject({ code: 'CANCELLED' });
    expect(await exists(outputPath)).toBe(false);
  });

  it('removes the output when cancelled while the key signs', async () => {
    const outputPath = workshop.newPath();
    const controller = new AbortController();
    const { pades } = workshop.signers;
    const signer: CmsSigner = {
      ...pades,
      signDigest: (digest, time) => {
        controller.abort();
        return pades.signDigest(digest, time);
      },
    };
    const signing = signPdf({ inputPath, outputPath, signer, options, signal: controller.signal });
    await expect(signing).rejects.toMatchObject({ code: 'CANCELLED' });
    expect(await exists(outputPath)).toBe(false);
  });

  it('signs many files at once', async () => {
    const signed = await Promise.all(Array.from({ length: 20 }, () => workshop.sign(inputPath)));
    for (const { path } of signed.slice(0, 3))
      expect((await askPdfsig(path))?.map(({ valid }) => valid)).toEqual([true]);
  });

  it('signs and verifies 200 MB in less than 150 MB of memory', async () => {
    const largePath = workshop.newPath();
    const outputPath = workshop.newPath();
    await writeLargePdf(largePath, 200);
    const script = fileURLToPath(new URL('sign-once.ts', import.meta.url));
    const stdout = await runNode([script, largePath, outputPath]);
    const { peak, outcomes } = JSON.parse(stdout) as { peak: number; outcomes: unknown };
    expect(outcomes).toEqual([{ outcome: 'intact', coversWholeFile: true }]);
    expect(peak).toBeLessThan(150e6);
    await Promise.all([rm(largePath), rm(outputPath)]);
  });
});

describe('the large PDF of the tests', () => {
  it('is accepted by qpdf', async () => {
    const path = workshop.newPath();
    await writeLargePdf(path, 2);
    expect(await askQpdf(path)).toMatchObject({ exitCode: 0, complaints: [] });
  });
});

describe('inspectPdf', () => {
  it('tells version, pages and fields, and takes the later version of header and catalog', async () => {
    const catalog = '<</Type /Catalog /Pages 2 0 R /Version /2.0>>';
    expect(await inspectPdf(await workshop.write(buildPdf(onePage({ 1: catalog }), { version: '1.4' })))).toEqual({
      version: '2.0',
      pageCount: 1,
      encrypted: false,
      signatureCount: 0,
      emptySignatureFields: [],
    });
  });

  it('leaves nothing open and nothing behind', async () => {
    const before = (await readdir(workshop.folder)).length;
    await inspectPdf(inputPath);
    expect((await readdir(workshop.folder)).length).toBe(before);
  });
});
