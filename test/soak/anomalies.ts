/** Every call below an instance failing in sequence: the long form of `test/anomalies`. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installFaults } from '../anomalies/faults.ts';
import { operations } from '../anomalies/operations.ts';
import { startProofServices } from '../anomalies/proof-services.ts';
import { prepareProofFolder } from '../anomalies/proof-world.ts';
import { walkOperation } from '../anomalies/walk-faults.ts';
import { prepareRestore, restoreKinds, walkRestore } from '../anomalies/walk-restore.ts';

/**
 * Tells of each operation and kind; answers whether all invariants held. `most` bounds how many calls of a kind fail in
 * turn during a restore, slow by design.
 */
export async function soakAnomalies(most = Infinity, tell: (line: string) => void = () => undefined): Promise<boolean> {
  await installFaults();
  const services = await startProofServices();
  const template = mkdtempSync(join(tmpdir(), 'sinete-template-'));
  let passed = true;
  const timed = async (name: string, run: () => Promise<string>): Promise<void> => {
    const begun = performance.now();
    const outcome = await run().catch((error: unknown) => {
      passed = false;
      return `MISSED ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`;
    });
    tell(`${name}: ${outcome}, ${((performance.now() - begun) / 1000).toFixed(1)} s`);
  };
  try {
    await prepareProofFolder(template, services);
    const walk = { template, addresses: services, every: true };
    for (const [name, operation] of Object.entries(operations)) {
      for (const kind of operation.kinds) {
        await timed(`${name}, ${kind}`, async () => `${await walkOperation(walk, operation, kind)} failures survived`);
      }
    }
    const ground = await prepareRestore(template, services);
    for (const kind of restoreKinds) {
      await timed(`restoring, ${kind}`, async () => `${await walkRestore(ground, kind, most)} failures survived`);
    }
    rmSync(ground.root, { recursive: true });
  } finally {
    await services.close();
    rmSync(template, { recursive: true });
  }
  return passed;
}
