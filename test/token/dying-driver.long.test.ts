/** Calls of the application end when a driver dies or hangs, and the next call works. */
import { describe, expect, it } from 'vitest';
import { Pin, referenceModule, TokenKeySource } from '../../src/signing/index.ts';
import { codeOf, errorOf, FaultySource, QUICK, sign } from './faulty-source.ts';

const faulty = new FaultySource();

describe('a driver dying in C_Sign', () => {
  it.each([
    ['segv', 'MODULE_CRASHED', 'SIGSEGV'],
    ['abort', 'MODULE_CRASHED', 'SIGABRT'],
    ['exit', 'MODULE_CRASHED', '42'],
    ['hang', 'MODULE_TIMEOUT', '0.6 s'],
  ])('by %s fails the signature with %s, asks for the PIN and signs again', async (fault, code, told) => {
    const signer = await faulty.unlock();
    faulty.driver.faults(`sign=${fault}`);
    const error = await errorOf(sign(signer));
    expect(error.code).toBe(code);
    expect(error.message).toContain(told);
    faulty.driver.faults();
    expect(await codeOf(sign(signer))).toBe('PIN_REQUIRED');
    await sign(await faulty.unlock());
  });

  it('spares the work of other drivers', async () => {
    const healthy = new TokenKeySource({
      module: await referenceModule(faulty.hsm.modulePath),
      environment: faulty.hsm.environment,
    });
    try {
      const [key] = await healthy.list();
      await healthy.unlock(key!.id, new Pin(faulty.hsm.pin));
      const other = await healthy.open(key!.id);
      const signer = await faulty.unlock();
      faulty.driver.faults('sign=segv');
      await Promise.all([codeOf(sign(signer)), ...Array.from({ length: 50 }, () => sign(other))]);
    } finally {
      await healthy.close();
    }
  });
});

describe('a driver dying elsewhere', () => {
  it.each([
    ['slots=segv', 'MODULE_CRASHED'],
    ['slots=hang', 'MODULE_TIMEOUT'],
    ['find=abort', 'MODULE_CRASHED'],
    ['open=exit', 'MODULE_CRASHED'],
    ['open=hang', 'MODULE_TIMEOUT'],
  ])('(%s) fails the listing with %s, and lists afterwards', async (fault, code) => {
    faulty.driver.faults(fault);
    expect(await codeOf(faulty.source.list())).toBe(code);
    faulty.driver.faults();
    expect(await faulty.source.list()).toHaveLength(1);
  });

  it('during the loading fails with MODULE_CRASHED or MODULE_TIMEOUT after a second try, and loads afterwards', async () => {
    await faulty.reopen({ timing: { ...QUICK.timing, crashLimit: 2 } });
    faulty.driver.faults('init=segv');
    expect(await codeOf(faulty.source.list())).toBe('MODULE_CRASHED');
    expect(await codeOf(faulty.source.list())).toBe('MODULE_QUARANTINED');
    await faulty.reopen({ timing: { ...QUICK.timing, probe: 1_500 } });
    faulty.driver.faults('init=hang');
    expect(await codeOf(faulty.source.list())).toBe('MODULE_TIMEOUT');
    faulty.driver.faults();
    await faulty.reopen();
    expect(await faulty.source.list()).toHaveLength(1);
  });

  it('during the login is not given the PIN again', async () => {
    const { id } = await faulty.onlyKey();
    faulty.driver.faults('login=segv');
    expect(await codeOf(faulty.source.unlock(id, new Pin(faulty.hsm.pin)))).toBe('MODULE_CRASHED');
    faulty.driver.faults();
    await faulty.source.list();
    expect(faulty.driver.trace().filter((line) => line.startsWith('C_Login'))).toEqual([]);
  });

  it('during a login taking too long is ended, without a second try', async () => {
    const { id } = await faulty.onlyKey();
    faulty.driver.faults('login=slow:2000');
    expect(await codeOf(faulty.source.unlock(id, new Pin(faulty.hsm.pin)))).toBe('MODULE_TIMEOUT');
    faulty.driver.faults();
    await faulty.source.unlock(id, new Pin(faulty.hsm.pin));
    expect(faulty.driver.trace().filter((line) => line.startsWith('C_Login'))).toHaveLength(1);
  });
});
