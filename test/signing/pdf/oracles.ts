/** Programs we did not write, asked about a PDF: poppler's pdfsig, qpdf and OpenSSL. */
import { readFile, rm, writeFile } from 'node:fs/promises';
import { verifyWithBouncyCastle } from '../../oracles/bouncy-castle.ts';
import { runProgram } from '../../oracles/run-program.ts';

/** These programs hang on some damaged files: a timeout in milliseconds ends each. */
const HANGING = { limit: 20_000 };

export interface PdfsigSignature {
  readonly field: string;
  readonly valid: boolean;
  /** True when nothing follows the signed bytes. */
  readonly whole: boolean;
  readonly verdict: string;
}

/** The verdict of pdfsig on the integrity of each signature, without empty fields; undefined if pdfsig hangs. */
export async function askPdfsig(path: string, password?: string): Promise<readonly PdfsigSignature[] | undefined> {
  const opening = password === undefined ? [] : ['-upw', password, '-opw', password];
  const { code, output } = await runProgram('pdfsig', ['-nocert', ...opening, path], HANGING);
  if (code === null) return undefined;
  return output
    .split(/^Signature #\d+:$/m)
    .slice(1)
    .filter((part) => !part.includes('The signature form field is not signed.'))
    .map((part) => {
      const verdict = /- Signature Validation: (.*)/.exec(part)?.[1] ?? 'no verdict';
      return {
        field: /- Signature Field Name: (.*)/.exec(part)?.[1] ?? '',
        valid: verdict === 'Signature is Valid.',
        whole: /^ {2}- Total document signed$/m.test(part),
        verdict,
      };
    });
}

export interface QpdfCheck {
  /** 0 clean, 2 errors, 3 warnings; undefined when qpdf hangs. */
  readonly exitCode: number | undefined;
  /** Complaints without their places, to compare two versions of a file. */
  readonly complaints: readonly string[];
  readonly needsPassword: boolean;
  /** Encrypted by another handler than the password handler. */
  readonly needsCertificate: boolean;
}

export async function askQpdf(path: string, password = ''): Promise<QpdfCheck> {
  const result = await runProgram('qpdf', ['--check', `--password=${password}`, path], HANGING);
  const output = result.output + result.errors;
  const complaints = output
    .split('\n')
    .filter((line) => /^(WARNING|ERROR)|^qpdf: /.test(line))
    .map((line) => line.replaceAll(path, '').replaceAll(/\d+/g, '#'));
  const needsPassword = /invalid password/.test(output);
  const needsCertificate = /unsupported encryption filter/.test(output);
  return { exitCode: result.code ?? undefined, complaints, needsPassword, needsCertificate };
}

/** Runs qpdf to make a PDF; its warnings are fine, its errors are not. */
export async function makeWithQpdf(parameters: readonly string[]): Promise<void> {
  const { code, errors } = await runProgram('qpdf', parameters);
  if (code !== 0 && code !== 3) throw new Error(`qpdf ${parameters.join(' ')}: ${errors}`);
}

/** All objects decrypted and decoded by qpdf, by reference (`obj:12 0 R`), strings as `u:…` or `b:…`. */
export async function readObjectsWithQpdf(path: string): Promise<ReadonlyMap<string, unknown>> {
  const { output } = await runProgram('qpdf', ['--json=2', '--json-key=qpdf', '--no-warn', '--password=', path]);
  const { qpdf } = JSON.parse(output) as { qpdf: [unknown, Record<string, unknown>] };
  return new Map(Object.entries(qpdf[1]));
}

/** The signature dictionaries of a PDF, as read by qpdf. */
export async function readSignaturesWithQpdf(path: string): Promise<readonly Record<string, unknown>[]> {
  const dictionaries: Record<string, unknown>[] = [];
  for (const object of (await readObjectsWithQpdf(path)).values()) {
    const { value } = object as { value?: unknown };
    if (typeof value === 'object' && value !== null && '/ByteRange' in value) dictionaries.push(value);
  }
  return dictionaries;
}

/** Calls `judge` for each signature with files holding the signature and the covered bytes, as told by qpdf. */
async function judgeEach<Verdict>(
  path: string,
  judge: (signature: string, content: string) => Promise<Verdict>,
): Promise<readonly Verdict[]> {
  const file = await readFile(path);
  const [signaturePath, contentPath] = [`${path}.cms`, `${path}.content`];
  const verdicts: Verdict[] = [];
  for (const signature of await readSignaturesWithQpdf(path)) {
    const [, first = 0, second = 0, length = 0] = signature['/ByteRange'] as number[];
    const content = Buffer.concat([file.subarray(0, first), file.subarray(second, second + length)]);
    const cms = Buffer.from((signature['/Contents'] as string).replace(/^b:/, ''), 'hex');
    await Promise.all([writeFile(contentPath, content), writeFile(signaturePath, cms)]);
    verdicts.push(await judge(signaturePath, contentPath));
    await Promise.all([rm(contentPath), rm(signaturePath)]);
  }
  return verdicts;
}

/** The verdict of OpenSSL on each signature. Trust is not checked. */
export function askOpenssl(path: string): Promise<readonly boolean[]> {
  return judgeEach(path, async (signature, content) => {
    const files = ['-in', signature, '-content', content, '-out', '/dev/null'];
    const choices = ['cms', '-verify', '-noverify', '-binary', '-inform', 'DER'];
    return (await runProgram('openssl', [...choices, ...files])).code === 0;
  });
}

/** The findings of Bouncy Castle about the signers of each signature. Trust is not checked. */
export const askBouncyCastle = (path: string): Promise<readonly (readonly boolean[])[]> =>
  judgeEach(path, (signature, content) => verifyWithBouncyCastle({ signature, content }));
