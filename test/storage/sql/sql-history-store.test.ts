import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CompiledQuery } from 'kysely';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { DocumentRecord, HistoryFilter, StoredTransaction } from '../../../src/service/transactions/index.ts';
import type { Storage } from '../../../src/storage/index.ts';
import { HistoryIndex } from '../../../src/storage/sql/history/history-index.ts';
import { candidates, SqlHistoryStore } from '../../../src/storage/sql/stores/sql-history-store.ts';
import { itNeeding } from '../../setup/needs.ts';
import { openTestStorage } from '../engine.ts';
import { openTransaction } from '../../service/transactions/intake/intake-world.ts';

let root: string;
let storage: Storage;
beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'sinete-history-'));
  storage = await openTestStorage(join(root, 'data'));
  for (const [number, one] of kept.entries()) await storage.transactions.insert(transaction(number, one));
});
afterEach(async () => {
  vi.restoreAllMocks();
  await storage.close();
  rmSync(root, { recursive: true });
});

interface Kept {
  readonly at: string;
  readonly requester: string;
  readonly documents: Readonly<Record<string, DocumentRecord['status']>>;
  readonly type?: 'PAdES' | 'CMS-detached';
}

/** In the order of their TCNs. */
const kept: readonly Kept[] = [
  {
    at: '2026-11-18T12:00:00Z',
    requester: 'Portal',
    documents: { 'Contrato 100%.pdf': 'SIGNED', 'b_1.pdf': 'SIGNED' },
  },
  { at: '2026-11-19T02:30:00Z', requester: 'Portal', documents: { 'Petição.pdf': 'SIGNED', 'bx1.pdf': 'ERROR' } },
  { at: '2026-11-20T12:00:00Z', requester: 'Banco', documents: { 'notas.txt': 'WAITING' }, type: 'CMS-detached' },
  { at: '2026-11-20T13:00:00Z', requester: 'Banco', documents: {} },
];

function transaction(number: number, { at, requester, documents, type = 'PAdES' }: Kept): StoredTransaction {
  const tcn = `tcn-${number}`;
  const createdAt = new Date(at);
  const isWaiting = Object.values(documents).includes('WAITING');
  return {
    transaction: openTransaction({
      tcn,
      type,
      requester: { kind: 'site', name: requester },
      uploadOpen: false,
      waitingFor: null,
      createdAt,
      finishedAt: isWaiting ? null : createdAt,
    }),
    documents: Object.entries(documents).map(([name, status], position): DocumentRecord => ({
      key: `${number}${position}`.padStart(32, '0'),
      tcn,
      position,
      id: String(position),
      status,
      announcedId: false,
      announcedName: false,
      originalFileName: name,
      mediaType: null,
      settingId: 'default',
      content: null,
      size: 1,
      checksum: null,
      destinationPath: name.startsWith('b_') ? '/home/maria/b_1-assinado.pdf' : null,
      destinationUrl: null,
      destinationFileName: null,
      delivery: null,
      result:
        status === 'SIGNED'
          ? {
              size: 2,
              checksum: 'cd'.repeat(32),
              signedAt: createdAt,
              signature: null,
              expiresAt: null,
              erasedAt: null,
            }
          : null,
      error: status === 'ERROR' ? { code: 'SIGNING_FAILED', detail: 'No.' } : null,
    })),
  };
}

const maria = { name: 'Márcia da Silva', number: '***.982.247-**', words: 'marcia da silva 52998224725' } as const;

describe('documents of a person', () => {
  it.each(['MÁRCIA silva', 'marcia', '529.982.247-25', '52998224725', '82247'])('are found by %s', async (text) => {
    const number = 0;
    const stored = transaction(100, { ...kept[number]!, documents: { 'outro.pdf': 'SIGNED' } });
    const { transaction: record } = stored;
    const certificateFingerprint = 'ab'.repeat(32);
    await storage.transactions.insert({
      ...stored,
      transaction: { ...record, certificateFingerprint },
      signer: maria,
    });
    const { total, documents } = await storage.history.findDocuments({ text }, { offset: 0, limit: 10 });
    const isTooShort = text.length < 6 && /\d/.test(text);
    expect([total, documents.map(({ signer }) => signer)]).toEqual(
      isTooShort ? [0, []] : [1, [{ name: maria.name, number: maria.number }]],
    );
  });

  it('of an earlier version are found after their certificates were noted', async () => {
    const before = await storage.history.findDocuments({ text: 'marcia' }, { offset: 0, limit: 10 });
    const { documents } = await storage.history.findDocuments({}, { offset: 0, limit: 1 });
    const fingerprint = documents[0]!.transaction.certificateFingerprint;
    await storage.history.noteSigners(new Map([[fingerprint, maria]]));
    const after = await storage.history.findDocuments({ text: 'marcia' }, { offset: 0, limit: 10 });
    expect([before.total, documents[0]?.signer, after.total]).toEqual([0, null, 5]);
  });
});

