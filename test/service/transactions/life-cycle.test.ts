import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { CreateTransaction, TransactionDependencies } from '../../../src/service/transactions/index.ts';
import { FileKeySource, SigningError } from '../../../src/signing/index.ts';
import { SqlKeyVault } from '../../../src/storage/index.ts';
import { personWith } from '../../pki/identities.ts';
import { PretendToken } from './pretend-token.ts';
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
  viewWhen,
  type World,
} from './transaction-world.ts';

const maria = await personWith();

let world: World;
afterEach(() => world.end());

const start = async (overrides: Partial<TransactionDependencies> = {}): Promise<void> => {
  world = await openWorld(overrides);
  await world.addKey(maria);
};
const create = (overrides: Partial<CreateTransaction> = {}) =>
  world.transactions.create(
    createRequest({
      documentsSource: 'DATA_URL',
      documents: [{ data: dataUrl('a') }, { data: dataUrl('b') }],
      ...overrides,
    }),
    requester,
  );

/** A vault with entries that do not open. */
const lockedVault = ({ storage }: World): SqlKeyVault =>
  new SqlKeyVault(storage.database, { getMasterKey: () => Promise.reject(new Error('The keychain is locked.')) });

describe('a transaction waiting for approval', () => {
  beforeEach(() => start({ approve: 'ask' }));

  it('is listed until its approval, then signed', async () => {
    const { tcn } = await create();
    expect(await world.transactions.waiting()).toMatchObject([{ tcn, waitingFor: 'approval', requester }]);
    await world.transactions.decide(tcn, 'approve');
    expect(await finished(world.transactions, tcn)).toMatchObject({ status: 'SIGNED' });
    expect(await world.transactions.waiting()).toEqual([]);
  });

  it('fails every document when refused, and keeps no file', async () => {
    const { tcn } = await create();
    const view = await world.transactions.decide(tcn, 'refuse');
    expect(view).toMatchObject({ status: 'ERROR', waitingFor: null });
    expect(view.documents.map(({ error }) => error?.code)).toEqual(['APPROVAL_REFUSED', 'APPROVAL_REFUSED']);
    expect(view.finishedAt).toBeInstanceOf(Date);
    expect((await keptIn(world)).originals).toEqual([]);
    await expect(world.transactions.result(tcn, '0')).rejects.toMatchObject({
      code: 'SIGNING_FAILED',
      problems: [{ code: 'APPROVAL_REFUSED' }],
    });
  });

  it('is decided once', async () => {
    const { tcn } = await create();
    await world.transactions.decide(tcn, 'refuse');
    await expect(world.transactions.decide(tcn, 'approve')).rejects.toMatchObject({ code: 'APPROVAL_NOT_WAITING' });
  });

  it('waits on after a restart, also when the next start approves everything', async () => {
    const { tcn } = await create();
    world = await world.restart({ approve: 'all' });
    await world.transactions.resume();
    expect(await world.transactions.query(tcn)).toMatchObject({ waitingFor: 'approval' });
    await world.transactions.decide(tcn, 'approve');
    expect(await finished(world.transactions, tcn)).toMatchObject({ status: 'SIGNED' });
  });

  it('asks for approval only after the upload has ended', async () => {
    const { tcn } = await create({ documentsSource: 'UPLOAD_REFERENCE', documents: [] });
    await expect(world.transactions.decide(tcn, 'approve')).rejects.toMatchObject({ code: 'APPROVAL_NOT_WAITING' });
    await world.transactions.upload(tcn, { endOfTransaction: true }, incoming(['a', 'a']));
    expect(await world.transactions.query(tcn)).toMatchObject({ waitingFor: 'approval' });
  });
});

