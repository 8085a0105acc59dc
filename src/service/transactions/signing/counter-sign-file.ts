import { readFile, stat, writeFile } from 'node:fs/promises';
import { counterSign, type Signer, SigningError, verifyCms } from '../../../signing/index.ts';
import { signatureForm } from '../choices/document-form.ts';
import type { SignatureChoice } from '../choices/signature-choice.ts';

/** A file with a signature to counter-sign into a new file. */
interface CounterSignFile {
  readonly inputPath: string;
  readonly outputPath: string;
  readonly signerIndex: number | 'all';
  readonly signingTime: Date;
  /** Also answer a result of at most this many bytes. */
  readonly returnUpTo?: number;
}

/** Most bytes: the signature with its content is rebuilt in memory. */
const largest = 64 * 2 ** 20;

/**
 * Signs the existing signature values (RFC 5652 §11.4), with the profile and the hash function of the transaction.
 * Rejects with `SIGNATURE_INVALID` for a broken signature, `CMS_UNSUPPORTED` above 64 MiB, and with the errors of
 * `counterSign`.
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
