/**
 * An instance killed. Parameters: its root folder, and how many documents to begin with. Continues the existing work.
 * If asked to, begins three batches: of small documents, large documents and files of the user. Prints a line for each
 * progress of signing, and ends when nothing waits any more.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { letTimePass } from '../../setup/waits.ts';
import { createRequest, dataUrl, openWorld, requester } from './transaction-world.ts';

/** Bytes of a document at rest in a file. */
const LARGE = 70_000;

const [, , root = '', count = '0'] = process.argv;
const { transactions, home } = await openWorld({}, root);

async function begin(documents: number): Promise<void> {
  const numbers = Array.from({ length: documents }, (_, index) => String(index));
  const folder = join(home, 'documents');
  mkdirSync(folder);
  for (const number of numbers) writeFileSync(join(folder, number), `document ${number}`);
  const small = numbers.map((number) => ({ data: dataUrl(`document ${number}`) }));
  const large = numbers.map((number) => ({ data: dataUrl(`document ${number}`.padEnd(LARGE)) }));
  const delivered = numbers.map((number) => ({ data: join(folder, number) }));
  for (const kept of [small, large]) {
    await transactions.create(createRequest({ documentsSource: 'DATA_URL', documents: kept }), requester);
  }
  await transactions.create(
    createRequest({ documentsSource: 'FILE_PATH', documents: delivered, destination: 'FILE_PATH' }),
    requester,
  );
}

await transactions.resume();
if (count !== '0') await begin(Number(count));
console.log('signing');
for (;;) {
  const { WAITING } = await transactions.countByStatus();
  if (WAITING === 0) break;
  await letTimePass(20);
}
await transactions.close();
console.log('finished');
process.exit(0);