describe('a transaction with its key on a token', () => {
  let token: PretendToken;
  beforeEach(async () => {
    world = await openWorld();
    token = new PretendToken(maria);
    world.keys.add(token);
  });

  it('waits for the PIN and goes on when the token is unlocked', async () => {
    const { tcn } = await create();
    await viewWhen(world.transactions, tcn, ({ waitingFor }) => waitingFor === 'pin');
    expect(await world.transactions.waiting()).toMatchObject([{ tcn, waitingFor: 'pin', status: 'WAITING' }]);
    token.unlocked = true;
    world.transactions.keysChanged();
    expect(await finished(world.transactions, tcn)).toMatchObject({ status: 'SIGNED' });
    expect(token.signatures).toBe(2);
  });

  it('waits while every session of the token is in use, also for a result beside its source', async () => {
    const source = join(world.home, 'contract.txt');
    writeFileSync(source, 'a contract');
    token.unlocked = true;
    let refusals = 3;
    token.beforeSign = () => {
      if (refusals-- > 0) throw new SigningError('QUEUE_FULL', 'Every session of the token is in use.');
    };
    const { tcn } = await create({
      documentsSource: 'FILE_PATH',
      documents: [{ data: source }],
      destination: 'BESIDE_SOURCE',
    });
    expect(await finished(world.transactions, tcn)).toMatchObject({ status: 'SIGNED' });
    expect([refusals, token.signatures]).toEqual([-1, 1]);
  });

  it('waits when the token is taken away in the middle, and signs only the rest afterwards', async () => {
    token.unlocked = true;
    token.beforeSign = () => void (token.present = token.signatures < 3);
    const documents = Array.from({ length: 12 }, (_, index) => ({ data: dataUrl(String(index)) }));
    const { tcn } = await create({ documents });
    const held = await viewWhen(world.transactions, tcn, ({ waitingFor }) => waitingFor === 'pin');
    expect(held.documents.filter(({ status }) => status === 'SIGNED')).toHaveLength(token.signatures);
    expect(held.documents.some(({ status }) => status === 'ERROR')).toBe(false);
    token.beforeSign = () => undefined;
    token.present = true;
    world.transactions.keysChanged();
    expect(await finished(world.transactions, tcn)).toMatchObject({ status: 'SIGNED' });
    expect(token.signatures).toBe(12);
  });

  it('waits for a token away at its turn', async () => {
    const { tcn } = await create({ documentsSource: 'UPLOAD_REFERENCE', documents: [] });
    token.present = false;
    await world.transactions.upload(tcn, { endOfTransaction: true }, incoming(['a', 'a']));
    await viewWhen(world.transactions, tcn, ({ waitingFor }) => waitingFor === 'pin');
    token.present = token.unlocked = true;
    world.transactions.keysChanged();
    expect(await finished(world.transactions, tcn)).toMatchObject({ status: 'SIGNED' });
  });

  it('can be refused instead of giving the PIN', async () => {
    const { tcn } = await create();
    await viewWhen(world.transactions, tcn, ({ waitingFor }) => waitingFor === 'pin');
    await expect(world.transactions.decide(tcn, 'approve')).rejects.toMatchObject({ code: 'APPROVAL_NOT_WAITING' });
    expect(await world.transactions.decide(tcn, 'refuse')).toMatchObject({ status: 'ERROR' });
  });
});

describe('a transaction with failing documents', () => {
  beforeEach(() => start());

  it('signs the others, and refuses a source changed after the request', async () => {
    const paths = ['a', 'b', 'c'].map((name) => join(world.home, name));
    for (const path of paths) writeFileSync(path, 'before');
    world = await world.restart({ approve: 'ask' });
    for (const digest of ['sha256', 'sha512'] as const) {
      const documents = paths.map((data) => ({ data, destinationFileName: `${data}.${digest}` }));
      const { tcn } = await create({ documentsSource: 'FILE_PATH', documents, destination: 'FILE_PATH', digest });
      writeFileSync(paths[1]!, `after ${digest}`);
      await world.transactions.decide(tcn, 'approve');
      const view = await finished(world.transactions, tcn);
      expect(view.documents.map(({ status, error }) => error?.code ?? status)).toEqual([
        'SIGNED',
        'DOCUMENT_UNREADABLE',
        'SIGNED',
      ]);
    }
    expect(readdirSync(world.home).sort()).toEqual(['a', 'a.sha256', 'a.sha512', 'b', 'c', 'c.sha256', 'c.sha512']);
  });

  it('does not replace a file put at its destination in the meantime', async () => {
    const source = join(world.home, 'a');
    writeFileSync(source, 'a');
    world = await world.restart({ approve: 'ask' });
    const { tcn } = await create({
      documentsSource: 'FILE_PATH',
      documents: [{ data: source }],
      destination: 'FILE_PATH',
    });
    writeFileSync(`${source}.p7s`, 'mine');
    await world.transactions.decide(tcn, 'approve');
    expect(await finished(world.transactions, tcn)).toMatchObject({
      documents: [{ error: { code: 'DESTINATION_EXISTS' } }],
    });
    expect(readFileSync(`${source}.p7s`, 'utf8')).toBe('mine');
    expect(readdirSync(world.home).sort()).toEqual(['a', 'a.p7s']);
  });

  it('fails all documents when the master key does not open the vault', async () => {
    world.keys.add(new FileKeySource(lockedVault(world), { id: 'files' }));
    const { documents } = await create({ mode: 'sync' });
    expect(documents.map(({ error }) => error?.code)).toEqual(['KEY_SOURCE_UNAVAILABLE', 'KEY_SOURCE_UNAVAILABLE']);
  });

  it('fails a PDF beyond repair, also when a repair was asked for', async () => {
    const documents = [{ data: dataUrl('%PDF-1.7 and nothing else') }];
    for (const autoFixDocument of [false, true]) {
      const view = await create({ documents, type: 'PAdES', autoFixDocument, mode: 'sync' });
      expect(view.documents[0]?.error?.code).toBe('DOCUMENT_UNREADABLE');
    }
  });

  it('fails all documents when the certificate is gone', async () => {
    world = await world.restart({ approve: 'ask' });
    const { tcn } = await create();
    for (const { id } of await world.vault.list()) await world.vault.remove(id);
    await world.transactions.decide(tcn, 'approve');
    const { documents } = await finished(world.transactions, tcn);
    expect(documents.map(({ error }) => error?.code)).toEqual(['CERTIFICATE_NOT_FOUND', 'CERTIFICATE_NOT_FOUND']);
  });
});

