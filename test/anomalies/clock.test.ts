import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Grants } from '../../src/service/consent/grants.ts';
import type { ConsentStore } from '../../src/service/consent/consent.ts';
import { openNotificationWorld } from '../service/notifications/notification-world.ts';
import { startReceiver } from '../service/notifications/receiver.ts';
import { personWith } from '../pki/identities.ts';
import { createRequest, dataUrl, finished, openWorld, requester } from '../service/transactions/transaction-world.ts';
import { ana, IdentityWorld, type Enrolled } from '../service/users/identity-world.ts';

const HOUR = 3600;
const YEAR = 365 * 24 * HOUR;
const wrong = '000000';

let world: IdentityWorld;
let person: Enrolled;
const logIn = async (code: string): Promise<unknown> => world.accounts.authenticate(person.username, code, 'here');

describe('people, when the clock jumps', () => {
  beforeEach(async () => {
    world = await IdentityWorld.open();
    person = await world.enrol(ana);
  });
  afterEach(async () => world.close());

  it('takes no code a second time when the clock goes back to where the code was shown', async () => {
    const code = person.code();
    await logIn(code);
    world.pass(YEAR);
    world.pass(-YEAR);
    await expect(logIn(code)).rejects.toMatchObject({ code: 'INVALID_CREDENTIALS' });
    world.pass(-60);
    await expect(logIn(code)).rejects.toMatchObject({ code: 'INVALID_CREDENTIALS' });
    await expect(logIn(person.code())).rejects.toMatchObject({ code: 'INVALID_CREDENTIALS' });
    world.pass(90);
    await logIn(person.code());
  });

  it('lets a person in again when a clock that was ahead is put right, and by no code twice', async () => {
    world.pass(YEAR);
    await logIn(person.code());
    world.pass(-YEAR);
    const code = person.code();
    await logIn(code);
    await expect(logIn(code)).rejects.toMatchObject({ code: 'INVALID_CREDENTIALS' });
    await logIn(person.recoveryCodes[0] ?? '');
  });

  it('keeps nobody out for longer than the longest pause, because attempts were counted by a clock that was ahead', async () => {
    world.pass(YEAR);
    for (let attempt = 0; attempt < 5; attempt++) await expect(logIn(wrong)).rejects.toThrow();
    await expect(logIn(wrong)).rejects.toMatchObject({ code: 'TOO_MANY_ATTEMPTS' });
    world.pass(-YEAR);
    await expect(logIn(wrong)).rejects.toMatchObject({ code: 'TOO_MANY_ATTEMPTS' });
    world.pass(HOUR);
    await logIn(person.code());
  });

  it('lets the pause of wrong codes count when the clock goes on', async () => {
    for (let attempt = 0; attempt < 5; attempt++) await expect(logIn(wrong)).rejects.toThrow();
    await expect(logIn(person.code())).rejects.toMatchObject({ code: 'TOO_MANY_ATTEMPTS' });
    world.pass(YEAR);
    await logIn(person.code());
  });

  it('ends tokens when the clock is ahead, and gives valid ones when the clock is back', async () => {
    const issue = async (): Promise<string> =>
      (await world.authorization.issueSession(person.username, HOUR)).accessToken;
    const early = await issue();
    world.pass(2 * HOUR);
    expect(await world.authorization.readToken(early)).toBeUndefined();
    world.pass(-2 * HOUR);
    const late = await issue();
    expect(await world.authorization.readToken(late)).toMatchObject({ username: person.username });
    world.pass(-YEAR);
    expect(await world.authorization.readToken(late)).toMatchObject({ username: person.username });
  });
});

