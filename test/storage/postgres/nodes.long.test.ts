/**
 * Several nodes on one PostgreSQL: the owners of jobs, the rights of a node after losing its job, and the messages to
 * nodes.
 */
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { verifyAudit } from '../../../src/service/audit/index.ts';
import { openTracing } from '../../../src/app/tracing/open-tracing.ts';
import type { Tracing } from '../../../src/app/tracing/tracing.ts';
import { inSpan } from '../../../src/service/monitoring/index.ts';
import type { JobClaim } from '../../../src/service/transactions/index.ts';
import { openStorage, SqlAuditLog } from '../../../src/storage/index.ts';
import { startCollector } from '../../app/tracing/collector.ts';
import { personWith } from '../../pki/identities.ts';
import {
  bytesOf,
  createRequest,
  dataUrl,
  filesOnly,
  finished,
  requester,
  viewWhen,
  type World,
} from '../../service/transactions/transaction-world.ts';
import { until } from '../../setup/waits.ts';
import { NodeWorlds } from './node-worlds.ts';

const worlds = new NodeWorlds();
const openNode: NodeWorlds['open'] = async (...given) => worlds.open(...given);

const claimsOf = ({ storage }: World) => {
  if (storage.sharedWith === undefined) throw new Error('The storage is not that of a node.');
  return storage.sharedWith.claims;
};

/** A request with documents of its own; with `count` documents of these bytes. */
const request = (contents: readonly string[], overrides = {}) =>
  createRequest({
    documentsSource: 'DATA_URL',
    documents: contents.map((content, index) => ({
      id: String(index),
      data: dataUrl(content),
      originalFileName: `${index}.txt`,
    })),
    ...overrides,
  });

const inDatabase = async (statement: string): Promise<void> => {
  await worlds.database.query(statement);
};

/** A node saying nothing more: alive until the test ends its time. */
const silent = {
  async takes(tcn: string): Promise<JobClaim> {
    const tomorrow = Date.now() + 86_400_000;
    await inDatabase(`insert into nodes (id, alive_until) values ('silent', ${tomorrow})`);
    await inDatabase(`update transactions set claimed_by = 'silent', claim_number = 1 where tcn = '${tcn}'`);
    return { tcn, node: 'silent', number: 1 };
  },
  ends: async () => inDatabase(`update nodes set alive_until = 0 where id = 'silent'`),
};

