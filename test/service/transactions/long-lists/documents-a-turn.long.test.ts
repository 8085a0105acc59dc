import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { personWith } from '../../../pki/identities.ts';
import { transactionForUi } from '../../../../src/app/calls/views.ts';
import { uploadBody } from '../../../../src/http/signing-service/signature-service.ts';
import { countATurn } from '../../../setup/count-a-turn.ts';
import { until } from '../../../setup/waits.ts';
import { createRequest, dataUrl, incoming, openWorld, requester, type World } from '../transaction-world.ts';

const maria = await personWith();
const DOCUMENTS = 1_600;
const A_TURN = 500;
/** Functions of the product handling a single document. */
const handlers = [
  'checkDocument',
  'blankRecord',
  'parseDataUrl',
  'toDocumentRow',
  'fromDocumentRow',
  'viewDocument',
] as const;
/**
 * Statements with values: at most three for a document (an erased result needs three), and a few for the transaction.
 */
const statement = { name: 'parametersOf', perDocument: 3, others: 20 } as const;

let world: World;
beforeEach(async () => {
  world = await openWorld({ approve: 'ask', limits: { documentsPerTransaction: DOCUMENTS } });
  await world.addKey(maria);
});
afterEach(() => world.end());

/**
 * Expects that the action handles all documents, and each function no more than 500 of them in a single turn for each
 * of the answers and jobs under way.
 */
async function expectTurns(action: () => Promise<unknown>, underWay = 1): Promise<void> {
  const { most, all } = await countATurn(action);
  const handled = [...handlers, statement.name].map((name) => all.get(name) ?? 0);
  expect(Math.max(...handled)).toBeGreaterThanOrEqual(DOCUMENTS);
  const tooMany = handlers
    .map((name) => [name, most.get(name) ?? 0] as const)
    .filter(([, count]) => count > A_TURN * underWay);
  expect(tooMany).toEqual([]);
  expect(most.get(statement.name) ?? 0).toBeLessThanOrEqual(A_TURN * statement.perDocument + statement.others);
}

async function createAll(): Promise<string> {
  const documents = Array.from({ length: DOCUMENTS }, (_one, index) => ({ data: dataUrl(`document ${index}`) }));
  const view = await world.transactions.create(createRequest({ documentsSource: 'DATA_URL', documents }), requester);
  return view.tcn;
}

async function uploadAll(): Promise<string> {
  const { tcn } = await world.transactions.create(createRequest({ type: 'CAdES-attached' }), requester);
  const documents = Array.from({ length: DOCUMENTS }, (_one, index): [string, string] => [
    `${index}.txt`,
    `document ${index}`,
  ]);
  await world.transactions.upload(tcn, { endOfTransaction: false }, incoming(...documents));
  return tcn;
}

describe(`a transaction of ${DOCUMENTS} documents is handled in turns of at most ${A_TURN}`, () => {
  it('when created, read, listed and refused', async () => {
    let tcn = '';
    await expectTurns(async () => (tcn = await createAll()));
    await expectTurns(() => world.transactions.query(tcn, { documents: { limit: Number.POSITIVE_INFINITY } }));
    await expectTurns(() => world.transactions.recent(5));
    await expectTurns(() => world.transactions.waiting());
    await expectTurns(() => world.transactions.decide(tcn, 'refuse'));
    expect(await world.transactions.countByStatus()).toEqual({ WAITING: 0, SIGNED: 0, ERROR: DOCUMENTS });
  });

  it('when described for the window, and in the answer to an upload', async () => {
    const view = await world.transactions.query(await createAll(), { documents: { limit: DOCUMENTS } });
    const context = { baseUrl: 'http://127.0.0.1:1', resultLifetime: 60, language: 'en', aliases: 'whole' } as const;
    const { most, all } = await countATurn(async () => {
      expect((await transactionForUi(view)).documents).toHaveLength(DOCUMENTS);
      const { documents } = await uploadBody({ ...view, endOfTransaction: true }, context);
      expect(documents).toHaveLength(DOCUMENTS);
    });
    for (const name of ['documentForUi', 'documentEntry']) {
      expect([name, all.get(name), most.get(name)]).toEqual([name, DOCUMENTS, A_TURN]);
    }
  });

  it('on expiry', async () => {
    await createAll();
    world.advance(2 * 86_400_000);
    await expectTurns(() => world.transactions.resume());
    expect(await world.transactions.countByStatus()).toEqual({ WAITING: 0, SIGNED: 0, ERROR: DOCUMENTS });
  });

  it('when approved, signed, and erased at the end of its lifetime', async () => {
    const tcn = await createAll();
    await expectTurns(async () => {
      await world.transactions.decide(tcn, 'approve');
      await until(async () => (await world.transactions.countByStatus()).SIGNED === DOCUMENTS, 'all are signed');
      // The answer to the approval, and the job of the signatures.
    }, 2);
    expect(await world.transactions.countByStatus()).toEqual({ WAITING: 0, SIGNED: DOCUMENTS, ERROR: 0 });
    world = await world.restart();
    world.advance(2 * 86_400_000);
    await expectTurns(() => world.transactions.resume());
    const { documents } = await world.transactions.query(tcn);
    expect(documents.every(({ lifetime }) => lifetime === 0)).toBe(true);
  });

  it('when its documents come in a single upload, and when the rest is cancelled', async () => {
    let tcn = '';
    await expectTurns(async () => (tcn = await uploadAll()));
    await expectTurns(() => world.transactions.cancel(tcn));
    expect(await world.transactions.countByStatus()).toEqual({ WAITING: 0, SIGNED: 0, ERROR: DOCUMENTS });
  });
});
