/** Programs we did not write, asked about a PDF: poppler's pdfsig, qpdf and OpenSSL. */
import { verifyWithBouncyCastle } from '../../oracles/bouncy-castle.ts';
import { execFile } from 'node:child_process';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);
const LIMITS = { timeout: 20_000, maxBuffer: 64 * 1024 * 1024, killSignal: 'SIGKILL' } as const;

interface Outcome {
  readonly exitCode: number | undefined;
  readonly output: string;
}

/** Runs a program; `exitCode` is undefined when it was ended because it took too long. */
async function ask(program: string, parameters: readonly string[]): Promise<Outcome> {
  try {
    const { stdout, stderr } = await run(program, [...parameters], LIMITS);
    return { exitCode: 0, output: stdout + stderr };
  } catch (error) {
    const failure = error as { code?: unknown; stdout?: string; stderr?: string };
    if (failure.code === 'ENOENT') throw error;
    const exitCode = typeof failure.code === 'number' ? failure.code : undefined;
    return { exitCode, output: `${failure.stdout ?? ''}${failure.stderr ?? ''}` };
  }
}

export interface PdfsigSignature {
  readonly field: string;
  readonly valid: boolean;
  /** True when nothing follows the signed octets. */
  readonly whole: boolean;
  readonly verdict: string;
}

/** What pdfsig says of the integrity of each signature, empty fields left out; undefined when it hangs. */
export async function askPdfsig(path: string, password?: string): Promise<readonly PdfsigSignature[] | undefined> {
  const opening = password === undefined ? [] : ['-upw', password, '-opw', password];
  const { exitCode, output } = await ask('pdfsig', ['-nocert', ...opening, path]);
  if (exitCode === undefined) return undefined;
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
  /** 0 clean, 2 errors, 3 warnings; undefined when it hangs. */
  readonly exitCode: number | undefined;
  /** Complaints without the places they name, so that two versions of a file compare. */
  readonly complaints: readonly string[];
  readonly needsPassword: boolean;
  /** Encrypted by another handler than the one for passwords. */
  readonly needsCertificate: boolean;
}

export async function askQpdf(path: string, password = ''): Promise<QpdfCheck> {
  const { exitCode, output } = await ask('qpdf', ['--check', `--password=${password}`, path]);
  const complaints = output
    .split('\n')
    .filter((line) => /^(WARNING|ERROR)|^qpdf: /.test(line))
    .map((line) => line.replaceAll(path, '').replaceAll(/\d+/g, '#'));
  const needsPassword = /invalid password/.test(output);
  const needsCertificate = /unsupported encryption filter/.test(output);
  return { exitCode, complaints, needsPassword, needsCertificate };
}

/** Runs qpdf to make a PDF; its warnings are fine, its errors are not. */
export async function makeWithQpdf(parameters: readonly string[]): Promise<void> {
  const { exitCode, output } = await ask('qpdf', parameters);
  if (exitCode !== 0 && exitCode !== 3) throw new Error(`qpdf ${parameters.join(' ')}: ${output}`);
}

/** All objects as qpdf decrypts and decodes them, by reference (`obj:12 0 R`), strings as `u:…` or `b:…`. */
export async function readObjectsWithQpdf(path: string): Promise<ReadonlyMap<string, unknown>> {
  const { output } = await ask('qpdf', ['--json=2', '--json-key=qpdf', '--no-warn', '--password=', path]);
  const { qpdf } = JSON.parse(output) as { qpdf: [unknown, Record<string, unknown>] };
  return new Map(Object.entries(qpdf[1]));
}

/** The signature dictionaries of a PDF, as qpdf reads them. */
export async function readSignaturesWithQpdf(path: string): Promise<readonly Record<string, unknown>[]> {
  const dictionaries: Record<string, unknown>[] = [];
  for (const object of (await readObjectsWithQpdf(path)).values()) {
    const { value } = object as { value?: unknown };
    if (typeof value === 'object' && value !== null && '/ByteRange' in value) dictionaries.push(value);
  }
  return dictionaries;
}

/** Calls `judge` for each signature with files that hold it and the octets that qpdf says it covers. */
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

/** What OpenSSL says of each signature. Trust is not looked at. */
export function askOpenssl(path: string): Promise<readonly boolean[]> {
  return judgeEach(path, async (signature, content) => {
    const files = ['-in', signature, '-content', content, '-out', '/dev/null'];
    const { exitCode } = await ask('openssl', ['cms', '-verify', '-noverify', '-binary', '-inform', 'DER', ...files]);
    return exitCode === 0;
  });
}

/** What Bouncy Castle says of the signers of each signature. Trust is not looked at. */
export const askBouncyCastle = (path: string): Promise<readonly (readonly boolean[])[]> =>
  judgeEach(path, (signature, content) => verifyWithBouncyCastle({ signature, content }));