describe('a transaction of a single node', () => {
  it('is signed, told and given out by another', async () => {
    const [one, other] = [await openNode('one', { approve: 'ask' }), await openNode('other', { approve: 'ask' })];
    await one.addKey(await personWith());
    await one.transactions.resume();
    await other.transactions.resume();
    const { tcn } = await one.transactions.create(request(['first', 'second']), requester);
    expect(await other.transactions.query(tcn)).toMatchObject({ waitingFor: 'approval' });
    const told: string[] = [];
    one.transactions.onChange((changed, isElsewhere) => {
      if (isElsewhere) told.push(changed);
    });

    await other.transactions.decide(tcn, 'approve');
    const waited = await one.transactions.query(tcn, { waitSeconds: 30 });
    await finished(one.transactions, tcn);

    expect(waited.waitingFor).toBeNull();
    expect(told).toContain(tcn);
    const [here, there] = [await one.transactions.result(tcn, '0'), await other.transactions.result(tcn, '0')];
    expect(bytesOf(here)).toEqual(bytesOf(there));
    expect(await verifyAudit(new SqlAuditLog(one.storage.database), null)).toMatchObject({ state: 'intact' });
  });

  it('is paused by another', async () => {
    const [one, other] = [await openNode('one'), await openNode('other')];
    await one.addKey(await personWith());
    const { tcn } = await one.transactions.create(request([], { documentsSource: 'UPLOAD_REFERENCE' }), requester);
    await other.transactions.pause(tcn, true);
    expect(await claimsOf(one).claim(tcn)).toMatchObject({ hold: 'paused' });
  });

  it('goes on elsewhere when its node is not alive any more', async () => {
    const counts = { signed: 0, failed: 0, tookOver: 0 };
    const work = {
      signed() {
        counts.signed++;
      },
      failed() {
        counts.failed++;
      },
      tookOver() {
        counts.tookOver++;
      },
    };
    const one = await openNode('one', { approve: 'ask', work });
    await one.addKey(await personWith());
    const { tcn } = await one.transactions.create(request(['a contract']), requester);
    const claim = await silent.takes(tcn);
    await one.storage.transactions.apply([{ kind: 'approved', tcn }], new Date(), [claim]);
    await one.transactions.resume();
    expect(await claimsOf(one).claim(tcn)).toBeUndefined();
    expect(await claimsOf(one).claimNext(10, [])).toEqual([]);

    await silent.ends();

    expect(await finished(one.transactions, tcn)).toMatchObject({ status: 'SIGNED' });
    expect(counts).toEqual({ signed: 1, failed: 0, tookOver: 1 });
  });

  it('has one trace, although its job was taken over by another node', async () => {
    const collector = await startCollector();
    const network = { allow: [], noProxy: [], certificateAuthorities: [] };
    const open = async (node: string): Promise<Tracing> =>
      openTracing({ tracing: { ...collector.tracing, node }, network });
    const [first, second] = [await open('one'), await open('other')];
    const one = await openNode('one', { approve: 'ask', tracer: first.tracer });
    const other = await openNode('other', { approve: 'ask', tracer: second.tracer });
    await one.addKey(await personWith());
    const { tcn } = await inSpan(first.tracer, 'POST', {}, async () =>
      one.transactions.create(request(['a contract']), requester),
    );
    const claim = await silent.takes(tcn);
    await one.storage.transactions.apply([{ kind: 'approved', tcn }], new Date(), [claim]);
    await other.transactions.resume();
    await silent.ends();
    await finished(other.transactions, tcn);
    await other.transactions.close();
    await Promise.all([first.close(10_000), second.close(10_000)]);
    const job = collector.span('job', collector.span('POST'));
    expect(job.attributes).toMatchObject({ 'sinete.job.claim': 2, 'sinete.job.outcome': 'done' });
    expect(collector.span('signature', job).traceId).toBe(collector.span('POST').traceId);
    await collector.close();
  });
});

describe('a node after losing its job', () => {
  it('commits nothing of the job, and gives no claim of another node back', async () => {
    const one = await openNode('one', { approve: 'ask' });
    await one.addKey(await personWith());
    const { tcn } = await one.transactions.create(request(['a contract']), requester);
    const early = await silent.takes(tcn);
    await silent.ends();
    const late = await claimsOf(one).claim(tcn);
    expect(late).toMatchObject({ number: early.number + 1 });

    const { transactions } = one.storage;
    const change = { kind: 'waiting-for', tcn, waitingFor: 'pin' } as const;
    await expect(transactions.apply([change], new Date(), [early])).rejects.toMatchObject({ code: 'BUSY' });
    await claimsOf(one).release(early);
    await transactions.apply([{ ...change, waitingFor: null }], new Date(), [late!]);

    expect(await one.transactions.query(tcn)).toMatchObject({ waitingFor: null });
  });

  it('writes to files of its own only', async () => {
    const node = await openNode('one', { limits: filesOnly });
    await node.addKey(await personWith());
    await node.transactions.resume();
    const { tcn } = await node.transactions.create(request(['a contract'], { type: 'CAdES-attached' }), requester);
    await finished(node.transactions, tcn);

    expect(readdirSync(join(worlds.sharedFolder, 'results'))).toEqual([expect.stringMatching(/^[0-9a-f]{32}\.n1$/)]);
    expect(bytesOf(await node.transactions.result(tcn, '0')).length).toBeGreaterThan(0);
    const { documents, transactions } = node.storage;
    const cleaned = await documents.removeUnneeded((keys) => transactions.neededFiles(keys));
    expect(cleaned).toEqual({ removed: 0, found: 0, unanswered: 0 });
  });
});

