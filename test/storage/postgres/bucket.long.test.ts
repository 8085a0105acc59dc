/** Nodes on one PostgreSQL with their documents in a bucket: a result of one, read by another, and a store out of reach. */
import { mkdirSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { holdExchanges } from '../../../src/network/index.ts';
import { BucketDocumentStore, DocumentBucket, openStorage } from '../../../src/storage/index.ts';
import { personWith } from '../../pki/identities.ts';
import {
  bytesOf,
  createRequest,
  dataUrl,
  filesOnly,
  finished,
  requester,
  type World,
} from '../../service/transactions/transaction-world.ts';
import { until } from '../../setup/waits.ts';
import { startFaulty, type ObjectServer } from '../object-stores/object-servers.ts';
import { standInS3 } from '../object-stores/stand-in-s3.ts';
import { NodeWorlds } from './node-worlds.ts';

const worlds = new NodeWorlds();
let objects: ObjectServer;
/** While true, the store answers 503. */
let isOut: boolean;
let refused: number;

beforeEach(async () => {
  isOut = false;
  refused = 0;
  const store: RequestListener = standInS3(['documents']);
  objects = await startFaulty((request, response) => {
    if (!isOut) store(request, response);
    else {
      refused++;
      response.writeHead(503).end();
    }
  });
  worlds.closeLater({ close: async () => objects.stop() });
});

const bucketIn = (prefix: string): DocumentBucket =>
  new DocumentBucket(
    {
      bucket: 'documents',
      prefix,
      endpoint: objects.url,
      region: 'us-east-1',
      pathStyle: true,
      credentials: { kind: 'keys', accessKeyId: 'node', secretAccessKey: 'secret' },
    },
    { hold: holdExchanges, patience: { attempts: 1, requestAttempts: { s3: 1, gcs: 1 } } },
  );

const openNode = async (name: string): Promise<World> =>
  worlds.open(name, { limits: filesOnly, approve: 'ask' }, { bucket: bucketIn('sinete') });

const request = () =>
  createRequest({
    type: 'CAdES-attached',
    documentsSource: 'DATA_URL',
    documents: [{ id: '0', data: dataUrl('a contract'), originalFileName: 'contract.txt' }],
  });

it('gives out at a single node the signatures of another node', async () => {
  const [one, other] = [await openNode('one'), await openNode('other')];
  await one.addKey(await personWith());
  for (const node of [one, other]) await node.transactions.resume();
  const { tcn } = await one.transactions.create(request(), requester);
  await other.transactions.decide(tcn, 'approve');
  expect(await finished(one.transactions, tcn)).toMatchObject({ status: 'SIGNED' });
  const [here, there] = [await one.transactions.result(tcn, '0'), await other.transactions.result(tcn, '0')];
  expect(bytesOf(here)).toEqual(bytesOf(there));
  expect(bytesOf(here).length).toBeGreaterThan(0);
  const { documents, transactions } = one.storage;
  const cleaned = await documents.removeUnneeded((keys) => transactions.neededFiles(keys));
  expect(cleaned).toEqual({ removed: 0, found: 0, unanswered: 0 });
});

it('refuses new documents while the store is out of reach, and signs those waiting when the store is back', async () => {
  const node = await openNode('one');
  await node.addKey(await personWith());
  await node.transactions.resume();
  const { tcn } = await node.transactions.create(request(), requester);
  // The job has to fetch the original again, to make the reading fail, not only the publication of the result.
  const { documents } = node.storage;
  if (!(documents instanceof BucketDocumentStore)) throw new Error('The documents are not in a bucket.');
  await documents.removeCopies(Date.now() + 3_600_000);
  isOut = true;
  await expect(node.transactions.create(request(), requester)).rejects.toMatchObject({
    code: 'STORAGE_UNAVAILABLE',
    retryAfter: 10,
  });
  const before = refused;
  await node.transactions.decide(tcn, 'approve');
  await until(() => refused > before, 'the store has refused a request of the job');
  expect((await node.transactions.query(tcn)).finishedAt).toBeNull();
  isOut = false;
  expect(await finished(node.transactions, tcn)).toMatchObject({ status: 'SIGNED' });
  expect(bytesOf(await node.transactions.result(tcn, '0')).length).toBeGreaterThan(0);
});

it('refuses a bucket belonging to no database, or to another', async () => {
  const node = await openNode('one');
  await node.addKey(await personWith());
  const other = join(worlds.root, 'other');
  mkdirSync(other);
  const { url, server } = worlds.database;
  const open = async (databaseUrl: string, prefix: string) =>
    openStorage(other, { databaseUrl, bucket: bucketIn(prefix) });
  await expect(open(url, 'elsewhere')).rejects.toMatchObject({
    message: 'The shared bucket of documents is not the one of this PostgreSQL database.',
  });
  await expect(open(await server.createDatabase('second'), 'sinete')).rejects.toMatchObject({
    message: 'The PostgreSQL database is not the one of this data folder.',
  });
});
