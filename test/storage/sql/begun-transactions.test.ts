import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { DocumentRecord, StoredTransaction, TransactionChange } from '../../../src/service/transactions/index.ts';
import type { Storage } from '../../../src/storage/index.ts';
import { addEndpoint } from '../../service/notifications/add-endpoint.ts';
import { openTransaction } from '../../service/transactions/intake/intake-world.ts';
import { itNeeding } from '../../setup/needs.ts';
import { openTestStorage } from '../engine.ts';

let root: string;
let storage: Storage;
beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'sinete-begun-'));
  storage = await openTestStorage(join(root, 'data'));
});
afterEach(async () => {
  await storage.close();
  rmSync(root, { recursive: true });
});

const createdAt = new Date('2026-11-20T12:00:00Z');
const signedAt = new Date('2026-11-20T12:00:01Z');
const keyOf = (position: number): string => String(position).padStart(32, 'a');

const document = (position: number, kind: 'digest' | 'small'): DocumentRecord => ({
  key: keyOf(position),
  tcn: 'tcn-1',
  position,
  id: `d${position}`,
  status: 'WAITING',
  announcedId: false,
  announcedName: true,
  originalFileName: `${position}.txt`,
  mediaType: 'text/plain',
  settingId: 'default',
  content: { kind },
  size: 1,
  checksum: 'ab'.repeat(32),
  destinationPath: null,
  destinationUrl: null,
  destinationFileName: null,
  delivery: null,
  result: null,
  error: null,
});

const begun = (...kinds: readonly ('digest' | 'small')[]): StoredTransaction => ({
  transaction: openTransaction({
    tcn: 'tcn-1',
    type: 'CAdES-detached',
    mode: 'sync',
    approval: 'given',
    approvedBy: 'configuration',
    uploadOpen: false,
    waitingFor: null,
    caller: 'application portal',
    createdAt,
    finishedAt: null,
  }),
  documents: kinds.map((kind, position) => document(position, kind)),
  signer: { name: 'Maria da Silva', number: '***.982.247-**', words: 'maria da silva' },
});

const signed = (position: number): TransactionChange => ({
  kind: 'document-signed',
  key: keyOf(position),
  result: {
    size: 3,
    checksum: 'cd'.repeat(32),
    signedAt,
    signature: 'AAAA',
    expiresAt: new Date('2026-11-21T00:00:00Z'),
    erasedAt: null,
  },
  bytes: Buffer.from('cms'),
});

const failed = (position: number): TransactionChange => ({
  kind: 'document-failed',
  key: keyOf(position),
  error: { code: 'SIGNING_FAILED', detail: 'The key did not sign.' },
});

const tables = ['transactions', 'documents', 'small_originals', 'small_results', 'signers', 'notifications'] as const;

/** All rows that a transaction leaves; ids of notifications are chosen at random. */
async function rowsOf({ database }: Storage): Promise<Record<string, unknown>> {
  const rows: Record<string, unknown> = {};
  for (const table of tables) rows[table] = await database.selectFrom(table).selectAll().execute();
  for (const table of ['audit_log', 'audit_head'] as const) {
    rows[table] = await database.selectFrom(table).selectAll().execute();
  }
  return JSON.parse(
    JSON.stringify(rows, (name, value: unknown) => (name === 'id' && isRandom(value) ? '' : value)),
  ) as Record<string, unknown>;
}

const isRandom = (value: unknown): boolean => typeof value === 'string' && /^msg_[0-9a-f]{32}$/.test(value);

const originals = [0, 1].map((position) => ({ key: keyOf(position), bytes: Buffer.from('x') }));