describe('jobs without a node', () => {
  it('are taken in turns between their owners, and never twice', async () => {
    const [one, other] = [await openNode('one', { approve: 'ask' }), await openNode('other', { approve: 'ask' })];
    await one.addKey(await personWith());
    const owners: string[] = [];
    for (const owner of ['busy', 'busy', 'busy', 'small']) {
      const { tcn } = await one.transactions.create(request(['a letter']), {
        kind: 'site',
        name: `https://${owner}.example`,
      });
      await one.storage.transactions.apply([{ kind: 'approved', tcn }], new Date());
      owners.push(tcn);
    }
    const first = await claimsOf(one).claimNext(2, []);
    const rest = await claimsOf(other).claimNext(10, []);

    expect(first.map(({ tcn }) => tcn).sort()).toEqual([owners[0], owners[3]].sort());
    expect(rest.map(({ tcn }) => tcn).sort()).toEqual([owners[1], owners[2]].sort());
    expect(await claimsOf(one).claimNext(10, owners)).toEqual([]);
  });
});

describe('messages between nodes', () => {
  it('tell other users of the server nothing, and believe nothing of theirs', async () => {
    const [one, other] = [await openNode('one', { approve: 'ask' }), await openNode('other', { approve: 'ask' })];
    await one.addKey(await personWith());
    const payloads: string[] = [];
    const stranger = new pg.Client({ connectionString: worlds.database.url });
    await stranger.connect();
    try {
      stranger.on('notification', ({ payload }) => payloads.push(payload ?? ''));
      await stranger.query('listen sinete_nodes');
      const told: string[] = [];
      other.transactions.onChange((tcn) => told.push(tcn));
      await stranger.query(`select pg_notify('sinete_nodes', '{"changed":["FORGED"]}')`);
      const { tcn } = await one.transactions.create(request(['a letter']), requester);

      await until(() => Promise.resolve(told.includes(tcn)), 'the other node is told');
      expect(told).not.toContain('FORGED');
      await until(() => Promise.resolve(payloads.length > 1), 'the stranger hears what the node is told');
      expect(payloads.some((payload) => Buffer.from(payload, 'base64').includes(tcn))).toBe(false);

      // 197: a message heard and sent again counts for nothing.
      told.length = 0;
      for (const payload of [...payloads]) await stranger.query('select pg_notify($1, $2)', ['sinete_nodes', payload]);
      const next = await one.transactions.create(request(['another letter']), requester);
      await until(() => Promise.resolve(told.includes(next.tcn)), 'the other node is told of the next one');
      expect(told).not.toContain(tcn);
    } finally {
      await stranger.end();
    }
  });
});

describe('locks shared by nodes', () => {
  it('let one action of a name run at a time, and refuse a second one unwilling to wait', async () => {
    const [one, other] = [await openNode('one'), await openNode('other')];
    const locks = [one, other].map(({ storage }) => storage.sharedWith!.locks);
    let running = 0;
    let most = 0;
    const action = async (): Promise<void> => {
      most = Math.max(most, ++running);
      await new Promise((resolve) => setImmediate(resolve));
      running--;
    };
    await Promise.all(Array.from({ length: 40 }, (_one, index) => locks[index % 2]!.run('a name', action)));
    expect(most).toBe(1);

    await locks[0]!.run('expiry', async () => {
      expect(await locks[1]!.runAlone('expiry', action)).toBe(false);
      expect(await locks[1]!.runAlone('another name', action)).toBe(true);
    });
    expect(await locks[1]!.runAlone('expiry', action)).toBe(true);
  });
});

