/** The same calls through both bindings have the same answers. */
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { BindingName } from './pkcs11js/bindings.ts';
import { runNode } from '../oracles/run-program.ts';
import { createFaultyModule, type FaultyModule } from './fault-module/build-fault-module.ts';
import { buildPkcs11js } from './pkcs11js/build-pkcs11js.ts';
import { createSoftHsm, type SoftHsm } from './softhsm.ts';

const WALK = fileURLToPath(new URL('./walk-binding.ts', import.meta.url));

let hsm: SoftHsm;
let faulty: FaultyModule;

beforeAll(async () => {
  await buildPkcs11js();
  hsm = await createSoftHsm();
  faulty = await createFaultyModule(hsm);
});
afterAll(() => hsm.remove());

type Answers = Readonly<Record<string, unknown>>;

async function walk(binding: BindingName, modulePath: string, control = ''): Promise<Answers> {
  const environment = { ...faulty.environment, TOKEN_PIN: hsm.pin };
  return JSON.parse(await runNode([WALK, binding, modulePath, control], { environment })) as Answers;
}

describe('koffi and pkcs11js', () => {
  it('get the same answers from SoftHSM, to right calls and to wrong ones', async () => {
    const koffi = await walk('koffi', hsm.modulePath);
    expect(koffi).toEqual(await walk('pkcs11js', hsm.modulePath));
    expect(Object.keys(koffi).length).toBeGreaterThan(45);
    expect(koffi['RSA, C_Sign']).toMatch(/^[0-9a-f]{512}$/);
    expect(koffi['RSA, C_SignAsync']).toBe(koffi['RSA, C_Sign']);
    expect(koffi['C_Login with a wrong PIN']).toBe('cryptoki CKR_PIN_INCORRECT 160 C_Login');
  });

  it('name every return value alike', async () => {
    const control = faulty.environment['P11_FAULT'];
    const koffi = await walk('koffi', faulty.modulePath, control);
    const other = await walk('pkcs11js', faulty.modulePath, control);
    expect(koffi).toEqual(other);
    expect(koffi['return value 164']).toBe('cryptoki CKR_PIN_LOCKED 164 C_Login');
    expect(koffi['return value 2147483649']).toBe('cryptoki CKR_VENDOR_DEFINED 2147483649 C_Login');
  });
});
