import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { authorityFor } from '../../../src/service/authorization/index.ts';
import type { Notification } from '../../../src/service/notifications/index.ts';
import { personWith } from '../../pki/identities.ts';
import {
  createRequest,
  dataUrl,
  finished,
  incoming,
  openWorld,
  requester,
  type World,
} from '../transactions/transaction-world.ts';
import { addEndpoint } from './add-endpoint.ts';
import { callbackTo } from './notification-world.ts';

const HOUR = 3_600_000;
/** The instance asks before signing; otherwise nothing could be refused. */
let world: World;
beforeEach(async () => {
  world = await openWorld({ approve: 'ask' });
  await world.addKey(await personWith());
});
afterEach(async () => world.end());

const rows = async (): Promise<readonly Notification[]> => world.storage.notifications.list(500);

const notified = { callback: callbackTo('https://x.example/done') } as const;
const documents = [{ data: dataUrl('one') }, { data: dataUrl('two') }];

/** Every way to end a transaction; each answers the TCN of an ended transaction. */
const ways = {
  async signed(callback: object) {
    const request = createRequest({ documentsSource: 'DATA_URL', documents, ...callback });
    const { tcn } = await world.transactions.create(request, requester);
    await world.transactions.decide(tcn, 'approve');
    return tcn;
  },
  async refused(callback: object) {
    const request = createRequest({ documentsSource: 'DATA_URL', documents, ...callback });
    const { tcn } = await world.transactions.create(request, requester);
    await world.transactions.decide(tcn, 'refuse');
    return tcn;
  },
  async withdrawn(callback: object) {
    const left = new AbortController();
    const request = createRequest({ documentsSource: 'DATA_URL', documents, mode: 'sync', ...callback });
    const creating = world.transactions.create(request, requester, left.signal);
    setTimeout(() => left.abort(), 20);
    return (await creating).tcn;
  },
  async 'failed at once'(callback: object) {
    const request = createRequest({
      type: 'PAdES',
      documentsSource: 'DATA_URL',
      documents: [{ data: dataUrl('no PDF') }],
      ...callback,
    });
    return (await world.transactions.create(request, requester)).tcn;
  },
  async 'failed while it was signed'(callback: object) {
    const path = join(world.home, `${randomUUID()}.txt`);
    writeFileSync(path, 'before');
    const request = createRequest({ documentsSource: 'FILE_PATH', documents: [{ data: path }], ...callback });
    const { tcn } = await world.transactions.create(request, requester);
    writeFileSync(path, 'and after');
    await world.transactions.decide(tcn, 'approve');
    return tcn;
  },
  async uploaded(callback: object) {
    const { tcn } = await world.transactions.create(createRequest(callback), requester);
    await world.transactions.upload(tcn, { endOfTransaction: false }, incoming(['a', '1']));
    await world.transactions.upload(tcn, { endOfTransaction: true }, incoming(['b', '2']));
    await world.transactions.decide(tcn, 'approve');
    return tcn;
  },
  async 'refused by restart'(callback: object) {
    const request = createRequest({ documentsSource: 'DATA_URL', documents, ...callback });
    const { tcn } = await world.transactions.create(request, requester);
    world = await world.restart();
    await world.transactions.decide(tcn, 'refuse');
    return tcn;
  },
} satisfies Record<string, (callback: object) => Promise<string>>;

type Way = keyof typeof ways;
const allWays = Object.keys(ways) as Way[];