describe('the index of words', () => {
  const searches = [
    'pdf',
    'ontrat',
    '100%',
    '%',
    'b_1',
    'PETICAO',
    'Petição',
    'portal banco',
    'tcn-1',
    'cdcdcd',
    'marcia',
    '-',
  ];
  const namesFor = async (text: string) => {
    const { total, documents } = await storage.history.findDocuments({ text }, { offset: 0, limit: 100 });
    return [total, ...documents.map(({ document }) => document.originalFileName)];
  };

  it.each(searches)('changes nothing in what %s finds', async (text) => {
    // A search without text would fill the index already.
    const stored = await storage.transactions.read('tcn-0');
    await storage.history.noteSigners(new Map([[stored!.transaction.certificateFingerprint, maria]]));
    const before = await namesFor(text);
    await storage.history.fillIndex();
    expect(await namesFor(text)).toEqual(before);
  });

  it('has every finished transaction and no other one', async () => {
    await storage.history.fillIndex();
    const rows = await storage.database
      .selectFrom('transactions')
      .select(['tcn', 'history_number'])
      .orderBy('tcn')
      .execute();
    expect(rows.map(({ history_number: number }) => number === null)).toEqual([false, false, true, false]);
    const words = await storage.database.selectFrom('history_words').select('word').execute();
    expect(words.map(({ word }) => word)).toEqual(expect.arrayContaining(['CONTRATO', '100', 'PETICAO', 'BX1']));
    expect(words.map(({ word }) => word)).not.toContain('NOTAS');
  });

  describe('of a transaction with 1,200 documents', () => {
    const names = Array.from({ length: 1200 }, (_, position) => `lote ${position}.pdf`);
    beforeEach(async () => {
      const long = { ...kept[0]!, documents: Object.fromEntries(names.map((name) => [name, 'SIGNED' as const])) };
      await storage.transactions.insert(transaction(100, long));
    });

    /** The index running a step after each of its commits. */
    function indexWith(afterCommit: () => Promise<unknown>): HistoryIndex {
      const begin = storage.database.transaction.bind(storage.database);
      vi.spyOn(storage.database, 'transaction').mockImplementation(() => {
        const builder = begin();
        const execute = builder.execute.bind(builder);
        builder.execute = async (action) => {
          const result = await execute(action);
          await afterCommit();
          return result;
        };
        return builder;
      });
      return new HistoryIndex(storage.database);
    }

    it('is written in commits of at most 500 documents, while searches find all of them', async () => {
      const entries: number[] = [];
      const found: number[] = [];
      const index = indexWith(async () => {
        const rows = await storage.database.selectFrom('history_entries').select('word').execute();
        entries.push(rows.filter(({ word }) => /^[0-9]+$/.test(word)).length);
        found.push((await storage.history.findDocuments({ text: 'lote 119' }, { offset: 0, limit: 1 })).total);
      });
      // The searches between the commits would fill the index too.
      const fill = index.fill.bind(index);
      vi.spyOn(HistoryIndex.prototype, 'fill').mockResolvedValue();
      await fill();
      vi.restoreAllMocks();
      const grown = entries.map((count, step) => count - (entries[step - 1] ?? 0));
      expect(Math.max(...grown)).toBeLessThanOrEqual(500);
      expect(new Set(found)).toEqual(new Set([12]));
      const rows = await storage.database.selectFrom('transactions').select(['tcn', 'history_number']).execute();
      expect(rows.find(({ tcn }) => tcn === 'tcn-100')?.history_number).toBeGreaterThan(0);
    });

    it('goes on after it was stopped between two commits', async () => {
      let commits = 0;
      const index: HistoryIndex = indexWith(() => {
        commits += 1;
        if (commits === 3) void index.stop();
        return Promise.resolve();
      });
      await index.fill();
      vi.restoreAllMocks();
      await storage.history.fillIndex();
      const { total } = await storage.history.findDocuments({ text: 'lote 1199' }, { offset: 0, limit: 1 });
      expect(total).toBe(1);
      const rows = await storage.database.selectFrom('transactions').select('history_number').execute();
      expect(rows.filter(({ history_number: number }) => number !== null && number < 0)).toEqual([]);
    });
  });

  it('leaves out the transactions without such a word', async () => {
    await storage.history.fillIndex();
    const found = async (text: string) => {
      const rows = (await candidates(storage.database, { text })?.execute()) ?? [];
      return rows.map(({ tcn }) => tcn).sort();
    };
    // The third transaction waits, and is not in the index.
    expect(await found('contrato')).toEqual(['tcn-0', 'tcn-2']);
    expect(await found('cdcdcd')).toEqual(['tcn-0', 'tcn-1', 'tcn-2']);
    expect(await found('nothing')).toEqual(['tcn-2']);
    expect(candidates(storage.database, { text: '%' })).toBeUndefined();
  });

  itNeeding('SQLite')('reads no table of transactions or documents from end to end', async () => {
    const { sql, parameters } = candidates(storage.database, { text: 'marcia 52998224725' })!.compile();
    const plan = await storage.database.executeQuery<{ detail: string }>(
      CompiledQuery.raw(`explain query plan ${sql}`, [...parameters]),
    );
    const steps = plan.rows.map(({ detail }) => detail);
    expect(steps).toContainEqual(expect.stringMatching(/^SEARCH transactions USING .*transactions_by_signer/));
    expect(steps.filter((step) => /^SCAN (?!signers|history_words)/.test(step))).toEqual([]);
  });
});