describe('a transaction without an approval', () => {
  it('ends after approval.timeout, counted from the end of its upload', async () => {
    await start({ approve: 'ask', limits: { approvalTimeout: 3_600_000 } });
    const { tcn } = await create();
    world.advance(3_599_000);
    await world.transactions.resume();
    expect((await world.transactions.query(tcn)).waitingFor).toBe('approval');
    world.advance(2_000);
    await world.transactions.resume();
    const { status, documents } = await world.transactions.query(tcn);
    expect([status, documents[0]?.error?.code]).toEqual(['ERROR', 'APPROVAL_EXPIRED']);
    expect((await keptIn(world)).originals).toEqual([]);
  });
});

describe.each([
  ['the database', {}],
  ['a file', filesOnly],
] as const)('a result kept here in %s', (_place, limits) => {
  beforeEach(() => start({ limits }));

  it('counts its lifetime down and is erased at the end; the row stays', async () => {
    const { tcn } = await create({ mode: 'sync', returnSignature: true });
    world.advance(43_100_000);
    expect((await world.transactions.query(tcn)).documents[0]?.lifetime).toBeLessThanOrEqual(100);
    world.advance(101_000);
    await expect(world.transactions.result(tcn, '0')).rejects.toMatchObject({ code: 'LIFETIME_OVER' });
    await world.transactions.resume();
    expect((await keptIn(world)).results).toEqual([]);
    expect(await world.transactions.query(tcn)).toMatchObject({
      status: 'SIGNED',
      documents: [{ lifetime: 0, signature: null }, {}],
    });
    await expect(world.transactions.result(tcn, '0')).rejects.toMatchObject({ code: 'LIFETIME_OVER' });
  });

  it('is erased by the sweeper without anybody asking', async () => {
    world = await world.restart({ approve: 'all', limits: { ...limits, resultLifetime: 100, sweepInterval: 50 } });
    await world.transactions.resume();
    await create({ mode: 'sync' });
    await expect.poll(async () => (await keptIn(world)).results).toEqual([]);
  });

  it('keeps no original once everything is final', async () => {
    await create({ mode: 'sync' });
    await expect.poll(async () => (await keptIn(world)).originals).toEqual([]);
  });

  it('is missing before its signing, and under another id', async () => {
    const { tcn } = await create({ documentsSource: 'UPLOAD_REFERENCE', documents: [{ id: 'x' }] });
    await expect(world.transactions.result(tcn, 'x')).rejects.toMatchObject({ code: 'NOT_SIGNED_YET', retryAfter: 1 });
    await expect(world.transactions.result(tcn, 'y')).rejects.toMatchObject({ code: 'DOCUMENT_NOT_FOUND' });
  });
});

