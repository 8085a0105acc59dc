import { afterEach, describe, expect, it } from 'vitest';
import { personWith } from '../../pki/identities.ts';
import { until } from '../../setup/waits.ts';
import { createRequest, dataUrl, finished, openWorld, requester, type World } from './transaction-world.ts';
import { dropUndefined } from '../../../src/values/drop-undefined.ts';

const maria = await personWith();
let world: World;
afterEach(() => world.end());

async function batch(count: number, approve: 'ask' | 'all'): Promise<string> {
  world = await openWorld({ approve, limits: { documentsPerTransaction: count } });
  await world.addKey(maria);
  const documents = Array.from({ length: count }, (_one, index) => ({ data: dataUrl(`${index}`) }));
  const view = await world.transactions.create(createRequest({ documentsSource: 'DATA_URL', documents }), requester);
  expect(view).toMatchObject({ isPage: count > 1000, counts: { WAITING: count } });
  return view.tcn;
}

describe('a batch of 2,300 documents', () => {
  it('is answered in pages of at most 1,000, with the numbers of all, and others have their turn between', async () => {
    const tcn = await batch(2300, 'ask');
    const ids: string[] = [];
    for (let after: string | undefined; ;) {
      const page = await world.transactions.query(tcn, { documents: dropUndefined({ after }) });
      expect(page).toMatchObject({ status: 'WAITING', counts: { WAITING: 2300, SIGNED: 0, ERROR: 0 }, isPage: true });
      if (page.documents.length === 0) break;
      expect(page.documents.length).toBeLessThanOrEqual(1000);
      ids.push(...page.documents.map(({ id }) => id));
      after = ids.at(-1);
    }
    expect(ids).toEqual(Array.from({ length: 2300 }, (_one, index) => String(index)));
    let turns = 0;
    let isReading = true;
    const count = (): void => {
      turns++;
      if (isReading) setImmediate(count);
    };
    setImmediate(count);
    const all = await world.transactions.query(tcn, { documents: { limit: Number.POSITIVE_INFINITY } });
    isReading = false;
    expect(all.documents).toHaveLength(2300);
    expect(turns).toBeGreaterThanOrEqual(4);
    expect((await world.transactions.query(tcn, { documents: { limit: 0 } })).documents).toEqual([]);
  });
});

describe('a held query', () => {
  it('is not woken by single documents, and answers when the transaction is finished', async () => {
    const tcn = await batch(600, 'ask');
    const changes: string[] = [];
    const stop = world.transactions.onChange((changed) => changes.push(changed));
    const held = world.transactions.query(tcn, { waitSeconds: 60 });
    await world.transactions.decide(tcn, 'approve');
    expect(await held).toMatchObject({ waitingFor: null });
    const second = world.transactions.query(tcn, { waitSeconds: 60 });
    expect(await second).toMatchObject({ status: 'SIGNED', counts: { SIGNED: 600 } });
    await finished(world.transactions, tcn);
    await until(() => changes.length > 2, 'several commits were announced');
    stop();
  });
});
