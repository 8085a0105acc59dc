/** Calls of the application end when a driver misbehaves, and the next call works. */
import { describe, expect, it } from 'vitest';
import { Pin } from '../../src/signing/index.ts';
import { codeOf, errorOf, FaultySource, sign } from './faulty-source.ts';

const faulty = new FaultySource();

describe('a driver answering with an error', () => {
  it.each([
    ['0x30', 'CKR_DEVICE_ERROR'],
    ['0x82', 'CKR_OBJECT_HANDLE_INVALID'],
    ['0xb3', 'CKR_SESSION_HANDLE_INVALID'],
    ['0x32', 'CKR_DEVICE_REMOVED'],
    ['0xe0', 'CKR_TOKEN_NOT_PRESENT'],
    ['0x90', 'CKR_OPERATION_ACTIVE'],
  ])('%s (%s) once gets another session and the signature, without a login', async (value) => {
    const signer = await faulty.unlock();
    faulty.driver.clearTrace();
    faulty.driver.faults(`sign=rv:${value}@1`);
    await sign(signer);
    expect(faulty.driver.trace()).toEqual([`C_Sign ${Number(value)}`, 'C_Sign 0']);
  });

  it.each([
    ['0x30', 'TOKEN_ERROR', 'CKR_DEVICE_ERROR'],
    ['0x05', 'TOKEN_ERROR', 'CKR_GENERAL_ERROR'],
    ['0x70', 'TOKEN_ERROR', 'CKR_MECHANISM_INVALID'],
    ['0x80000001', 'TOKEN_ERROR', 'CKR_VENDOR_DEFINED'],
    ['0x32', 'TOKEN_REMOVED', 'not connected'],
    ['0xb3', 'PIN_REQUIRED', 'ended its session'],
    ['0xa4', 'PIN_LOCKED', 'PUK'],
    ['0x101', 'PIN_REQUIRED', 'PIN'],
    ['0xb1', 'QUEUE_FULL', 'session of the token'],
  ])('%s each time fails with %s (%s), and signs afterwards', async (value, code, told) => {
    const signer = await faulty.unlock();
    faulty.driver.faults(`sign=rv:${value}`);
    const error = await errorOf(sign(signer));
    expect(error.code).toBe(code);
    expect(error.message).toContain(told);
    faulty.driver.faults();
    await sign(await faulty.unlock());
  });

  it('has no session free for a login uses up no PIN, and takes the PIN when a session is free', async () => {
    const { id } = await faulty.onlyKey();
    await faulty.reopen();
    await faulty.onlyKey();
    faulty.driver.faults('login=rv:0xb1');
    expect(await codeOf(faulty.source.unlock(id, new Pin(faulty.hsm.pin)))).toBe('QUEUE_FULL');
    faulty.driver.faults();
    await sign(await faulty.unlock());
  });

  it('in a single signature of many fails this signature alone', async () => {
    const signer = await faulty.unlock();
    faulty.driver.faults('sign=rv:0x05@5');
    const outcomes = await Promise.allSettled(Array.from({ length: 20 }, (_, index) => sign(signer, `${index}`)));
    expect(outcomes.flatMap(({ status }, index) => (status === 'rejected' ? [index] : []))).toEqual([4]);
  });

  it('while looking for objects is known by its name and number', async () => {
    faulty.driver.faults('find=rv:0x31');
    expect(await faulty.source.list()).toEqual([]);
    const { state, detail } = await faulty.source.health();
    expect(state).toBe('failing');
    expect(detail).toContain('CKR_DEVICE_MEMORY (0x31)');
    faulty.driver.faults();
    expect(await faulty.source.list()).toHaveLength(1);
    expect(await faulty.source.health()).toMatchObject({ state: 'ok' });
  });
});

describe('a driver signing wrongly', () => {
  it('has its signature thrown away with SIGNATURE_INVALID', async () => {
    const signer = await faulty.unlock();
    faulty.driver.faults('badsignature=1');
    expect(await codeOf(sign(signer))).toBe('SIGNATURE_INVALID');
    faulty.driver.faults();
    await sign(signer);
  });

  it('never sees its input change while signing, under any garbage collection', async () => {
    const signer = await faulty.unlock();
    faulty.driver.faults('sign=slow:20');
    await Promise.all(Array.from({ length: 20 }, (_, index) => sign(signer, `${index}`)));
    expect(faulty.driver.trace().filter((line) => line.includes('CHANGED'))).toEqual([]);
  });
});

describe('a slow token', () => {
  it('is given as much time for each signature of a batch as for one alone', async () => {
    const signer = await faulty.unlock();
    faulty.driver.faults('sign=slow:150');
    await Promise.all(Array.from({ length: 8 }, (_, index) => sign(signer, `${index}`)));
  });

  it('keeps the order of its requests', async () => {
    const signer = await faulty.unlock();
    faulty.driver.faults('sign=slow:10');
    const order: number[] = [];
    await Promise.all(Array.from({ length: 30 }, (_, index) => sign(signer, `${index}`).then(() => order.push(index))));
    expect(order).toEqual(Array.from({ length: 30 }, (_, index) => index));
  });
});
