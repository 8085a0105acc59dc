import SqliteDatabase from 'better-sqlite3';
import { sql } from 'kysely';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DiskRoom, type Room } from '../../../src/service/space/index.ts';
import { openStorage } from '../../../src/storage/index.ts';
import { personWith } from '../../pki/identities.ts';
import { itNeeding } from '../../setup/needs.ts';
import {
  createRequest,
  dataUrl,
  finished,
  incoming,
  keptIn,
  bytesOf,
  openWorld,
  requester,
  type World,
} from './transaction-world.ts';

const leastFree = 1_000_000;
let free: number;
let time: number;
let world: World;

beforeEach(async () => {
  free = 1e9;
  time = 0;
  world = await openWorld({}, undefined, ({ documentSpace }) => ({ room: roomOver(documentSpace, 1_000_000) }));
  await world.addKey(await personWith());
});
afterEach(async () => world.end());

/** Room measured anew each time. */
function roomOver(space: World['storage']['documentSpace'], quota: number): Room {
  return new DiskRoom({
    folder: '/',
    leastFree,
    quota,
    clock: () => (time += 2000),
    diskSpace: () => Promise.resolve({ total: 1e9, free }),
    documents: async () => space.bytes(),
  });
}

const large = Buffer.alloc(300_000, 'large ');
const create = async (...contents: readonly Buffer[]): Promise<string> => {
  const documents = contents.map((content) => ({ data: dataUrl(content) }));
  const request = createRequest({ documentsSource: 'DATA_URL', type: 'CAdES-attached', documents });
  return (await world.transactions.create(request, requester)).tcn;
};

/** Measures the stored documents of the data folder by files and rows. */
async function bytesKept(): Promise<number> {
  const { database } = world.storage;
  const rows = await database
    .selectFrom('documents')
    .select(['status', 'size', 'result_size', 'result_erased_at'])
    .execute();
  return rows.reduce((sum, row) => {
    if (row.status === 'WAITING') return sum + (row.size ?? 0);
    return sum + (row.status === 'SIGNED' && row.result_erased_at === null ? (row.result_size ?? 0) : 0);
  }, 0);
}

describe('a disk low on space', () => {
  it('takes no further document, keeps none of its bytes, and lets all present work go on', async () => {
    const signed = await create(large);
    await finished(world.transactions, signed);
    // The file of a large original is removed after the commit that finishes its transaction.
    await expect.poll(async () => (await keptIn(world)).originals).toEqual([]);
    const open = await world.transactions.create(createRequest(), requester);
    await world.transactions.upload(open.tcn, { endOfTransaction: false }, incoming(['a.txt', 'a']));
    const before = await keptIn(world);

    free = leastFree - 1;
    const refusal = { code: 'STORAGE_FULL', retryAfter: 60 };
    await expect(create(Buffer.from('x'))).rejects.toMatchObject(refusal);
    await expect(world.transactions.create(createRequest(), requester)).rejects.toMatchObject(refusal);
    const upload = world.transactions.upload(open.tcn, { endOfTransaction: false }, incoming(['b.txt', 'b']));
    await expect(upload).rejects.toMatchObject(refusal);
    expect(await keptIn(world)).toEqual(before);

    // The batch ends and is signed, results are downloaded, and lifetimes end.
    await world.transactions.upload(open.tcn, { endOfTransaction: true }, incoming());
    expect((await finished(world.transactions, open.tcn)).status).toBe('SIGNED');
    expect(bytesOf(await world.transactions.result(signed, '0')).length).toBeGreaterThan(large.length);
    world.advance(13 * 3_600_000);
    await world.transactions.resume();
    expect((await keptIn(world)).results).toEqual([]);

    free = 1e9;
    expect((await finished(world.transactions, await create(large))).status).toBe('SIGNED');
  });

  it('refuses a single document with an announced length above the limit, also on an empty disk', async () => {
    const { tcn } = await world.transactions.create(createRequest(), requester);
    free = leastFree;
    const announced = { endOfTransaction: true, announcedBytes: 2 ** 50, isOneDocument: true };
    const upload = world.transactions.upload(tcn, announced, incoming(['a.txt', 'a']));
    await expect(upload).rejects.toMatchObject({ code: 'DOCUMENT_TOO_LARGE' });
  });

  it('refuses an upload by its announced length unread, and an upload without a length by its bytes', async () => {
    const { tcn } = await world.transactions.create(createRequest(), requester);
    free = leastFree + 100_000;
    let read = 0;
    const counted = async function* () {
      for await (const document of incoming(['a.bin', large])) {
        const content = (async function* () {
          for await (const chunk of document.content) {
            read += chunk.length;
            yield chunk;
          }
        })();
        yield { ...document, content };
      }
    };
    const refused = { code: 'STORAGE_FULL' };
    const announced = { endOfTransaction: true, announcedBytes: large.length };
    await expect(world.transactions.upload(tcn, announced, counted())).rejects.toMatchObject(refused);
    expect(read).toBe(0);
    await expect(world.transactions.upload(tcn, { endOfTransaction: true }, counted())).rejects.toMatchObject(refused);
    expect([read, (await keptIn(world)).incoming]).toEqual([large.length, []]);
  });
});

