/** Every call below an instance failing, one after another: the long form of `test/anomalies`. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installFaults } from '../anomalies/faults.ts';
import { operations } from '../anomalies/operations.ts';
import { startProofServices } from '../anomalies/proof-services.ts';
import { prepareProofFolder } from '../anomalies/proof-world.ts';
import { walkOperation } from '../anomalies/walk-faults.ts';

/** Tells of each operation and kind; answers whether all that has to hold did. */
export async function soakAnomalies(every: boolean, tell: (line: string) => void): Promise<boolean> {
  await installFaults();
  const services = await startProofServices();
  const template = mkdtempSync(join(tmpdir(), 'sinete-template-'));
  await prepareProofFolder(template, services);
  let passed = true;
  try {
    for (const [name, operation] of Object.entries(operations)) {
      for (const kind of operation.kinds) {
        const begun = performance.now();
        const outcome = await walkOperation({ template, addresses: services, every }, operation, kind).then(
          (calls) => `${calls.size} different calls failed`,
          (error: unknown) => {
            passed = false;
            return error instanceof Error ? `MISSED ${error.stack ?? error.message}` : String(error);
          },
        );
        tell(`${name}, ${kind}: ${outcome}, ${((performance.now() - begun) / 1000).toFixed(1)} s`);
      }
    }
  } finally {
    await services.close();
    rmSync(template, { recursive: true });
  }
  return passed;
}
