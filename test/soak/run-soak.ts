/**
 * `npm run soak -- [documents | states | kills | anomalies] [--count N] [--seed N]`: the long forms of the tests' short
 * proofs. Prints its figures; exits with 1 when any figure is missed. N counts documents, runs of the model and kills;
 * for anomalies, the most calls of a single kind failing in turn during a restore.
 */
import { parseArgs } from 'node:util';
import { runKills } from '../anomalies/kills/kill-rounds.ts';
import { runStates } from '../anomalies/states/run-states.ts';
import { soakAnomalies } from './anomalies.ts';
import { soakDocuments } from './documents.ts';

/** The peak of the last quarter may be so many times the peak of the second. */
const MEMORY_GROWTH = 1.1;

interface SoakOptions {
  readonly count: number | undefined;
  readonly seed: number;
}

const tell = (line: string): void => console.log(`        ${line}`);
const megabytes = (bytes: number): string => `${(bytes / 2 ** 20).toFixed(1)} MB`;

/** Each tells its figures, and answers whether all are as required, or rejects. By their names, in order. */
const soaks: Readonly<Record<string, (options: SoakOptions) => Promise<boolean>>> = {
  async documents({ count = 10_000, seed }) {
    const figures = await soakDocuments(count, seed, tell);
    const { signed, failed, seconds, peaks, descriptors, notified, exitCode } = figures;
    const growth = peaks[3] / peaks[1];
    tell(`${signed} signed, ${failed} failed as they should, ${seconds} s`);
    tell(`memory: peaks of the quarters ${peaks.map(megabytes).join(', ')}; last/second ${growth.toFixed(3)}`);
    tell(`open files: ${descriptors.before} before, ${descriptors.early} early, ${descriptors.end} at the end`);
    tell(`${notified} notifications arrived; the instance ended with ${exitCode ?? 'a signal'}`);
    return growth <= MEMORY_GROWTH && descriptors.end <= descriptors.early && exitCode === 0;
  },

  async states({ count = 1000, seed }) {
    await runStates(count, seed);
    tell(`${count} runs of the model of transactions, of up to 30 steps each`);
    return true;
  },

  async kills({ count = 200, seed }) {
    const { rounds, acknowledged, resumed, ended } = await runKills(count, seed, tell);
    tell(
      `${rounds} rounds, ${ended} of them over before the kill: ${acknowledged} transactions acknowledged, none lost`,
    );
    tell(`${resumed} documents waited at a kill and were signed by the next start`);
    return true;
  },

  anomalies: async ({ count }) => soakAnomalies(count, tell),
};

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { count: { type: 'string' }, seed: { type: 'string' } },
  });
  const [count, seed] = [values.count === undefined ? undefined : Number(values.count), Number(values.seed ?? 1)];
  if (![count ?? 1, seed].every(Number.isSafeInteger)) throw new TypeError('--count and --seed are whole numbers.');
  for (const name of positionals.length > 0 ? positionals : Object.keys(soaks)) {
    const soak = soaks[name];
    if (soak === undefined) throw new TypeError(`There is ${Object.keys(soaks).join(', ')}, no "${name}".`);
    console.log(`soak    ${name}, seed ${seed}`);
    const passed = await soak({ count, seed }).catch((error: unknown) => {
      console.log(error);
      return false;
    });
    console.log(`${passed ? 'ok    ' : 'MISSED'}  ${name}`);
    if (!passed) process.exitCode = 1;
  }
}

await main();