describe('a document that is signed within its request', () => {
  it('is refused as soon as its commit fails, leaves nothing, and is signed when there is room again', async () => {
    world = await world.restart({ limits: { syncTimeout: 3_600_000 } });
    const contents = { documentsSource: 'DATA_URL', documents: [{ data: dataUrl('one') }], mode: 'sync' } as const;
    const { database } = world.storage;
    const full = sql`create trigger full before insert on small_results begin select raise(abort, 'no room'); end`;
    await full.execute(database);
    const refused = world.transactions.create(createRequest(contents), requester);
    await expect(refused).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE' });
    expect(await world.transactions.recent(1)).toEqual([]);
    expect(await keptIn(world)).toEqual({ incoming: [], originals: [], results: [] });

    await sql`drop trigger full`.execute(database);
    const { tcn, status } = await world.transactions.create(createRequest(contents), requester);
    expect(status).toBe('SIGNED');
    expect((await world.transactions.recent(2)).map((one) => one.tcn)).toEqual([tcn]);
  });
});

describe('room for future results', () => {
  it('is held while documents wait for approval, also after a restart, and is free again after a refusal', async () => {
    /** Over the world of the moment. */
    const measured = (): Room => roomOver(world.storage.documentSpace, 10_000_000);
    const room: Room = { take: async (needed) => measured().take(needed), view: async () => measured().view() };
    world = await world.restart({ approve: 'ask', room });
    const waiting = await create(large, large);
    free = leastFree + 1_100_000;
    const refused = { code: 'STORAGE_FULL' };
    await expect(create(large)).rejects.toMatchObject(refused);

    world = await world.restart({ approve: 'ask', room });
    await expect(create(large)).rejects.toMatchObject(refused);
    await world.transactions.decide(waiting, 'refuse');
    await create(large);
  });

  it.each([
    ['a signature beside its document needs none', { type: 'CAdES-detached' }, 0],
    ['a signature around a document that is kept needs its length', { type: 'CMS-attached' }, 1],
    ['so does a PDF', { type: 'PAdES' }, 1],
  ] as const)('%s', async (_what, { type }, copies) => {
    world = await world.restart({ approve: 'ask' });
    const content = Buffer.concat([Buffer.from('%PDF-1.7'), large]);
    const documents = [{ data: dataUrl(content) }];
    await world.transactions.create(createRequest({ documentsSource: 'DATA_URL', type, documents }), requester);
    expect((await world.storage.documentSpace.bytes()).awaited).toBe(content.length * copies);
  });

  it('counts as kept where a document is read by its path, and is not ours where the result goes to a path', async () => {
    world = await world.restart({ approve: 'ask' });
    const path = join(world.home, 'a.bin');
    writeFileSync(path, large);
    const request = createRequest({ documentsSource: 'FILE_PATH', type: 'CMS-attached', documents: [{ data: path }] });
    await world.transactions.create({ ...request, destination: 'FILE_PATH' }, requester);
    expect(await world.storage.documentSpace.bytes()).toEqual({ kept: 0, awaited: 0 });
    await world.transactions.create(request, requester);
    expect(await world.storage.documentSpace.bytes()).toEqual({ kept: large.length, awaited: large.length });
  });
});

