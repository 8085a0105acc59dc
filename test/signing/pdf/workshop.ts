/** A scratch folder, a signer, and the checks for every signed PDF. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { signPdf } from '../../../src/signing/pdf/signature/sign-pdf.ts';
import type { PdfSignatureOptions, SignPdfResult } from '../../../src/signing/pdf/sign-request.ts';
import { verifyPdf } from '../../../src/signing/pdf/verification/verify-pdf.ts';
import { askPdfsig, askQpdf } from './oracles.ts';
import { makePdfSigners } from './signers.ts';

export const SIGNING_TIME = new Date('2026-11-20T10:20:30Z');

const withPassword = (password: string | undefined): { password?: string } => ({ password });

export class Workshop {
  readonly signers = makePdfSigners();
  readonly folder: string;
  #serial = 0;

  private constructor(folder: string) {
    this.folder = folder;
  }

  static async open(): Promise<Workshop> {
    return new Workshop(await mkdtemp(join(tmpdir(), 'sinete-pdf-')));
  }

  async close(): Promise<void> {
    await rm(this.folder, { recursive: true, force: true });
  }

  newPath(): string {
    this.#serial += 1;
    return join(this.folder, `${this.#serial}.pdf`);
  }

  async write(content: Buffer): Promise<string> {
    const path = this.newPath();
    await writeFile(path, content);
    return path;
  }

  /** Signs, and checks the input to be the prefix of the output. */
  async sign(
    inputPath: string,
    options: Partial<PdfSignatureOptions> = {},
    password?: string,
  ): Promise<SignPdfResult & { readonly path: string }> {
    const outputPath = this.newPath();
    const subFilter = options.subFilter ?? 'ETSI.CAdES.detached';
    const signer = subFilter === 'ETSI.CAdES.detached' ? this.signers.pades : this.signers.cms;
    const all: PdfSignatureOptions = { subFilter, signingTime: SIGNING_TIME, ...options };
    const result = await signPdf({ inputPath, outputPath, signer, options: all, ...withPassword(password) });
    const [before, after] = await Promise.all([readFile(inputPath), readFile(outputPath)]);
    expect(after.subarray(0, before.length).equals(before)).toBe(true);
    expect(result.size).toBe(after.length);
    expect(result.byteRange[2] + result.byteRange[3]).toBe(after.length);
    return { ...result, path: outputPath };
  }

  /** Tries to sign and answers the error's code. */
  async refusal(
    inputPath: string,
    options: Partial<PdfSignatureOptions> = {},
    password?: string,
  ): Promise<{ code: string; message: string }> {
    const outputPath = this.newPath();
    const all: PdfSignatureOptions = { subFilter: 'ETSI.CAdES.detached', signingTime: SIGNING_TIME, ...options };
    const signer = this.signers.pades;
    const signing = signPdf({ inputPath, outputPath, signer, options: all, ...withPassword(password) });
    const error: unknown = await signing.then(
      () => undefined,
      (reason: unknown) => reason,
    );
    await expect(readFile(outputPath)).rejects.toMatchObject({ code: 'ENOENT' });
    expect(error).toBeInstanceOf(Error);
    return error as Error & { code: string };
  }
}

/** pdfsig, qpdf and our own verification agree that all `count` signatures hold and the last covers everything. */
export async function expectValid(path: string, count: number): Promise<void> {
  const pdfsig = await askPdfsig(path);
  expect(pdfsig?.map(({ verdict }) => verdict)).toEqual(Array(count).fill('Signature is Valid.'));
  expect(pdfsig?.filter(({ whole }) => whole)).toHaveLength(1);
  expect(await askQpdf(path)).toMatchObject({ exitCode: 0, complaints: [] });
  const { signatures } = await verifyPdf(path);
  expect(signatures.map(({ outcome, problem }) => problem ?? outcome)).toEqual(Array(count).fill('intact'));
  expect(signatures.map(({ coversWholeFile }) => coversWholeFile)).toEqual(
    signatures.map((_, index) => index === count - 1),
  );
}
