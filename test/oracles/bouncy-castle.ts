import assert from 'node:assert/strict';
import { runJava, type JavaProgram } from './java.ts';

export interface BouncyCastleVerification {
  readonly signature: string;
  /** Absent: the content is enclosed. */
  readonly content?: string;
}

const PROGRAM: JavaProgram = {
  main: 'VerifyCms',
  sources: [new URL('VerifyCms.java', import.meta.url)],
  libraries: ['bcprov', 'bcpkix', 'bcutil'],
};

/**
 * Verifies many signatures in a single run of Java, because Java starts slowly. For each request, in order, one boolean
 * per signer; a signature unreadable for Bouncy Castle is `[]`. Paths to a root are not checked.
 */
export async function verifyAllWithBouncyCastle(
  requests: readonly BouncyCastleVerification[],
): Promise<readonly (readonly boolean[])[]> {
  const lines = await runJava(
    PROGRAM,
    requests.flatMap(({ signature, content }) => [signature, content ?? '-']),
  );
  assert.equal(lines.length, requests.length, 'Bouncy Castle answers once for each signature');
  return lines.map((line) => (line.startsWith('error') ? [] : line.split(' ').map((word) => word === 'true')));
}

/** Verifies one signature: one boolean per signer. */
export async function verifyWithBouncyCastle(request: BouncyCastleVerification): Promise<readonly boolean[]> {
  const [signers] = await verifyAllWithBouncyCastle([request]);
  return signers ?? [];
}
