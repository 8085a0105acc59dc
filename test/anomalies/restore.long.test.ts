import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { installFaults } from './faults.ts';
import { startProofServices, type ProofServices } from './proof-services.ts';
import { prepareProofFolder } from './proof-world.ts';
import { prepareRestore, restoreKinds, walkRestore, type RestoreGround } from './walk-restore.ts';

let services: ProofServices;
let ground: RestoreGround;
beforeAll(async () => {
  await installFaults();
  services = await startProofServices();
  const template = mkdtempSync(join(tmpdir(), 'sinete-template-'));
  await prepareProofFolder(template, services);
  ground = await prepareRestore(template, services);
  rmSync(template, { recursive: true });
});
afterAll(async () => {
  await services.close();
  rmSync(ground.root, { recursive: true });
});

describe('a restore over an instance, the n-th call below failing', () => {
  it.each(restoreKinds)(
    'leaves the old or the restored instance, whole, and nothing else: %s',
    async (kind) => {
      expect(await walkRestore(ground, kind, kind === 'rename' ? 2 : 1)).toBeGreaterThan(0);
    },
    300_000,
  );
});
