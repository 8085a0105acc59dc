import { runProgram } from './run-program.ts';

export interface OpensslVerification {
  readonly signature: string;
  /** Absent: the content is enclosed. */
  readonly content?: string;
  /** PEM file with the root. */
  readonly trusted: string;
  /** Check the attribute naming the signer's certificate, and demand it (`-cades`). */
  readonly cades: boolean;
}

export interface Verdict {
  readonly valid: boolean;
  /** The output of the program, for a failing test. */
  readonly detail: string;
}

/** Verifies a DER signature with the `openssl` command line, path to the root included. All values are file names. */
export async function verifyWithOpenssl(request: OpensslVerification): Promise<Verdict> {
  const { signature, content, trusted, cades } = request;
  const { code, errors } = await runProgram('openssl', [
    'cms',
    '-verify',
    '-binary',
    '-inform',
    'DER',
    '-purpose',
    'any',
    '-out',
    '/dev/null',
    ...(cades ? ['-cades'] : []),
    '-in',
    signature,
    '-CAfile',
    trusted,
    ...(content === undefined ? [] : ['-content', content]),
  ]);
  return { valid: code === 0, detail: errors };
}
