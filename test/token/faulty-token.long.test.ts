/** PINs, removal, quarantine and orphans: the user's experience of a token or its driver not at its best. */
import { spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { inspect } from 'node:util';
import { describe, expect, it, vi } from 'vitest';
import { probeModule, type TokenChange } from '../../src/signing/index.ts';
import { letTimePass, until } from '../setup/waits.ts';
import { codeOf, FaultySource, QUICK, sign } from './faulty-source.ts';

const faulty = new FaultySource();

describe('the PIN', () => {
  it('is tried once per call, locks after three wrong tries, and the attempts are shown on the way', async () => {
    faulty.driver.faults('lock=3');
    const attempts: (string | undefined)[] = [];
    for (let attempt = 0; attempt < 3; attempt++) {
      expect(await codeOf(faulty.unlock('wrong-pin'))).toBe('PIN_INCORRECT');
      attempts.push((await faulty.onlyKey()).token?.pinAttempts);
    }
    expect(attempts).toEqual(['low', 'last', 'locked']);
    expect(await codeOf(faulty.unlock())).toBe('PIN_LOCKED');
    expect(faulty.driver.trace().filter((line) => line.startsWith('C_Login'))).toHaveLength(4);
  });

  it('is given again for each signature of a key asking each time, and once only after lock', async () => {
    faulty.driver.faults('alwaysauth=1');
    const signer = await faulty.unlock();
    faulty.driver.clearTrace();
    await Promise.all([sign(signer, 'a'), sign(signer, 'b')]);
    const { length } = faulty.hsm.pin;
    expect(faulty.driver.trace()).toEqual([`C_Login 2 ${length} 0`, 'C_Sign 0', `C_Login 2 ${length} 0`, 'C_Sign 0']);
    await faulty.source.lock((await faulty.onlyKey()).id);
    expect(await codeOf(sign(signer))).toBe('PIN_REQUIRED');
  });

  it('refused by a key during a signature is not tried for the next', async () => {
    faulty.driver.faults('alwaysauth=1');
    const signer = await faulty.unlock();
    faulty.driver.clearTrace();
    faulty.driver.faults('alwaysauth=1', 'login=rv:0xa0');
    expect(await Promise.all([codeOf(sign(signer, 'a')), codeOf(sign(signer, 'b'))])).toEqual([
      'PIN_INCORRECT',
      'PIN_REQUIRED',
    ]);
    expect(faulty.driver.trace()).toEqual([`C_Login 2 ${faulty.hsm.pin.length} 160`]);
    faulty.driver.faults('alwaysauth=1');
    await sign(await faulty.unlock());
  });

  it('is typed on the reader when the token says so, and NULL is handed over', async () => {
    faulty.driver.faults('papath=1', 'login=slow:800');
    expect((await faulty.onlyKey()).token?.pinPad).toBe(true);
    await sign(await faulty.unlock(''));
    expect(faulty.driver.trace()[0]).toBe('C_Login 1 0 0');
  });

  it('is typed on the reader for each signature of a key asking each time', async () => {
    faulty.driver.faults('papath=1', 'alwaysauth=1');
    const signer = await faulty.unlock('');
    faulty.driver.clearTrace();
    await sign(signer);
    expect(faulty.driver.trace()).toEqual(['C_Login 2 0 0', 'C_Sign 0']);
  });

  it('printed by a talkative driver is not captured', async () => {
    faulty.driver.faults('chatty=1');
    await faulty.unlock();
    await letTimePass(100);
    expect(faulty.source.output).not.toContain(faulty.hsm.pin);
    expect(inspect(faulty.source, { depth: 10, showHidden: true })).not.toContain(faulty.hsm.pin);
  });
});

describe('a token taken out and put back', () => {
  it('is told to listeners both times, and asks for the PIN again', async () => {
    const changes: TokenChange[] = [];
    faulty.source.onChange((change) => changes.push(change));
    const signer = await faulty.unlock();
    const kinds = (): readonly string[] => changes.map(({ kind }) => kind).filter((kind) => kind !== 'health');
    expect(kinds()).toEqual(['inserted']);
    faulty.driver.faults('removed=1');
    await expect.poll(kinds, { timeout: 20_000 }).toEqual(['inserted', 'removed']);
    expect(await codeOf(sign(signer))).toBe('TOKEN_REMOVED');
    faulty.driver.faults();
    await expect.poll(kinds, { timeout: 20_000 }).toEqual(['inserted', 'removed', 'inserted']);
    expect(await codeOf(sign(signer))).toBe('PIN_REQUIRED');
    await sign(await faulty.unlock());
  });

  it('between two signatures fails the next with TOKEN_REMOVED', async () => {
    const signer = await faulty.unlock();
    await sign(signer);
    faulty.driver.faults('removed=1');
    expect(await codeOf(sign(signer))).toBe('TOKEN_REMOVED');
    expect(await faulty.source.list()).toEqual([]);
    faulty.driver.faults();
    expect(await codeOf(sign(signer))).toBe('PIN_REQUIRED');
  });
});

describe('quarantine', () => {
  it('begins with the third crash in a minute, refuses at once, shows in health and ends when released', async () => {
    await faulty.reopen({ timing: { backOff: [20, 20, 20] } });
    const states: string[] = [];
    faulty.driver.faults('slots=segv');
    for (let crash = 0; crash < 3; crash++) states.push(await codeOf(faulty.source.list()));
    expect(states).toEqual(['MODULE_CRASHED', 'MODULE_CRASHED', 'MODULE_CRASHED']);
    faulty.driver.faults();
    const timers = vi.spyOn(globalThis, 'setTimeout');
    expect(await codeOf(faulty.source.list())).toBe('MODULE_QUARANTINED');
    expect(timers).not.toHaveBeenCalled();
    expect(faulty.source.processId).toBeUndefined();
    expect(await faulty.source.health()).toMatchObject({ state: 'quarantined', name: 'Faulty driver' });
    faulty.source.release();
    expect(await faulty.source.health()).toMatchObject({ state: 'ok' });
    expect(await faulty.source.list()).toHaveLength(1);
  });

  it('ends by itself, begins again with the first crash afterwards, and lasts longer then', async () => {
    await faulty.reopen({ timing: { backOff: [20, 20, 20], quarantine: [50, 3_600_000] } });
    faulty.driver.faults('slots=segv');
    for (let crash = 0; crash < 3; crash++) await codeOf(faulty.source.list());
    await until(async () => (await codeOf(faulty.source.list())) === 'MODULE_CRASHED', 'the quarantine ends');
    const refusal: unknown = await faulty.source.list().catch((error: unknown) => error);
    expect(refusal).toMatchObject({
      code: 'MODULE_QUARANTINED',
      message: expect.stringMatching(/60 minutes/) as string,
    });
    faulty.driver.faults();
    expect(await codeOf(faulty.source.list())).toBe('MODULE_QUARANTINED');
    faulty.source.release();
    expect(await faulty.source.list()).toHaveLength(1);
  });

  it('is preceded by longer and longer waits', async () => {
    await faulty.reopen({ timing: { backOff: [101, 401], crashLimit: 4 } });
    const timers = vi.spyOn(globalThis, 'setTimeout');
    for (let crash = 0; crash < 3; crash++) {
      faulty.driver.faults('slots=exit');
      await codeOf(faulty.source.list());
      faulty.driver.faults();
      await faulty.source.list();
    }
    const waits = timers.mock.calls.map(([, delay]) => delay).filter((delay) => delay === 101 || delay === 401);
    expect(waits).toEqual([101, 401, 401]);
  });
});

describe('work waiting while the driver crashes', () => {
  it('is given to the next child if not yet begun, and fails otherwise', async () => {
    const { id } = await faulty.onlyKey();
    await faulty.reopen();
    faulty.driver.faults('slots=segv@1');
    const first = faulty.source.tokens();
    const second = faulty.source.tokens();
    expect(await codeOf(first)).toBe('MODULE_CRASHED');
    faulty.driver.faults();
    expect(await second).toHaveLength(1);
    expect(id).toBe((await faulty.onlyKey()).id);
  });
});

describe('a driver without locks', () => {
  it('is called from one thread and signs all the same', async () => {
    faulty.driver.faults('cantlock=1');
    const signer = await faulty.unlock();
    const signatures = await Promise.all(Array.from({ length: 40 }, (_, index) => sign(signer, `${index}`)));
    expect(signatures).toHaveLength(40);
  });
});

describe('an orphan', () => {
  it('ends although the driver hangs in a call of its main thread', async () => {
    faulty.driver.faults('slots=hang');
    const script = new URL('./orphan-parent.ts', import.meta.url);
    const parent = spawn(process.execPath, [
      script.pathname,
      faulty.driver.modulePath,
      JSON.stringify(faulty.driver.environment),
    ]);
    const child = await new Promise<string>((resolve) =>
      parent.stdout.once('data', (text) => resolve(String(text).trim())),
    );
    expect(readdirSync('/proc')).toContain(child);
    parent.kill('SIGKILL');
    await expect.poll(() => readdirSync('/proc').includes(child), { timeout: 20_000 }).toBe(false);
  });
});

describe('probeModule', () => {
  it('tells of a driver crashing during its loading, and the caller lives on', async () => {
    faulty.driver.faults('init=segv');
    const report = await probeModule(faulty.driver.modulePath, { environment: faulty.driver.environment, ...QUICK });
    expect(report.failure?.code).toBe('MODULE_CRASHED');
    faulty.driver.faults();
    const second = await probeModule(faulty.driver.modulePath, { environment: faulty.driver.environment, ...QUICK });
    expect(second).toMatchObject({ library: { manufacturer: 'SoftHSM' }, tokens: [{ label: 'faulty' }] });
  });

  it.each([
    ['/nowhere/faulty.driver.so', 'There is no file'],
    ['/etc/passwd', 'cannot be loaded'],
    ['/usr/lib/x86_64-linux-gnu/libc.so.6', 'C_GetFunctionList'],
  ])('tells why %s is no driver', async (path, told) => {
    const report = await probeModule(path);
    expect(report.failure?.code).toBe('MODULE_NOT_LOADABLE');
    expect(report.failure?.message).toContain(told);
  });
});
