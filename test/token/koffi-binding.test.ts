/** The memory of calls into a driver: lasting buffers, and a deep enough stack. */
import { verify, X509Certificate } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { runNode } from '../oracles/run-program.ts';
import { createFaultyModule, type FaultyModule } from './fault-module/build-fault-module.ts';
import { createSoftHsm, type SoftHsm } from './softhsm.ts';

const PROGRAM = fileURLToPath(new URL('./sign-through-koffi.ts', import.meta.url));

let hsm: SoftHsm;
let driver: FaultyModule;

beforeAll(async () => {
  hsm = await createSoftHsm([{ label: 'memory', keys: [{ label: 'p256', keyId: '0a', kind: 'ec-p256' }] }]);
  driver = await createFaultyModule(hsm);
});
afterAll(() => hsm.remove());
beforeEach(() => driver.clearTrace());

/** Signs in a process of its own, and answers how many of the signatures hold. */
async function countGoodSignatures(style: 'C_Sign' | 'C_SignAsync', count: number): Promise<number> {
  const environment = { ...driver.environment, TOKEN_PIN: hsm.pin };
  const parameters = ['--expose-gc', PROGRAM, driver.modulePath, style, `${count}`];
  const lines = (await runNode(parameters, { environment })).trim().split('\n');
  const { publicKey } = new X509Certificate(hsm.tokens[0]!.keys[0]!.identity.certificate);
  const isGood = (index: number, signature: string): boolean =>
    verify(
      'sha256',
      Buffer.from(`${index}`),
      { key: publicKey, dsaEncoding: 'ieee-p1363' },
      Buffer.from(signature, 'hex'),
    );
  return lines.filter((line, index) => isGood(index, line)).length;
}

describe('an asynchronous call', () => {
  it('keeps its buffers until the driver has returned, although nothing else refers to the buffers', async () => {
    driver.faults('sign=slow:150');
    expect(await countGoodSignatures('C_SignAsync', 4)).toBe(4);
    expect(driver.trace().filter((line) => line.includes('CHANGED'))).toEqual([]);
    expect(driver.trace().filter((line) => line === 'C_Sign 0')).toHaveLength(4);
  });
});

describe('a driver needing four megabytes of stack', () => {
  it.each(['C_Sign', 'C_SignAsync'] as const)('signs by %s', async (style) => {
    driver.faults('sign=deep:4096');
    expect(await countGoodSignatures(style, 1)).toBe(1);
  });
});
