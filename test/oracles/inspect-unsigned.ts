import assert from 'node:assert/strict';
import { runJava, type JavaProgram } from './java.ts';

/** What Bouncy Castle finds in one signer. */
export interface UnsignedInspection {
  /** Attribute types in the order in which they stand. */
  readonly types: readonly string[];
  /** Of each signature time stamp: its own signature holds, and it is over this signature value. */
  readonly stamps: readonly boolean[];
  /** Of each counter-signature: it holds. */
  readonly counters: readonly boolean[];
}

const PROGRAM: JavaProgram = {
  main: 'InspectUnsigned',
  sources: [new URL('InspectUnsigned.java', import.meta.url)],
  libraries: ['bcprov', 'bcpkix', 'bcutil'],
};

/** Looks at the unsigned attributes of several signatures in one run of Java: for each file, its signers. */
export async function inspectUnsigned(paths: readonly string[]): Promise<readonly (readonly UnsignedInspection[])[]> {
  const lines = (await runJava(PROGRAM, paths)).map((line) => line.trimEnd().split(' '));
  return paths.map((path, index) => {
    const own = lines.filter(([position]) => position === String(index));
    assert.ok(own.length > 0, `Bouncy Castle found no signer in ${path}`);
    return own.map(([, types = '-', ...verdicts]) => ({
      types: types === '-' ? [] : types.split(','),
      stamps: verdicts.filter((word) => !word.startsWith('counter=')).map((word) => word === 'true'),
      counters: verdicts.filter((word) => word.startsWith('counter=')).map((word) => word === 'counter=true'),
    }));
  });
}
