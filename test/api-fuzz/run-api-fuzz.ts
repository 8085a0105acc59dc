/**
 * `npm run fuzz -- api [OPERATION …] [--inputs N] [--seed N]`: N requests for each operation of the OpenAPI document,
 * and a look at instance and log afterwards. A failure prints its seed and the smallest request showing it.
 */
import { openFuzzedInstance } from './fuzz-api.ts';

/** Runs it for the operations of these names, for all when there are none; prints, and sets the exit code. */
export async function runApiFuzz(names: readonly string[], requests: number, seed: number): Promise<void> {
  const instance = await openFuzzedInstance();
  try {
    const asked = instance.operations.filter(({ id }) => names.length === 0 || names.includes(id));
    if (asked.length === 0) throw new TypeError(`There is no operation ${names.join(', ')}.`);
    for (const fault of await instance.succeed()) fail(fault);
    for (const operation of asked) {
      const { failure, statuses } = await instance.fuzz(operation, { seed, requests, patience: requests * 500 });
      console.log(`${failure === undefined ? 'ok    ' : 'FAILED'} ${operation.id}: ${JSON.stringify(statuses)}`);
      if (failure !== undefined) fail(failure);
    }
    for (const fault of await instance.aftermath()) fail(fault);
  } finally {
    await instance.stop();
  }
}

function fail(text: string): void {
  console.log(text);
  process.exitCode = 1;
}