describe('sites, when the clock jumps', () => {
  it('are out while the clock is past their end, and in again when it is back', async () => {
    let time = Date.parse('2026-03-01T12:00:00Z');
    const origin = 'https://site.example';
    const grant = { origin, scopes: ['sign'], createdAt: new Date(time), expiresAt: new Date(time + 1000 * HOUR) };
    const kept = { ...grant, lastUsedAt: null, uses: 0, source: 'user' } as const;
    const store = { grants: async () => Promise.resolve([kept]) } as unknown as ConsentStore;
    const grants = await Grants.open(store, () => new Date(time), []);
    const there = (): boolean => grants.find(origin) !== undefined;
    const seen = [there()];
    for (const jump of [YEAR, -YEAR, -YEAR, YEAR]) {
      time += 1000 * jump;
      seen.push(there());
    }
    expect(seen).toEqual([true, false, true, true, true]);
  });
});

describe('documents, when the clock jumps', () => {
  it.each([
    ['a year ahead and back', [YEAR, -YEAR]],
    ['a year back and ahead', [-YEAR / 2, YEAR / 2]],
  ])('signs and keeps at each time, and expires nothing that is new: %s', async (_name, jumps) => {
    let passed = 0;
    const notBefore = new Date(Date.now() - 2 * YEAR * 1000);
    const notAfter = new Date(Date.now() + 2 * YEAR * 1000);
    let instance = await openWorld({ now: () => new Date(Date.now() + passed) });
    await instance.addKey(await personWith({ notBefore, notAfter }));
    try {
      for (const jump of [0, ...jumps]) {
        passed += jump * 1000;
        instance = await instance.restart();
        await instance.transactions.resume();
        const request = createRequest({ documentsSource: 'DATA_URL', documents: [{ data: dataUrl('a') }] });
        const { tcn } = await instance.transactions.create(request, requester);
        expect((await finished(instance.transactions, tcn)).documents).toMatchObject([{ status: 'SIGNED' }]);
        await instance.transactions.result(tcn, '0');
      }
    } finally {
      await instance.end();
    }
  });
});

describe('notifications, when the clock jumps', () => {
  it.each([
    ['back', -YEAR * 1000],
    ['ahead', YEAR * 1000],
  ])('goes on after a failure, although the clock went %s by a year meanwhile', async (_name, jump) => {
    const receiver = await startReceiver();
    const notAfter = new Date(Date.now() + 2 * YEAR * 1000);
    const notifying = await openNotificationWorld({ notifications: { limits: { timeout: 15_000 } } });
    await notifying.world.addKey(await personWith({ notAfter }));
    try {
      receiver.behave(500, 200);
      const { tcn } = await notifying.create(`${receiver.origin}/?tcn=`);
      await receiver.arrived(1);
      notifying.advance(jump);
      const { notification } = await notifying.reaches(tcn, 'DELIVERED');
      expect(notification?.attempts).toBe(2);
    } finally {
      await notifying.end();
      await receiver.close();
    }
  });
});

describe('transactions, while the clock is doubted', () => {
  it('withholds an expired result, ends no upload, and has both again when the clock is right', async () => {
    let mayErase = false;
    const transactions = await openWorld({ mayErase: () => mayErase, limits: { smallDocumentSize: -1 } });
    try {
      await transactions.addKey(await personWith());
      const documents = [{ data: dataUrl('text') }];
      const { tcn } = await transactions.transactions.create(
        createRequest({ documentsSource: 'DATA_URL', documents }),
        requester,
      );
      await finished(transactions.transactions, tcn);
      const open = await transactions.transactions.create(createRequest({}), requester);
      transactions.advance(40 * 24 * HOUR * 1000);
      await transactions.transactions.resume();
      await expect(transactions.transactions.result(tcn, '0')).rejects.toMatchObject({ code: 'LIFETIME_OVER' });
      expect((await transactions.transactions.query(open.tcn)).status).toBe('WAITING');
      transactions.advance(-40 * 24 * HOUR * 1000);
      expect((await transactions.transactions.result(tcn, '0')).size).toBeGreaterThan(100);
      mayErase = true;
      transactions.advance(40 * 24 * HOUR * 1000);
      await transactions.transactions.resume();
      transactions.advance(-40 * 24 * HOUR * 1000);
      await expect(transactions.transactions.result(tcn, '0')).rejects.toMatchObject({ code: 'LIFETIME_OVER' });
    } finally {
      await transactions.end();
    }
  });
});
