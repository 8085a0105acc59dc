/**
 * `npm run soak -- [documents] [--count N] [--seed N]`: the long forms of the proofs that the tests hold in
 * short. Prints its figures; exits with 1 when one of them is missed.
 */
import { parseArgs } from 'node:util';
import { soakAnomalies } from './anomalies.ts';
import { soakDocuments } from './documents.ts';

/** The peak of the last quarter may be so many times that of the second. */
const MEMORY_GROWTH = 1.1;

interface SoakOptions {
  readonly count: number | undefined;
  readonly seed: number;
}

const megabytes = (octets: number): string => `${(octets / 2 ** 20).toFixed(1)} MB`;

async function documents({ count = 10_000, seed }: SoakOptions): Promise<boolean> {
  const figures = await soakDocuments(count, seed, tell);
  const { peaks, descriptors, exitCode } = figures;
  const growth = peaks[3] / peaks[1];
  console.log(`        ${figures.signed} signed, ${figures.failed} failed as they should, ${figures.seconds} s`);
  console.log(
    `        memory: peaks of the quarters ${peaks.map(megabytes).join(', ')}; last/second ${growth.toFixed(3)}`,
  );
  console.log(
    `        open files: ${descriptors.before} before, ${descriptors.early} early, ${descriptors.end} at the end`,
  );
  console.log(`        ${figures.notified} notifications arrived; the instance ended with ${exitCode ?? 'a signal'}`);
  return growth <= MEMORY_GROWTH && descriptors.end <= descriptors.early && exitCode === 0;
}

const tell = (line: string): void => console.log(`        ${line}`);

/** By their names, in the order in which they run. */
const soaks: Readonly<Record<string, (options: SoakOptions) => Promise<boolean>>> = {
  documents,
  anomalies: async ({ count }) => soakAnomalies(count === undefined, tell),
};

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { count: { type: 'string' }, seed: { type: 'string' } },
  });
  const options = {
    count: values.count === undefined ? undefined : Number(values.count),
    seed: Number(values.seed ?? 1),
  };
  for (const name of positionals.length > 0 ? positionals : Object.keys(soaks)) {
    const soak = soaks[name];
    if (soak === undefined) throw new TypeError(`There is ${Object.keys(soaks).join(', ')}, no "${name}".`);
    console.log(`soak    ${name}, seed ${options.seed}`);
    const passed = await soak(options);
    console.log(`${passed ? 'ok    ' : 'MISSED'}  ${name}`);
    if (!passed) process.exitCode = 1;
  }
}

await main();