async function found(filter: HistoryFilter): Promise<readonly string[]> {
  const { total, transactions } = await storage.history.find(filter, { offset: 0, limit: 100 });
  expect(total).toBe(transactions.length);
  return transactions.map(({ transaction: { tcn } }) => tcn);
}

describe('SqlHistoryStore', () => {
  it.each<[string, HistoryFilter, readonly string[]]>([
    ['nothing', {}, ['tcn-3', 'tcn-2', 'tcn-1', 'tcn-0']],
    ['a name in other letters', { text: 'CONTRATO' }, ['tcn-0']],
    ['a percent sign, which is no wildcard', { text: '0%' }, ['tcn-0']],
    ['an underscore, which is no wildcard', { text: 'b_1' }, ['tcn-0']],
    ['who asked', { text: 'banco' }, ['tcn-3', 'tcn-2']],
    ['a TCN', { text: 'tcn-1' }, ['tcn-1']],
    ['what is all signed', { status: 'SIGNED' }, ['tcn-0']],
    ['what failed in part or never came', { status: 'ERROR' }, ['tcn-3', 'tcn-1']],
    ['what waits', { status: 'WAITING' }, ['tcn-2']],
    ['a type', { type: 'CMS-detached' }, ['tcn-2']],
    [
      'a time, its end left out',
      { from: new Date('2026-11-19T02:30:00Z'), before: new Date('2026-11-20T13:00:00Z') },
      ['tcn-2', 'tcn-1'],
    ],
    ['several things at once', { text: 'portal', status: 'ERROR', type: 'PAdES' }, ['tcn-1']],
  ])('finds by %s', async (_name, filter, tcns) => {
    expect(await found(filter)).toEqual(tcns);
  });

  it.each<[string, HistoryFilter, readonly string[]]>([
    ['nothing', {}, ['notas.txt', 'Petição.pdf', 'bx1.pdf', 'Contrato 100%.pdf', 'b_1.pdf']],
    ['a part of one name, not of its neighbour', { text: 'contrato' }, ['Contrato 100%.pdf']],
    ['words that all fit, in any order', { text: 'pdf portal 100%' }, ['Contrato 100%.pdf']],
    ['words of which one does not fit', { text: 'contrato banco' }, []],
    ['its place', { text: '/home/maria/b_1-assinado' }, ['b_1.pdf']],
    ['the start of the hash of its result', { text: 'CDCDCD' }, ['Petição.pdf', 'Contrato 100%.pdf', 'b_1.pdf']],
    ['its own status, not that of its batch', { status: 'SIGNED', text: 'tcn-1' }, ['Petição.pdf']],
    ['a type', { type: 'CMS-detached' }, ['notas.txt']],
    ['a time', { before: new Date('2026-11-19T00:00:00Z') }, ['Contrato 100%.pdf', 'b_1.pdf']],
  ])('finds documents by %s', async (_name, filter, names) => {
    const { total, documents } = await storage.history.findDocuments(filter, { offset: 0, limit: 100 });
    expect(documents.map(({ document }) => document.originalFileName)).toEqual(names);
    expect(total).toBe(names.length);
  });

  it('gives documents in pages across transactions, with the size of their batch', async () => {
    const { total, documents } = await storage.history.findDocuments({}, { offset: 2, limit: 2 });
    expect(total).toBe(5);
    expect(documents.map(({ document, batch }) => [document.originalFileName, batch])).toEqual([
      ['bx1.pdf', 2],
      ['Contrato 100%.pdf', 2],
    ]);
    expect((await storage.history.findDocuments({ text: 'nobody' }, { offset: 0, limit: 9 })).documents).toEqual([]);
  });

  it('gives a page with all documents, and how many there are in all', async () => {
    const { total, transactions } = await storage.history.find({}, { offset: 2, limit: 1 });
    expect(total).toBe(4);
    expect(transactions.map(({ documents }) => documents.map(({ originalFileName }) => originalFileName))).toEqual([
      ['Petição.pdf', 'bx1.pdf'],
    ]);
    expect((await storage.history.find({ text: 'nobody' }, { offset: 0, limit: 5 })).total).toBe(0);
  });

  it('counts documents by local day and status', async () => {
    expect(await storage.history.countByDay({}, 0)).toEqual({
      days: [
        { day: '2026-11-18', counts: { WAITING: 0, SIGNED: 2, ERROR: 0 } },
        { day: '2026-11-19', counts: { WAITING: 0, SIGNED: 1, ERROR: 1 } },
        { day: '2026-11-20', counts: { WAITING: 1, SIGNED: 0, ERROR: 0 } },
      ],
      newestOnly: false,
    });
    const inBrasilia = await storage.history.countByDay({ text: 'portal' }, -180);
    expect(inBrasilia.days).toEqual([{ day: '2026-11-18', counts: { WAITING: 0, SIGNED: 3, ERROR: 1 } }]);
  });

  it.each<HistoryFilter>([{ text: 'pdf portal 100%' }, { text: 'CDCDCD' }, { status: 'ERROR' }, { text: 'nobody' }])(
    'counts by day the documents that %o finds',
    async (filter) => {
      const { total } = await storage.history.findDocuments(filter, { offset: 0, limit: 1 });
      const { days } = await storage.history.countByDay(filter, 0);
      expect(days.flatMap(({ counts }) => Object.values(counts)).reduce((sum, count) => sum + count, 0)).toBe(total);
    },
  );
});