describe('the outbox', () => {
  it.each(allWays)('has one row for a transaction %s, and none without a callback', async (way) => {
    const tcn = await ways[way](notified);
    await finished(world.transactions, tcn);
    const silent = await ways[way]({});
    await finished(world.transactions, silent);
    expect(await rows()).toMatchObject([{ tcn, status: 'WAITING', attempts: 0, callback: notified.callback }]);
  });

  it('has one row for an upload nobody ended in time, whether documents came or not', async () => {
    const { tcn: empty } = await world.transactions.create(createRequest(notified), requester);
    const { tcn: begun } = await world.transactions.create(createRequest(notified), requester);
    await world.transactions.upload(begun, { endOfTransaction: false }, incoming(['a', '1']));
    expect(await rows()).toEqual([]);
    world.advance(25 * HOUR);
    await world.transactions.resume();
    expect((await rows()).map(({ tcn }) => tcn).sort()).toEqual([empty, begun].sort());
  });

  it('tells an endpoint that an upload was not ended in time, whether documents came or not', async () => {
    await addEndpoint(world.storage, 'shop');
    const create = async (): Promise<string> =>
      (
        await world.transactions.create(
          createRequest({}),
          requester,
          undefined,
          authorityFor(undefined, { clientId: 'shop' }),
        )
      ).tcn;
    const [empty, begun] = [await create(), await create()];
    await world.transactions.upload(begun, { endOfTransaction: false }, incoming(['a', '1']));
    world.advance(25 * HOUR);
    await world.transactions.resume();
    const events = (await rows()).map(({ tcn, webhook }) => [tcn, webhook?.event]).sort();
    expect(events).toEqual([empty, begun].map((tcn) => [tcn, 'transaction.expired']).sort());
  });

  it('gets no second row when the results of a finished transaction are erased', async () => {
    const tcn = await ways.signed(notified);
    await finished(world.transactions, tcn);
    world.advance(13 * HOUR);
    await world.transactions.resume();
    expect(await rows()).toHaveLength(1);
  });

  it('has exactly one row for each finished transaction with a callback, under any events in any order', async () => {
    const step = fc.record({ way: fc.constantFrom(...allWays), wants: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 5 }), async (steps) => {
        const before = (await rows()).length;
        const wanted: string[] = [];
        for (const { way, wants } of steps) {
          const tcn = await ways[way](wants ? notified : {});
          await finished(world.transactions, tcn);
          if (wants) wanted.push(tcn);
        }
        const all = await rows();
        expect(all).toHaveLength(before + wanted.length);
        for (const tcn of wanted) expect(all.filter((row) => row.tcn === tcn)).toHaveLength(1);
      }),
      { numRuns: 12 },
    );
  });

  it('gives each host its turn, however many another has, and nothing leased or under way', async () => {
    const at = (url: string): object => ({ callback: callbackTo(url) });
    for (let count = 0; count < 70; count += 1) await ways['failed at once'](at('https://many.example/'));
    const last = await ways['failed at once'](at('https://few.example:8443/'));
    const { notifications: store } = world.storage;
    const now = new Date(Date.now() + 1000);
    const leaseUntil = new Date(now.getTime() + 60_000);
    const limits = { now, leaseUntil, most: 8, mostPerHost: 2 };
    const first = await store.claim({ ...limits, running: new Map() });
    expect(first.map(({ host }) => host).sort()).toEqual(['few.example:8443', 'many.example', 'many.example']);
    expect(first.find(({ tcn }) => tcn === last)).toMatchObject({ attempts: 1, status: 'WAITING' });
    const running = new Map(first.slice(0, 2).map(({ id, host }) => [id, host]));
    const second = await store.claim({ ...limits, running });
    const taken = new Set(first.map(({ id }) => id));
    expect(second.filter(({ id }) => taken.has(id))).toEqual([]);
    expect(await store.nextTime(now)).toEqual(leaseUntil);
    const later = { ...limits, now: new Date(leaseUntil.getTime() + 1), most: 100, mostPerHost: 100 };
    const third = await store.claim({ ...later, running: new Map() });
    expect(third.length).toBe(64);
    await store.releaseLeases();
    expect((await store.claim({ ...limits, most: 1, running: new Map() })).length).toBe(1);
    expect(await store.hasWaiting()).toBe(true);
  });

  it('has no row and no finished transaction when the commit fails, and both after another try', async () => {
    const request = createRequest({ documentsSource: 'DATA_URL', documents, ...notified });
    const { tcn } = await world.transactions.create(request, requester);
    const { database } = world.storage;
    // The row is refused, and everything of its commit too.
    await database.schema.alterTable('notifications').renameTo('hidden').execute();
    await expect(world.transactions.decide(tcn, 'refuse')).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE' });
    await database.schema.alterTable('hidden').renameTo('notifications').execute();
    expect(await world.transactions.query(tcn)).toMatchObject({ status: 'WAITING', finishedAt: null });
    expect(await rows()).toEqual([]);
    await world.transactions.decide(tcn, 'refuse');
    expect(await rows()).toHaveLength(1);
  });
});
