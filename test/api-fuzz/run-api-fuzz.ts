/**
 * `npm run fuzz -- api [OPERATION …] [--inputs N] [--seed N]`: N requests for each operation of the OpenAPI document,
 * and a look at instance and log afterwards. A failure prints its seed and the smallest request that shows it.
 */
import { parseArgs } from 'node:util';
import { openFuzzedInstance } from './fuzz-api.ts';

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { inputs: { type: 'string' }, seed: { type: 'string' } },
  });
  const [requests, seed] = [Number(values.inputs ?? 2000), Number(values.seed ?? Date.now() % 2 ** 31)];
  if (![requests, seed].every(Number.isSafeInteger)) throw new TypeError('--inputs and --seed are whole numbers.');
  const instance = await openFuzzedInstance();
  try {
    const asked = instance.operations.filter(({ id }) => positionals.length === 0 || positionals.includes(id));
    if (asked.length === 0) throw new TypeError(`There is no operation ${positionals.join(', ')}.`);
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

if (import.meta.main) await main();
