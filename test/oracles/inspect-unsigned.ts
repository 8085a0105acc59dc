import assert from 'node:assert/strict';
import { runJava, type JavaProgram } from './java.ts';

/** The findings of Bouncy Castle about one signer. */
export interface UnsignedInspection {
  /** Attribute types in their order. */
  readonly types: readonly string[];
  /** For each signature time stamp: true if its own signature is valid and over this signature value. */
  readonly stamps: readonly boolean[];
  /** For each counter-signature: true if valid. */
  readonly counters: readonly boolean[];
}

const PROGRAM: JavaProgram = {
  main: 'InspectUnsigned',
  sources: [new URL('InspectUnsigned.java', import.meta.url)],
  libraries: ['bcprov', 'bcpkix', 'bcutil'],
};

/** Looks at the unsigned attributes of several signatures in a single run of Java: for each file, its signers. */
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
