import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { personWith } from '../../pki/identities.ts';
import { PretendToken } from './pretend-token.ts';
import { createRequest, dataUrl, finished, openWorld, requester, type World } from './transaction-world.ts';

const maria = await personWith();
const documents = ['a', 'b', 'c'].map((content) => ({ data: dataUrl(content) }));

describe('transactions closing while a document is being signed', () => {
  let world: World;
  let token: PretendToken;
  /** The token signs when this is settled. */
  let gate: PromiseWithResolvers<undefined>;
  /** Settled when the token is asked. */
  let asked: PromiseWithResolvers<undefined>;

  beforeEach(async () => {
    [gate, asked] = [Promise.withResolvers(), Promise.withResolvers()];
    world = await openWorld({ limits: { documentsAtOnce: 1 } });
    token = new PretendToken(maria);
    token.unlocked = true;
    token.beforeSign = async () => {
      asked.resolve(undefined);
      await gate.promise;
    };
    world.keys.add(token);
  });
  afterEach(async () => {
    gate.resolve(undefined);
    await world.end();
  });

  const create = async (mode: 'async' | 'sync') =>
    world.transactions.create(createRequest({ documentsSource: 'DATA_URL', documents, mode }), requester);

  it('finish the document, begin no other, answer waiting callers, and leave the rest to the next start', async () => {
    const synchronous = create('sync');
    await asked.promise;
    const { tcn } = (await world.transactions.recent(1))[0] ?? { tcn: '' };
    const waiting = world.transactions.query(tcn, { waitSeconds: 60 });
    const closed = world.transactions.close(60_000);
    gate.resolve(undefined);
    expect(await closed).toBe(true);
    expect((await waiting).counts).toEqual({ SIGNED: 1, WAITING: 2, ERROR: 0 });
    expect((await synchronous).counts).toEqual({ SIGNED: 1, WAITING: 2, ERROR: 0 });
    expect(token.signatures).toBe(1);
    token.beforeSign = async () => Promise.resolve();
    world = await world.restart();
    world.keys.add(token);
    await world.transactions.resume();
    expect((await finished(world.transactions, tcn)).counts).toEqual({ SIGNED: 3, WAITING: 0, ERROR: 0 });
    expect(token.signatures).toBe(3);
  });

  it('say so when the document takes too long, and answer waiting callers', async () => {
    const { tcn } = await create('async');
    await asked.promise;
    const waiting = world.transactions.query(tcn, { waitSeconds: 60 });
    expect(await world.transactions.close(1)).toBe(false);
    expect((await waiting).counts).toEqual({ SIGNED: 0, WAITING: 3, ERROR: 0 });
    // Nobody waits from now on.
    expect((await world.transactions.query(tcn, { waitSeconds: 60 })).status).toBe('WAITING');
  });
});
