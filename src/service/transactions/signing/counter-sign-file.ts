import { readFile, stat, writeFile } from 'node:fs/promises';
import { counterSign, type Signer, SigningError, verifyCms } from '../../../signing/index.ts';
import { signatureForm } from '../intake/document-form.ts';
import type { SignatureChoice } from '../intake/signature-choice.ts';

/** One signature in a file, whose signers are counter-signed into a new file. */
interface CounterSignFile {
  readonly inputPath: string;
  readonly outputPath: string;
  readonly signerIndex: number | 'all';
  readonly signingTime: Date;
  /** Also answer the result when it is not longer than this many octets. */
  readonly returnUpTo?: number;
}

/** The signature is put together again in memory, with what it encloses. */
const largest = 64 * 2 ** 20;

/**
 * Signs the signature values that are there (RFC 5652 §11.4), with the profile and the hash of the transaction. Rejects
 * with `SIGNATURE_INVALID` when one of them is broken, `CMS_UNSUPPORTED` above 64 MiB, and with what `counterSign` does.
 */
export async function counterSignFile(
  signer: Signer,
  { type, digest }: SignatureChoice,
  { inputPath, outputPath, signerIndex, signingTime, returnUpTo }: CounterSignFile,
): Promise<{ readonly size: number; readonly signature?: Buffer }> {
  if ((await stat(inputPath)).size > largest) {
    throw new SigningError('CMS_UNSUPPORTED', 'Signatures up to 64 MiB, with what they enclose, are counter-signed.');
  }
  const existing = await readFile(inputPath);
  await expectUnbroken(existing, signerIndex);
  const { profile } = signatureForm(type);
  const result = await counterSign(existing, { signer, signerIndex, digest, profile, signingTime });
  await writeFile(outputPath, result, { flag: 'wx', flush: true });
  return {
    size: result.length,
    ...(returnUpTo !== undefined && result.length <= returnUpTo ? { signature: result } : {}),
  };
}

/** As far as can be told without the document of a detached signature. */
async function expectUnbroken(existing: Buffer, signerIndex: number | 'all'): Promise<void> {
  const { signers } = await verifyCms(existing);
  const broken = signers.find(
    ({ outcome }, index) => outcome === 'broken' && (signerIndex === 'all' || index === signerIndex),
  );
  if (broken === undefined) return;
  throw new SigningError('SIGNATURE_INVALID', broken.reason ?? 'The signature is broken.');
}
