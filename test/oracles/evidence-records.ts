import assert from 'node:assert/strict';
import { runJava, type JavaProgram } from './java.ts';

const PROGRAM: JavaProgram = {
  main: 'EvidenceRecords',
  sources: [new URL('EvidenceRecords.java', import.meta.url)],
  libraries: ['bcprov', 'bcpkix', 'bcutil'],
};

/** Runs an action of `EvidenceRecords.java`: a request for a time stamp, or records. */
export async function makeWithBouncyCastle(...words: readonly string[]): Promise<readonly Buffer[]> {
  return (await runJava(PROGRAM, words)).map((line) => Buffer.from(line, 'hex'));
}

/** True when Bouncy Castle finds the data under the record, and the record's last time stamp sound. */
export async function isRecordOver(recordPath: string, dataPath: string): Promise<boolean> {
  const [line = ''] = await runJava(PROGRAM, ['verify', recordPath, dataPath]);
  assert.match(line, /^(true|false .*)$/);
  return line === 'true';
}
