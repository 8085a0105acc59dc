import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { personWith } from '../../pki/identities.ts';
import { PretendToken } from './pretend-token.ts';
import { createRequest, dataUrl, finished, openWorld, requester, viewWhen, type World } from './transaction-world.ts';

const maria = await personWith();

describe('a batch whose owner', () => {
  let world: World;
  let token: PretendToken;
  let tcn: string;

  beforeEach(async () => {
    world = await openWorld({ approve: 'ask', limits: { documentsAtOnce: 1 } });
    token = new PretendToken(maria);
    token.unlocked = true;
    world.keys.add(token);
    const documents = ['a', 'b', 'c', 'd', 'e'].map((content) => ({ data: dataUrl(content) }));
    ({ tcn } = await world.transactions.create(createRequest({ documentsSource: 'DATA_URL', documents }), requester));
  });
  afterEach(() => world.end());

  /** Does something while the second document is being signed, and approves the batch. */
  const during = async (action: () => Promise<unknown>): Promise<void> => {
    token.beforeSign = async () => {
      if (token.signatures === 1) await action();
    };
    await world.transactions.decide(tcn, 'approve');
    await viewWhen(world.transactions, tcn, ({ documents }) => documents[1]?.status === 'SIGNED');
  };

  it('pauses it is signed no further until it goes on', async () => {
    await during(() => world.transactions.pause(tcn, true));
    // The run that was under way ends before another one can begin.
    world.transactions.keysChanged();
    expect(await world.transactions.query(tcn, { waitSeconds: 0 })).toMatchObject({
      status: 'WAITING',
      waitingFor: null,
    });
    expect(token.signatures).toBe(2);
    await world.transactions.pause(tcn, false);
    expect(await finished(world.transactions, tcn)).toMatchObject({ status: 'SIGNED' });
    expect(token.signatures).toBe(5);
  });

  it('gives up the rest keeps what is signed, the one under way too', async () => {
    await during(() => world.transactions.cancel(tcn));
    const { documents, status } = await finished(world.transactions, tcn);
    expect(status).toBe('ERROR');
    expect(documents.map((one) => one.error?.code ?? one.status)).toEqual([
      ...['SIGNED', 'SIGNED', 'APPROVAL_REFUSED', 'APPROVAL_REFUSED', 'APPROVAL_REFUSED'],
    ]);
    await world.transactions.cancel(tcn);
    expect(token.signatures).toBe(2);
  });

  it('gives it up while it is paused ends it', async () => {
    await during(() => world.transactions.pause(tcn, true));
    await world.transactions.cancel(tcn);
    const { documents } = await finished(world.transactions, tcn);
    expect(documents.filter(({ status }) => status === 'SIGNED')).toHaveLength(2);
  });

  it('gives it up before it was approved refuses it', async () => {
    await world.transactions.cancel(tcn);
    const { documents } = await world.transactions.query(tcn);
    expect(new Set(documents.map(({ error }) => error?.code))).toEqual(new Set(['APPROVAL_REFUSED']));
  });

  it('gives it up while it takes documents is told that it does', async () => {
    const open = await world.transactions.create(createRequest(), requester);
    await expect(world.transactions.cancel(open.tcn)).rejects.toMatchObject({ code: 'APPROVAL_NOT_WAITING' });
    await expect(world.transactions.pause('unknown', true)).rejects.toMatchObject({ code: 'TRANSACTION_NOT_FOUND' });
  });
});
