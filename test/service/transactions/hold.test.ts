import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { personWith } from '../../pki/identities.ts';
import { PretendToken } from './pretend-token.ts';
import { createRequest, dataUrl, finished, openWorld, requester, viewWhen, type World } from './transaction-world.ts';

const maria = await personWith();

describe('a batch', () => {
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

  it('is signed no further while its owner pauses the work', async () => {
    await during(() => world.transactions.pause(tcn, true));
    // The run under way ends before another can begin.
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

  it('keeps its signatures when its owner gives up the rest, and the signature under way too', async () => {
    await during(() => world.transactions.cancel(tcn));
    const { documents, status } = await finished(world.transactions, tcn);
    expect(status).toBe('ERROR');
    expect(documents.map((one) => one.error?.code ?? one.status)).toEqual([
      'SIGNED',
      'SIGNED',
      'CANCELLED',
      'CANCELLED',
      'CANCELLED',
    ]);
    await world.transactions.cancel(tcn);
    expect(token.signatures).toBe(2);
  });

  it('ends when given up during a pause', async () => {
    await during(() => world.transactions.pause(tcn, true));
    await world.transactions.cancel(tcn);
    const { documents } = await finished(world.transactions, tcn);
    expect(documents.filter(({ status }) => status === 'SIGNED')).toHaveLength(2);
  });

  it.each([
    ['cancelled', 'CANCELLED', async () => world.transactions.cancel(tcn)],
    ['refused', 'APPROVAL_REFUSED', async () => world.transactions.decide(tcn, 'refuse')],
  ] as const)('ends, %s before its approval, each document with %s', async (_what, code, end) => {
    await end();
    const { documents, status } = await world.transactions.query(tcn);
    expect(status).toBe('ERROR');
    expect(documents.map(({ error }) => error?.code)).toEqual(Array.from({ length: 5 }, () => code));
    expect(token.signatures).toBe(0);
  });

  it('ends its upload when cancelled while taking documents', async () => {
    const announced = [{ originalFileName: 'a.txt' }];
    const open = await world.transactions.create(createRequest({ documents: announced }), requester);
    await world.transactions.cancel(open.tcn);
    expect(await world.transactions.query(open.tcn)).toMatchObject({
      status: 'ERROR',
      waitingFor: null,
      documents: [{ error: { code: 'CANCELLED' } }],
    });
  });

  it('is unknown under another number', async () => {
    const unknown = { code: 'TRANSACTION_NOT_FOUND' };
    await expect(world.transactions.pause('unknown', true)).rejects.toMatchObject(unknown);
    await expect(world.transactions.cancel('unknown')).rejects.toMatchObject(unknown);
  });
});
