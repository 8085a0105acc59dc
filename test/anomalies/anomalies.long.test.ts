import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { installFaults, type FaultKind } from './faults.ts';
import { operations } from './operations.ts';
import { startProofServices, type ProofServices } from './proof-services.ts';
import { prepareProofFolder } from './proof-world.ts';
import { walkOperation, type Walk } from './walk-faults.ts';

/** Each attempt starts two instances; a busy machine makes each slow. */
const PATIENCE = 300_000;

let services: ProofServices;
let walk: Walk;
beforeAll(async () => {
  await installFaults();
  services = await startProofServices();
  const template = mkdtempSync(join(tmpdir(), 'sinete-template-'));
  await prepareProofFolder(template, services);
  walk = { template, addresses: services, every: false };
});
afterAll(async () => {
  await services.close();
  rmSync(walk.template, { recursive: true });
});

const rows = Object.entries(operations).flatMap(([name, { kinds }]) =>
  kinds.map((kind): [string, FaultKind] => [name, kind]),
);

describe('the n-th call below an instance failing, once and from then on', () => {
  it.each(rows)(
    'loses, doubles and leaves behind nothing while it is %s: %s',
    async (name, kind) => {
      const operation = operations[name];
      if (operation === undefined) throw new TypeError(name);
      expect(await walkOperation(walk, operation, kind)).toBeGreaterThan(0);
    },
    PATIENCE,
  );
});
