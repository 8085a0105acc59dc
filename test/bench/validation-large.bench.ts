import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { closeSync, ftruncateSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { validateSignature, type ValidationReport } from '../../src/signing/index.ts';
import type { TestIdentity } from '../../src/test-authority/index.ts';
import { systemTool } from '../setup/system-packages.ts';
import { SIGNED_AT, ValidationWorld } from '../signing/validation/validation-world.ts';
import { interleave, median, compared, milliseconds, type Benchmark, type BenchLine } from './harness.ts';

const LARGE = 2 * 2 ** 30;

function expectPassed({ indication, signatures }: ValidationReport): void {
  assert.equal(indication, 'TOTAL-PASSED', JSON.stringify(signatures[0]?.checks));
}

async function large(folder: string, world: ValidationWorld, person: TestIdentity): Promise<readonly BenchLine[]> {
  const [content, signature] = [join(folder, 'large'), join(folder, 'large.p7s')];
  const file = openSync(content, 'wx');
  // A hole reads as zeros, hashed like anything else, without two gigabytes on the disk.
  ftruncateSync(file, LARGE);
  closeSync(file);
  const request = { inputPath: content, outputPath: signature, attached: false, signingTime: SIGNED_AT };
  await world.cms(person).signFile(request);
  const services = world.services();
  const input = { signature: { path: signature }, content: { path: content } };
  const figures = await interleave({
    openssl: () =>
      milliseconds(() => execFileSync(systemTool('openssl'), ['dgst', '-sha256', content], { stdio: 'ignore' })),
    ours: () => milliseconds(async () => expectPassed(await validateSignature(input, services))),
  });
  return [
    {
      what: 'detached over 2 GiB against openssl dgst -sha256',
      ...compared(figures, 'ours', 'openssl'),
      bound: { atMost: 1.2 },
      detail: `${median(figures.ours).toFixed(0)} ms against ${median(figures.openssl).toFixed(0)} ms`,
    },
  ];
}

export const benchmark: Benchmark = {
  name: 'Validation of a large detached signature',
  peakMegabytesAtMost: 120,
  async run() {
    const folder = mkdtempSync(join(tmpdir(), 'sinete-bench-'));
    try {
      const world = await ValidationWorld.open({ keyKind: 'rsa-2048' });
      return await large(folder, world, await world.person({ keyKind: 'rsa-2048' }));
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
};