describe('query', () => {
  beforeEach(() => start({ approve: 'ask' }));

  it('answers at once for a final transaction, and at the next change for a waiting transaction', async () => {
    const { tcn } = await create();
    const waiting = world.transactions.query(tcn, { waitSeconds: 30 });
    await world.transactions.decide(tcn, 'refuse');
    expect(await waiting).toMatchObject({ status: 'ERROR' });
    // Eleven days: a waiting query meets the time limit of the test.
    expect(await world.transactions.query(tcn, { waitSeconds: 1e6 })).toMatchObject({ status: 'ERROR' });
  });

  it('answers when its time is over', async () => {
    const { tcn } = await create();
    expect(await world.transactions.query(tcn, { waitSeconds: 0.02 })).toMatchObject({ status: 'WAITING' });
  });

  it('reads nothing more for callers gone, after a long wait or a short wait', async () => {
    const { tcn } = await create();
    const readPage = vi.spyOn(world.storage.transactions, 'readPage');
    const gone = new Error('gone');
    const caller = new AbortController();
    const polls = Array.from({ length: 5 }, () =>
      world.transactions.query(tcn, { waitSeconds: 30, signal: caller.signal }),
    );
    caller.abort(gone);
    polls.push(world.transactions.query(tcn, { waitSeconds: 30, signal: caller.signal }));
    expect(await Promise.allSettled(polls)).toEqual(polls.map(() => ({ status: 'rejected', reason: gone })));
    expect(readPage).not.toHaveBeenCalled();
  });

  it('tells listeners of every change until their end', async () => {
    const heard: string[] = [];
    const stop = world.transactions.onChange((tcn) => heard.push(tcn));
    const { tcn } = await create();
    await world.transactions.decide(tcn, 'approve');
    await finished(world.transactions, tcn);
    expect(new Set(heard)).toEqual(new Set([tcn]));
    const count = heard.length;
    stop();
    await create();
    expect(heard).toHaveLength(count);
  });

  it('counts documents by status and lists the newest first', async () => {
    const first = await create();
    world.advance(1000);
    const second = await create();
    await world.transactions.decide(first.tcn, 'approve');
    await finished(world.transactions, first.tcn);
    expect(await world.transactions.countByStatus()).toEqual({ SIGNED: 2, WAITING: 2, ERROR: 0 });
    expect((await world.transactions.recent(10)).map(({ tcn }) => tcn)).toEqual([second.tcn, first.tcn]);
    expect(await world.transactions.recent(1)).toHaveLength(1);
  });
});

describe('resume', () => {
  beforeEach(() => start());

  it('removes files not needed by any row and keeps the others', async () => {
    const { tcn } = await create({ mode: 'sync' });
    const large = await create({ mode: 'sync', documents: [{ data: dataUrl(Buffer.alloc(70_000)) }] });
    for (const folder of ['incoming', 'documents', 'results'])
      writeFileSync(join(world.folder, folder, 'f'.repeat(32)), 'left over');
    await world.storage.smallDocuments.keepOriginals([{ key: 'f'.repeat(32), bytes: Buffer.from('left over') }]);
    world = await world.restart();
    await world.transactions.resume();
    const { incoming: received, originals, results } = await keptIn(world);
    expect([received, originals, results].map(({ length }) => length)).toEqual([0, 0, 3]);
    for (const [one, id] of [
      [tcn, '1'],
      [large.tcn, '0'],
    ] as const) {
      expect(bytesOf(await world.transactions.result(one, id)).length).toBeGreaterThan(1000);
    }
  });

  it('recognises a result delivered before its row could tell', async () => {
    const source = join(world.home, 'a');
    writeFileSync(source, 'a');
    const request = { documentsSource: 'FILE_PATH', documents: [{ data: source }], destination: 'FILE_PATH' } as const;
    const { transactions } = world.storage;
    const apply = transactions.apply.bind(transactions);
    transactions.apply = (changes, at) =>
      changes.some(({ kind }) => kind === 'document-signed')
        ? Promise.reject(new Error('power cut'))
        : apply(changes, at);
    const { tcn } = await create(request);
    await expect.poll(() => existsSync(`${source}.p7s`)).toBe(true);
    const delivered = readFileSync(`${source}.p7s`);
    world = await world.restart();
    expect(await world.transactions.query(tcn)).toMatchObject({ status: 'WAITING', documents: [{ resultPath: null }] });
    await world.transactions.resume();
    expect(await finished(world.transactions, tcn)).toMatchObject({
      status: 'SIGNED',
      documents: [{ resultPath: `${source}.p7s` }],
    });
    expect(readFileSync(`${source}.p7s`)).toEqual(delivered);
    expect(readdirSync(world.home).sort()).toEqual(['a', 'a.p7s']);
  });
});
