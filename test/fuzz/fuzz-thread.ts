/** The thread reading damaged input, run after run. The thread tells its present input: a hang is seen. */
import { parentPort } from 'node:worker_threads';
import { SigningError } from '../../src/signing/index.ts';
import { Chance, mutate } from './mutate.ts';
import { targets } from './targets.ts';

/** The order for one run. */
export interface FuzzRun {
  readonly target: string;
  readonly seed: number;
  readonly from: number;
  readonly inputs: number;
  /** One number: the input being read. */
  readonly progress: SharedArrayBuffer;
}

/** The end of a run: all read, or the first input with a forbidden failure. */
export type FuzzResult =
  | { readonly kind: 'done'; readonly accepted: number; readonly refused: number }
  | { readonly kind: 'failed'; readonly index: number; readonly error: string; readonly input: Uint8Array };

async function fuzz({ target, seed, from, inputs, progress }: FuzzRun): Promise<FuzzResult> {
  const create = targets[target];
  if (create === undefined) throw new TypeError(`There is no target ${target}.`);
  const reader = create();
  const current = new Int32Array(progress);
  const counts = { accepted: 0, refused: 0 };
  try {
    const samples = await reader.samples();
    for (let index = from; index < from + inputs; index += 1) {
      const input = mutate(samples, new Chance(seed * 1_000_003 + index));
      Atomics.store(current, 0, index);
      try {
        await reader.read(input);
        counts.accepted += 1;
      } catch (error) {
        if (!(error instanceof SigningError)) {
          const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
          return { kind: 'failed', index, error: text, input };
        }
        counts.refused += 1;
      }
    }
    return { kind: 'done', ...counts };
  } finally {
    reader.close?.();
  }
}

parentPort?.on('message', (run: FuzzRun) => {
  void fuzz(run).then((result) => parentPort?.postMessage(result));
});
