import { createHash } from 'node:crypto';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { TransactionLimits, Transactions, TransactionView } from '../../../src/service/transactions/index.ts';
import { personWith } from '../../pki/identities.ts';
import { FaultCounter } from './failing-stores.ts';
import {
  createRequest,
  dataUrl,
  filesOnly,
  finished,
  incoming,
  keptIn,
  bytesOf,
  openWorld,
  requester,
  type World,
} from './transaction-world.ts';

const maria = await personWith();
/** Each step opens two instances and flushes many files; a busy disk makes each slow. */
const PATIENCE = 180_000;

/** A way to bring two documents in; answers the TCN. */
type Scenario = (transactions: Transactions, home: string) => Promise<string>;

const scenarios: Readonly<Record<string, Scenario>> = {
  async 'data URLs kept here'(transactions) {
    const documents = ['a', 'b'].map((text) => ({ data: dataUrl(text) }));
    return (await transactions.create(createRequest({ documentsSource: 'DATA_URL', documents }), requester)).tcn;
  },
  async 'data URLs signed within the request'(transactions) {
    const documents = ['a', 'b'].map((text) => ({ data: dataUrl(text) }));
    const request = createRequest({ documentsSource: 'DATA_URL', documents, mode: 'sync' });
    return (await transactions.create(request, requester)).tcn;
  },
  async 'paths delivered to paths'(transactions, home) {
    const documents = ['a', 'b'].map((name) => ({ data: join(home, name) }));
    for (const { data } of documents) writeFileSync(data, 'content');
    const request = createRequest({ documentsSource: 'FILE_PATH', destination: 'FILE_PATH', documents });
    return (await transactions.create(request, requester)).tcn;
  },
  async uploads(transactions) {
    const { tcn } = await transactions.create(createRequest(), requester);
    const send = () => transactions.upload(tcn, { endOfTransaction: true }, incoming(['a', 'a'], ['b', 'b']));
    await send().catch(async (error: unknown) => {
      const { waitingFor, documents } = await transactions.query(tcn);
      if (waitingFor !== 'upload') return;
      expect(documents).toEqual([]);
      expect(error).toBeInstanceOf(Error);
      await send();
    });
    return tcn;
  },
};

async function expectTruth(world: World, view: TransactionView): Promise<void> {
  expect(view.documents).toHaveLength(2);
  for (const { id, status, error } of view.documents) {
    if (status === 'ERROR') {
      expect(error?.detail).not.toBe('');
      await expect(world.transactions.result(view.tcn, id)).rejects.toMatchObject({ code: 'SIGNING_FAILED' });
    } else {
      const result = await world.transactions.result(view.tcn, id);
      expect(createHash('sha256').update(bytesOf(result)).digest('hex')).toBe(result.checksum);
    }
  }
}

/** The state after a restart: the results of SIGNED documents, each once, and no other files. */
async function expectTidy(world: World, view: TransactionView | undefined): Promise<void> {
  const signed = view?.documents.filter(({ status }) => status === 'SIGNED') ?? [];
  const delivered = signed.filter(({ resultPath }) => resultPath !== null);
  const kept = await keptIn(world);
  expect([kept.incoming, kept.originals]).toEqual([[], []]);
  expect(kept.results).toHaveLength(signed.length - delivered.length);
  const beside = readdirSync(world.home).filter((name) => name.includes('.'));
  expect(beside.sort()).toEqual(delivered.map(({ originalFileName }) => `${originalFileName ?? ''}.p7s`).sort());
}

/** Runs a scenario with its n-th operation failing; answers the name of the operation, undefined without any. */
async function runWithFault(
  scenario: Scenario,
  n: number,
  when: 'before' | 'after',
  limits: Partial<TransactionLimits>,
): Promise<string | undefined> {
  const faults = new FaultCounter(n, when);
  let world = await openWorld({ limits }, undefined, (storage) => ({
    transactions: faults.watch(storage.transactions),
    documents: faults.watch(storage.documents),
    smallDocuments: faults.watch(storage.smallDocuments),
    files: faults.watch(storage.files),
  }));
  try {
    await world.addKey(maria);
    const tcn = await scenario(world.transactions, world.home).catch(() => undefined);
    const wait = (known: string) => finished(world.transactions, known);
    // The question itself may fail, and is asked again.
    const view = tcn === undefined ? undefined : await wait(tcn).catch(() => wait(tcn));
    world = await world.restart({});
    await world.transactions.resume();
    if (view === undefined) expect(await world.transactions.recent(10)).toEqual([]);
    else await expectTruth(world, view);
    await expectTidy(world, view);
    return faults.failed;
  } finally {
    await world.end();
  }
}

/** Describes the tests of every scenario with documents kept in a single place. */
export function describeFailingStores(place: 'the database' | 'files'): void {
  const limits = place === 'files' ? filesOnly : {};
  describe.each(['before', 'after'] as const)(
    `the n-th operation of the stores failing, %s its work, documents in ${place}`,
    (when) => {
      it.each(Object.entries(scenarios))(
        'loses, doubles and leaves behind nothing of %s',
        async (name, scenario) => {
          const failed = new Set<string>();
          // The commit of the signatures stores the transaction too, where both are in the database.
          const isOneCommit = name === 'data URLs signed within the request' && place === 'the database';
          const commits = isOneCommit ? ['apply'] : ['apply', 'insert'];
          const hasMissed = (): boolean => commits.some((one) => !failed.has(one));
          // The number of reads of the state depends on the time taken: a quick run does not end the walk, and a walk
          // without any failed operation begins anew.
          for (let walk = 0; walk === 0 || (walk < 4 && hasMissed()); walk++) {
            for (let n = 1, met = 0; met < 2; n++) {
              const operation = await runWithFault(scenario, n, when, limits);
              if (operation === undefined) met++;
              else failed.add(operation);
            }
          }
          for (const one of commits) expect(failed).toContain(one);
          expect(failed.has('insert')).toBe(!isOneCommit);
        },
        PATIENCE,
      );
    },
  );
}
