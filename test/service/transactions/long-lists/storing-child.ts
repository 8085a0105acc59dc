/**
 * An instance killed while storing a long transaction. Parameters: its root folder, the number of documents, and the
 * number of rows before its end. Prints the view of others on the transaction until then.
 */
import { writeSync } from 'node:fs';
import { createRequest, dataUrl, openWorld, requester } from '../transaction-world.ts';
import { seenOf } from './seen.ts';

const [, , root = '', documents = '', rows = ''] = process.argv;
const world = await openWorld({ approve: 'ask' }, root);

async function watch(): Promise<void> {
  const { count } = await world.storage.database
    .selectFrom('documents')
    .select(({ fn }) => fn.countAll().as('count'))
    .executeTakeFirstOrThrow();
  if (Number(count) >= Number(rows)) {
    const seen = await seenOf(world);
    writeSync(1, JSON.stringify({ rows: Number(count), seen }));
    process.kill(process.pid, 'SIGKILL');
  }
  setImmediate(() => void watch());
}

setImmediate(() => void watch());
const list = Array.from({ length: Number(documents) }, (_one, index) => ({ data: dataUrl(`document ${index}`) }));
const idempotency = { key: 'one', bodyDigest: 'd' };
await world.transactions.create(
  createRequest({ documentsSource: 'DATA_URL', documents: list, idempotency }),
  requester,
);