describe('a transaction that is begun in memory', () => {
  itNeeding('SQLite').each([
    { state: 'is signed', stored: begun('digest'), changes: [signed(0)] },
    { state: 'is signed with its originals here', stored: begun('small', 'small'), changes: [signed(0), signed(1)] },
    { state: 'fails', stored: begun('digest'), changes: [failed(0)] },
    { state: 'is signed in part', stored: begun('digest', 'small'), changes: [signed(0), failed(1)] },
    { state: 'is signed in its first half', stored: begun('small', 'digest'), changes: [signed(0)] },
  ])('$state: leaves the rows of an insertion and later changes', async ({ stored, changes }) => {
    const other = await openTestStorage(join(root, 'other'));
    try {
      for (const one of [storage, other]) {
        await addEndpoint(one, 'portal');
        await one.smallDocuments.keepOriginals(
          originals.filter(({ key }) =>
            stored.documents.some((some) => some.key === key && some.content?.kind === 'small'),
          ),
        );
      }
      await other.transactions.insert(stored);
      await other.transactions.apply(changes, signedAt);

      expect(storage.transactions.begin(stored)).toBe(true);
      await storage.transactions.apply(changes, signedAt);
      expect(await rowsOf(storage)).toEqual(await rowsOf(other));
      const settled = await storage.transactions.settle('tcn-1');
      expect({ ...settled, signer: undefined }).toEqual(await other.transactions.read('tcn-1'));
    } finally {
      await other.close();
    }
  });

  itNeeding('SQLite')('is known to its creator alone, until the first commit', async () => {
    storage.transactions.begin(begun('digest'));
    expect(await storage.transactions.readState('tcn-1')).toMatchObject({ finishedAt: null });
    expect((await storage.transactions.read('tcn-1'))?.documents).toHaveLength(1);
    expect(await storage.transactions.recent(5)).toEqual([]);
    expect(await storage.transactions.list({ kind: 'to-be-signed' })).toEqual([]);
  });

  itNeeding('SQLite')('is stored as it is, when nothing has changed it', async () => {
    storage.transactions.begin(begun('digest'));
    expect((await storage.transactions.settle('tcn-1'))?.transaction.tcn).toBe('tcn-1');
    expect(await storage.transactions.recent(5)).toHaveLength(1);
    expect(await storage.transactions.settle('tcn-1')).toBeUndefined();
  });

  itNeeding('SQLite')('is stored before a change that is no outcome, and goes on in the database', async () => {
    storage.transactions.begin(begun('digest'));
    await storage.transactions.apply([{ kind: 'waiting-for', tcn: 'tcn-1', waitingFor: 'pin' }], signedAt);
    expect(await storage.transactions.list({ kind: 'waiting-for-pin' })).toHaveLength(1);
    expect(await storage.transactions.settle('tcn-1')).toBeUndefined();
    await storage.transactions.apply([signed(0)], signedAt);
    expect((await storage.transactions.read('tcn-1'))?.documents).toMatchObject([{ status: 'SIGNED' }]);
  });

  itNeeding('SQLite')('shows later changes of another commit', async () => {
    storage.transactions.begin(begun('digest', 'digest'));
    await storage.transactions.apply([signed(0)], signedAt);
    await storage.transactions.apply([signed(1)], signedAt);
    const stored = await storage.transactions.read('tcn-1');
    expect(stored?.documents.map(({ status }) => status)).toEqual(['SIGNED', 'SIGNED']);
    expect(stored?.transaction.finishedAt).toEqual(signedAt);
  });

  itNeeding('SQLite')('is nowhere after a commit that failed', async () => {
    storage.transactions.begin(begun('digest'));
    await sql`create trigger no_results before insert on small_results begin select raise(abort, 'no'); end`.execute(
      storage.database,
    );
    const refused = { code: 'STORAGE_UNAVAILABLE' };
    await expect(storage.transactions.apply([signed(0)], signedAt)).rejects.toMatchObject(refused);
    await expect(storage.transactions.settle('tcn-1')).rejects.toMatchObject(refused);
    expect(await storage.transactions.read('tcn-1')).toBeUndefined();
    expect(await rowsOf(storage)).toMatchObject({ transactions: [], documents: [], audit_log: [], signers: [] });
  });

  itNeeding('SQLite')('is stored once when its commit and its settling meet', async () => {
    storage.transactions.begin(begun('digest'));
    const [, settled] = await Promise.all([
      storage.transactions.apply([signed(0)], signedAt),
      storage.transactions.settle('tcn-1'),
    ]);
    const stored = await storage.transactions.read('tcn-1');
    expect(stored?.documents).toMatchObject([{ status: 'SIGNED' }]);
    expect(settled?.transaction.tcn).toBe('tcn-1');
    expect(await storage.transactions.recent(5)).toHaveLength(1);
  });
});

describe('a transaction with a callback', () => {
  it('is not begun in memory, and has to be inserted', () => {
    const { transaction, ...rest } = begun('digest');
    const callback = { url: 'https://portal.example/end' } as NonNullable<typeof transaction.callback>;
    expect(storage.transactions.begin({ ...rest, transaction: { ...transaction, callback } })).toBe(false);
  });
});