describe('a quota', () => {
  it('counts originals waiting and results kept, until erased', async () => {
    const { documentSpace } = world.storage;
    expect(await documentSpace.bytes()).toEqual({ kept: 0, awaited: 0 });
    const { tcn } = await world.transactions.create(createRequest({ type: 'CAdES-attached' }), requester);
    await world.transactions.upload(tcn, { endOfTransaction: false }, incoming(['a', 'small'], ['b', large]));
    const kept = 5 + large.length;
    expect(await documentSpace.bytes()).toEqual({ kept, awaited: kept });
    await world.transactions.upload(tcn, { endOfTransaction: true }, incoming());
    await finished(world.transactions, tcn);
    const results = await Promise.all(['0', '1'].map(async (id) => (await world.transactions.result(tcn, id)).size));
    expect(await documentSpace.bytes()).toEqual({ kept: results.reduce((sum, size) => sum + size, 0), awaited: 0 });
    expect((await documentSpace.bytes()).kept).toBe(await bytesKept());
    world.advance(13 * 3_600_000);
    await world.transactions.resume();
    expect(await documentSpace.bytes()).toEqual({ kept: 0, awaited: 0 });
  });

  it('used up refuses documents until lifetimes end', async () => {
    await finished(world.transactions, await create(large, large, large));
    await expect(create(large)).rejects.toMatchObject({ code: 'STORAGE_FULL', retryAfter: 60 });
    world.advance(13 * 3_600_000);
    await world.transactions.resume();
    expect((await finished(world.transactions, await create(large))).status).toBe('SIGNED');
  });

  it('is not touched by documents read and written by their paths', async () => {
    const path = join(world.home, 'a.bin');
    writeFileSync(path, large);
    const documents = [{ data: path }];
    const request = createRequest({ documentsSource: 'FILE_PATH', destination: 'FILE_PATH', documents });
    const { tcn } = await world.transactions.create(request, requester);
    expect((await finished(world.transactions, tcn)).status).toBe('SIGNED');
    expect(await world.storage.documentSpace.bytes()).toEqual({ kept: 0, awaited: 0 });
  });

  /**
   * Tables and columns added by migrations after the eighth. Name those of a new migration here: the test takes them away
   * and lets the migrations run again.
   */
  const laterColumns = [
    'transactions.turn_owner',
    'transactions.turn_token',
    'transactions.approved_by',
    'transactions.caller',
    'transactions.waiting_since',
    'documents.announced_id',
    'documents.announced_name',
    'documents.adjustments',
    'transactions.options',
    'documents.hash_digest',
    'documents.hash_value',
    'applications.signs_raw',
    'authorization_codes.hashes',
    'access_tokens.hashes',
    'notifications.endpoint_id',
    'notifications.event',
    'access_tokens.approves_until',
    'documents.revision',
    'documents.pending_level',
    'documents.pending_since',
    'documents.pending_next',
    'documents.pending_size',
    'documents.pending_checksum',
    'documents.pending_code',
    'documents.pending_detail',
    'documents.warnings',
    'applications.limits',
    'transactions.claimed_by',
    'transactions.claim_number',
    'transactions.hold',
    'transactions.home_node',
    'transactions.incomplete',
    'documents.attempt',
    'transactions.history_number',
  ];
  /** Columns taken away by later migrations. */
  const earlierColumns = ['tsa_server_id', 'tsa_digest', 'signer_company'];
  const storedLater = ['document_space', 'spent_steps', 'result_blocks', 'file_grants', 'refresh_tokens'];
  const laterTables = [
    ...storedLater,
    'webhook_endpoints',
    'renewals',
    'application_use',
    'administrators',
    'nodes',
    'signers',
    'short_lived',
    'history_words',
    'history_entries',
    'hash_calls',
    'application_people',
  ];
  const laterIndexes = [
    'transactions_by_caller',
    'notifications_of_callbacks',
    'notifications_of_endpoints',
    'documents_pending',
    'transactions_by_history_number',
    'transactions_by_signer',
    'transactions_incomplete',
    'documents_with_kept_result',
  ];
  // No PostgreSQL database is so old.
  itNeeding('SQLite')('counts the documents kept by an earlier version', async () => {
    await finished(world.transactions, await create(large));
    const { tcn } = await world.transactions.create(createRequest({ type: 'CAdES-attached' }), requester);
    await world.transactions.upload(tcn, { endOfTransaction: false }, incoming(['a.bin', large]));
    const kept = await bytesKept();
    await world.stop();
    const earlier = new SqliteDatabase(join(world.folder, 'sinete.db'));
    for (const action of ['insert', 'update', 'delete']) earlier.exec(`drop trigger document_space_${action}`);
    for (const index of laterIndexes) earlier.exec(`drop index ${index}`);
    for (const column of laterColumns) earlier.exec(`alter table ${column.replace('.', ' drop column ')}`);
    for (const table of laterTables) earlier.exec(`drop table ${table}`);
    earlier.exec('alter table accounts add column last_step integer not null default 0');
    for (const column of earlierColumns) earlier.exec(`alter table transactions add column ${column} text`);
    earlier.exec("delete from kysely_migration where name >= '0009'");
    earlier.close();
    const storage = await openStorage(world.folder);
    expect(kept).toBeGreaterThan(2 * large.length);
    expect(await storage.documentSpace.bytes()).toEqual({ kept, awaited: large.length });
    await storage.close();
    world = await world.restart();
  });
});