describe('a text that more documents have than are counted', () => {
  const page = { offset: 0, limit: 10 };

  it.each([true, false])('gives the newest ones and tells of more (with the index: %s)', async (indexed) => {
    if (indexed) await storage.history.fillIndex();
    const history = new SqlHistoryStore(storage.database, { mostCounted: 3 });
    const { total, more, documents } = await history.findDocuments({ text: 'pdf' }, page);
    expect([total, more, documents.length]).toEqual([3, true, 4]);
    expect(await history.countByDay({ text: 'pdf' }, 0)).toEqual({
      days: [
        { day: '2026-11-18', counts: { WAITING: 0, SIGNED: 1, ERROR: 0 } },
        { day: '2026-11-19', counts: { WAITING: 0, SIGNED: 1, ERROR: 1 } },
      ],
      newestOnly: true,
    });
  });

  it('is told from a text that as many documents have, and from no text', async () => {
    const history = new SqlHistoryStore(storage.database, { mostCounted: 4 });
    const countFor = async (text: string) => {
      const { total, more } = await history.findDocuments({ text }, page);
      return [total, more];
    };
    expect([await countFor('pdf'), await countFor(' ')]).toEqual([
      [4, false],
      [5, false],
    ]);
    expect((await history.countByDay({}, 0)).newestOnly).toBe(false);
  });
});
