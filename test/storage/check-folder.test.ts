import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checkFolder, type FolderFinding } from '../../src/storage/recovery/check-folder.ts';
import { personWith } from '../pki/identities.ts';
import {
  createRequest,
  dataUrl,
  finished,
  incoming,
  openWorld,
  requester,
  type World,
} from '../service/transactions/transaction-world.ts';

const maria = await personWith();
let world: World;
let progress: [number, number][];

/** A small result, a result in a file, and a waiting original in a file. */
beforeEach(async () => {
  progress = [];
  world = await openWorld({ approve: 'ask' });
  await world.addKey(maria);
  const create = async (content: Buffer) => {
    const documents = [{ data: dataUrl(content) }];
    const request = createRequest({ documentsSource: 'DATA_URL', type: 'CAdES-attached', documents });
    const { tcn } = await world.transactions.create(request, requester);
    await world.transactions.decide(tcn, 'approve');
    await finished(world.transactions, tcn);
  };
  await create(Buffer.from('small'));
  await create(Buffer.alloc(200_000, 1));
  const { tcn } = await world.transactions.create(createRequest(), requester);
  await world.transactions.upload(tcn, { endOfTransaction: true }, incoming(['a.bin', Buffer.alloc(100_000)]));
});
afterEach(() => world.end());

const check = async (repair = false): Promise<readonly FolderFinding[]> =>
  (await checkFolder(world.storage.database, world.folder, { repair, onProgress: (...one) => void progress.push(one) }))
    .findings;

const only = (folder: string): string => join(world.folder, folder, readdirSync(join(world.folder, folder))[0] ?? '');

function flip(path: string): void {
  const content = readFileSync(path);
  content[1000] = (content[1000] ?? 0) ^ 1;
  writeFileSync(path, content);
}

const run = (statement: string) => sql.raw(statement).execute(world.storage.database);

const damages: readonly [string, FolderFinding['kind'], () => unknown][] = [
  ['a result file with another bit', 'result-changed', () => flip(only('results'))],
  ['a result file that is gone', 'result-missing', () => rmSync(only('results'))],
  ['a small result with other bytes', 'result-changed', () => run("update small_results set octets = x'00'")],
  ['a small result that is gone', 'result-missing', () => run('delete from small_results')],
  ['an original with another bit', 'original-changed', () => flip(only('documents'))],
  ['an original that is gone', 'original-missing', () => rmSync(only('documents'))],
  ['a file without a row', 'file-without-row', () => writeFileSync(join(world.folder, 'results', 'a'.repeat(32)), '')],
  ['a changed end of the audit log', 'audit-broken', () => run("update audit_head set hash = 'x'")],
  ['rows that are missing by the mark', 'lost-rows', () => run('update audit_head set sequence = sequence - 1')],
  ['a wrong counter of space', 'space-miscounted', () => run('update document_space set octets = octets + 7')],
];

describe('the check of a data folder', () => {
  it('finds nothing in a good one, and tells its progress', async () => {
    expect(await check()).toEqual([]);
    expect(progress.at(-1)).toEqual([3, 3]);
  });

  it.each(damages)('finds %s', async (_state, kind, damage) => {
    await damage();
    expect((await check()).map((finding) => finding.kind)).toContain(kind);
  });

  it('counts the space again when asked, and nothing else', async () => {
    await run('update document_space set octets = octets + 7');
    expect(await check(true)).toMatchObject([{ kind: 'space-miscounted', repaired: true }]);
    expect(await check()).toEqual([]);
  });
});
