/**
 * `npm run fuzz -- [TARGET …] [--inputs N] [--seed N] [--from N]`: damages good samples at random and reads the
 * results, each target in a thread of its own. Only `SigningError` may come out, no input may take ten seconds, and no
 * thread may need more than half a gigabyte. A failure prints the way to repeat the run. `api [OPERATION …]` fuzzes a
 * real instance instead, with N requests for each operation of its OpenAPI document.
 */
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import type { FuzzResult, FuzzRun } from './fuzz-thread.ts';
import { targets } from './targets.ts';

/** Milliseconds until `npm run fuzz` calls an input hanging. */
const HANG = 10_000;
const MEMORY = 512;

type Ending =
  | FuzzResult
  | { readonly kind: 'hung'; readonly index: number }
  | { readonly kind: 'died'; readonly index: number; readonly error: string };

/** A thread reading damaged input under watch. The thread serves several runs, because starting takes long. */
export class FuzzThread {
  #worker: Worker | undefined;

  /** Runs one target. An input hangs after `hang` milliseconds; tests set no such limit. */
  async run(run: Omit<FuzzRun, 'progress'>, hang = Infinity): Promise<Ending> {
    const progress = new SharedArrayBuffer(4);
    const current = new Int32Array(progress);
    Atomics.store(current, 0, -1);
    const worker = (this.#worker ??= new Worker(new URL('./fuzz-thread.ts', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: MEMORY },
    }));
    const { promise, resolve } = Promise.withResolvers<Ending>();
    const end = (result: FuzzResult): void => resolve(result);
    const die = (error: unknown): void =>
      resolve({ kind: 'died', index: Atomics.load(current, 0), error: String(error) });
    worker.on('message', end).on('error', die);
    const seen = { index: -1, since: performance.now() };
    const watch = setInterval(() => {
      const index = Atomics.load(current, 0);
      if (index !== seen.index) Object.assign(seen, { index, since: performance.now() });
      else if (index >= 0 && performance.now() - seen.since > hang) resolve({ kind: 'hung', index });
    }, 500);
    worker.postMessage({ ...run, progress } satisfies FuzzRun);
    const ending = await promise;
    clearInterval(watch);
    worker.off('message', end).off('error', die);
    // A hanging or dead thread serves no other run.
    if (ending.kind === 'hung' || ending.kind === 'died') await this.close();
    return ending;
  }

  async close(): Promise<void> {
    await this.#worker?.terminate();
    this.#worker = undefined;
  }
}

async function report(target: string, seed: number, ending: Ending): Promise<boolean> {
  if (ending.kind === 'done') {
    console.log(`ok      ${target}: ${ending.refused} refused, ${ending.accepted} read all the same`);
    return true;
  }
  console.log(`FAILED  ${target}: input ${ending.index} ${ending.kind === 'hung' ? 'took ten seconds' : ending.error}`);
  console.log(`        repeat: npm run fuzz -- ${target} --seed ${seed} --from ${ending.index} --inputs 1`);
  if (ending.kind === 'failed') {
    const path = join(tmpdir(), `sinete-fuzz-${target}-${seed}-${ending.index}`);
    await writeFile(path, ending.input);
    console.log(`        the input: ${path}`);
  }
  return false;
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { inputs: { type: 'string' }, seed: { type: 'string' }, from: { type: 'string' } },
  });
  const [inputs, seed, from] = [Number(values.inputs ?? 100_000), Number(values.seed ?? 1), Number(values.from ?? 0)];
  if (![inputs, seed, from].every(Number.isSafeInteger))
    throw new TypeError('--inputs, --seed and --from are whole numbers.');
  if (positionals[0] === 'api') {
    // Loads the whole product, unlike the other targets.
    const { runApiFuzz } = await import('../api-fuzz/run-api-fuzz.ts');
    await runApiFuzz(positionals.slice(1), Number(values.inputs ?? 2000), seed);
    return;
  }
  for (const target of positionals.length > 0 ? positionals : Object.keys(targets)) {
    // Each target has a thread of its own, with its own use of memory.
    const thread = new FuzzThread();
    const passed = await report(target, seed, await thread.run({ target, seed, from, inputs }, HANG));
    await thread.close();
    if (!passed) process.exitCode = 1;
  }
}

if (import.meta.main) await main();