describe('a second instance', () => {
  it('is refused while its documents, or the documents of the first node, are local files', async () => {
    const { root, sharedFolder } = worlds;
    const local = worlds.database.url;
    const alone = await openStorage(join(root, 'alone'), { databaseUrl: local });
    try {
      await expect(openStorage(join(root, 'second'), { databaseUrl: local })).rejects.toMatchObject({
        code: 'STORAGE_UNAVAILABLE',
        message: 'Another Sinete is using this PostgreSQL database.',
      });
      await expect(openStorage(join(root, 'node'), { databaseUrl: local, sharedFolder })).rejects.toMatchObject({
        code: 'STORAGE_UNAVAILABLE',
        remedy: expect.stringContaining('local files') as string,
      });
    } finally {
      await alone.close();
    }
  });

  it('is refused with another folder of documents, or with none, once nodes have shared a folder', async () => {
    const node = await openNode('one');
    await node.addKey(await personWith());
    const { root } = worlds;
    const { url } = worlds.database;
    const foreign = join(root, 'foreign');
    mkdirSync(foreign);
    await expect(openStorage(join(root, 'other'), { databaseUrl: url, sharedFolder: foreign })).rejects.toMatchObject({
      message: 'The shared folder of documents is not the one of this PostgreSQL database.',
    });
    await expect(
      openStorage(join(root, 'other'), { databaseUrl: url, sharedFolder: join(root, 'not-mounted') }),
    ).rejects.toMatchObject({ message: 'The shared folder of documents is not there.' });
    await node.stop();
    await expect(openStorage(node.folder, { databaseUrl: url })).rejects.toMatchObject({
      message: 'The documents of this database are in a folder that several nodes share.',
    });
  });
});

describe('the lease of a notification', () => {
  const minutes = 60_000;
  /** Claims at most one notification, by a clock that is `ahead` of the real time. */
  const claimed = async ({ storage }: World, ahead: number): Promise<readonly string[]> => {
    const now = new Date(Date.now() + ahead);
    const leaseUntil = new Date(now.getTime() + minutes);
    const limits = { now, leaseUntil, most: 1, mostPerHost: 1, running: new Map<string, string>() };
    return (await storage.notifications.claim(limits)).map(({ id }) => id);
  };

  it.each([6, -6])(
    'counts for a node whose clock differs by %d minutes from that of the sender',
    async (difference) => {
      const [sender, other] = [await openNode('one'), await openNode('other')];
      await sender.addKey(await personWith());
      await sender.transactions.resume();
      const { tcn } = await sender.transactions.create(request(['letter']), requester);
      await finished(sender.transactions, tcn);
      await inDatabase(`insert into notifications (id, tcn, host, status, attempts, created_at, scheduled_at, next_attempt_at)
      values ('first', '${tcn}', 'shop.example', 'WAITING', 0, 0, 0, 0)`);
      expect(await claimed(sender, difference * minutes)).toEqual(['first']);
      expect(await claimed(other, 0)).toEqual([]);
      await inDatabase('update notifications set lease_until = 1');
      expect(await claimed(other, 0)).toEqual(['first']);
    },
  );
});

it('counts a document as waiting until the signature by its own node, and no other', async () => {
  const nodes = [await openNode('one'), await openNode('two'), await openNode('three')];
  await nodes[0]!.addKey(await personWith());
  for (const node of nodes) await node.transactions.resume();
  const tcns = await Promise.all(
    Array.from({ length: 60 }, async (_one, index) => {
      const { tcn } = await nodes[index % 3]!.transactions.create(request([`letter ${index}`]), requester);
      return tcn;
    }),
  );
  for (const [index, tcn] of tcns.entries()) {
    const node = nodes[(index + 1) % 3]!;
    expect(await viewWhen(node.transactions, tcn, ({ finishedAt }) => finishedAt !== null)).toMatchObject({
      status: 'SIGNED',
    });
  }
  expect(await verifyAudit(new SqlAuditLog(nodes[2]!.storage.database), null)).toMatchObject({ state: 'intact' });
});
