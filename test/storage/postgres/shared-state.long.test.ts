import { MasterKeySealer } from '../../../src/storage/index.ts';
/** State held by a single instance in memory, among several nodes on one PostgreSQL. */
import { beforeEach, describe, expect, it } from 'vitest';
import { followNodes } from '../../../src/app/nodes/follow-nodes.ts';
import { grantRows } from '../../../src/app/compose/open-consent.ts';
import { Trust, trustSettings } from '../../../src/app/evidence/trust.ts';
import { AuditTrail } from '../../../src/app/log/audit-trail.ts';
import { AuthorizationRequests, PushedRequests } from '../../../src/service/authorization/index.ts';
import { openConsent, type RefreshedConsent } from '../../../src/service/consent/index.ts';
import { DiskRoom } from '../../../src/service/space/index.ts';
import { parseCertificate } from '../../../src/signing/index.ts';
import { SqlConsentStore } from '../../../src/storage/index.ts';
import { authorityWith } from '../../pki/identities.ts';
import { silentLog } from '../../service/transactions/transaction-world.ts';
import { until } from '../../setup/waits.ts';
import { NodeWorlds, type NodeStorage } from './node-worlds.ts';

const worlds = new NodeWorlds();
let nodes: readonly [NodeStorage, NodeStorage];

beforeEach(async () => {
  nodes = [await worlds.openStorage('one'), await worlds.openStorage('other')];
});

const now = (): Date => new Date();
const log = { service: silentLog };

/** Ends the listening connections of nodes, like a broken network. */
const breakListening = async (): Promise<void> => {
  const rows = await worlds.database.query<{ ended: boolean }>(
    "select pg_terminate_backend(pid) as ended from pg_stat_activity where query like 'listen %'",
  );
  expect(rows.length).toBe(2);
};

describe('a page of authorization served by two nodes', () => {
  it('finds at a node the request pushed by an application to the other', async () => {
    const [one, other] = nodes.map(({ shortLived }) => new PushedRequests(shortLived, now));
    const uri = await one!.push('crm', { client_id: 'crm', state: 'x' });
    expect(await other!.find(uri, 'crm')).toEqual({ client_id: 'crm', state: 'x' });
    expect(await other!.find(uri, 'portal')).toBeUndefined();
  });

  it('is answered once, wherever its form arrives', async () => {
    const sealer = new MasterKeySealer({ getMasterKey: () => Promise.resolve(Buffer.alloc(32, 7)) });
    const [one, other] = nodes.map(({ shortLived }) => new AuthorizationRequests(shortLived, now, sealer));
    const { id } = await one!.add({
      application: { clientId: 'crm', name: 'CRM' },
      redirectUri: 'https://crm.example/',
      redirectUriGiven: true,
      state: undefined,
      scopes: ['signature_session'],
      codeChallenge: undefined,
      lifetime: undefined,
    });
    await other!.ask(id, { name: 'Ana Lima', username: '11144477735' });
    await one!.decide((await one!.waiting())[0]?.id ?? '', 'allow');
    expect(await other!.decisionOf(id)).toMatchObject({ kind: 'allowed' });
    const taken = await Promise.all([one!.take(id), other!.take(id), one!.take(id)]);
    expect(taken.filter((request) => request !== undefined)).toHaveLength(1);
  });
});

describe('copies in memory', () => {
  async function openGrants({ storage }: { readonly storage: NodeStorage }): Promise<RefreshedConsent> {
    const store = new SqlConsentStore(storage.database, () => true);
    const consent = await openConsent({ store, configured: [], canAsk: () => false, now });
    consent.onChange(() => storage.sharedWith.signals.tell({ stale: [grantRows] }));
    worlds.closeLater(consent, followNodes({ storage, log }, { of: [grantRows], read: async () => consent.refresh() }));
    return consent;
  }

  it('follow a permission given and taken back by another node', async () => {
    const [one, other] = [await openGrants({ storage: nodes[0] }), await openGrants({ storage: nodes[1] })];
    const origin = 'https://portal.example';
    await one.allow({ origin, scopes: ['sign'], days: null });
    await one.allowFiles({ caller: origin, root: '/srv/in', access: 'read', days: null });
    await until(() => other.scopesOf(origin)?.includes('sign') === true, 'the other node knows the permission');
    await until(() => other.fileGrants().length === 1, 'the other node knows the folder');
    await other.revoke(origin);
    await until(() => one.scopesOf(origin) === undefined, 'the first node refuses the site');
    await until(() => one.fileGrants().length === 0, 'the first node refuses the folder');
  });

  it('are read again when messages were lost', async () => {
    const reads: string[] = [];
    for (const storage of nodes) {
      const read = (): Promise<void> => Promise.resolve(void reads.push(storage.sharedWith.home));
      worlds.closeLater(followNodes({ storage, log }, { of: ['nothing'], read }));
    }
    await breakListening();
    await until(() => new Set(reads).size === 2, 'both nodes have read again');
  });

  it('of trust follow an import, and two imports at the same time both count', async () => {
    const http = { send: () => Promise.reject(new Error('Nothing is fetched.')) };
    const [one, other] = await Promise.all(
      nodes.map(async (storage) => {
        const trust = await Trust.open(storage.settings, http, storage.sharedWith.locks);
        worlds.closeLater(followNodes({ storage, log }, { of: trustSettings, read: async () => trust.refresh() }));
        return trust;
      }),
    );
    const before = one!.anchors.length;
    const roots = [await authorityWith('ec-p256'), await authorityWith('ec-p384')].map(({ root }) => root.certificate);
    const fingerprintOf = (root: Buffer): string => parseCertificate(root).fingerprint;
    await Promise.all([
      one!.import(roots[0]!, { fingerprint: fingerprintOf(roots[0]!) }),
      other!.import(roots[1]!, { fingerprint: fingerprintOf(roots[1]!) }),
    ]);
    await until(() => one!.anchors.length === before + 2, 'the first node trusts both');
    await until(() => other!.anchors.length === before + 2, 'the other node trusts both');
  });
});

it('counts the disk space reserved by requests of another node', async () => {
  let time = 0;
  const rooms = nodes.map(
    ({ documentSpace, sharedWith }) =>
      new DiskRoom({
        folder: '/',
        leastFree: 100,
        quota: 1000,
        clock: () => (time += 2000),
        diskSpace: () => Promise.resolve({ total: 10_000, free: 10_000 }),
        documents: async () => documentSpace.bytes(),
        exchange: async (own) => sharedWith.claims.exchangeReserved(own),
      }),
  );
  const taken = await rooms[0]!.take({ bytes: 600 });
  // The reservation is told with the next measurement.
  await rooms[0]!.view();
  await expect(rooms[1]!.take({ bytes: 600 })).rejects.toMatchObject({ code: 'STORAGE_FULL' });
  taken.leave();
  await rooms[0]!.view();
  (await rooms[1]!.take({ bytes: 600 })).leave();
});

it('keeps the seal of the audit log at its last row, whichever node seals last', async () => {
  const sealer = {
    seal: (plain: Uint8Array) => Promise.resolve(Buffer.from(plain)),
    open: (sealed: Uint8Array) => Promise.resolve(Buffer.from(sealed)),
  };
  const trails = nodes.map(
    (storage) =>
      new AuditTrail({
        storage,
        sealer,
        canSeal: () => true,
        log: {
          failure: (_text, error) => {
            throw error;
          },
        },
        now,
      }),
  );
  worlds.closeLater(...trails);
  await trails[0]!.record({ kind: 'trust-changed', subject: null, detail: {} });
  await trails[0]!.seal();
  // A node standing still between its read and its write of the seal.
  let release: () => void = () => undefined;
  const order: string[] = [];
  const slow = nodes[0].sharedWith.locks.run('audit seal', async () => {
    order.push('slow');
    await new Promise<void>((resolve) => (release = resolve));
  });
  await until(() => order.length === 1, 'the slow node holds the seal');
  await trails[1]!.record({ kind: 'trust-changed', subject: null, detail: {} });
  const sealed = trails[1]!.seal();
  const waiting = "select from pg_locks where locktype = 'advisory' and not granted";
  await until(async () => (await worlds.database.query(waiting)).length === 1, 'the other node waits for the seal');
  release();
  await Promise.all([slow, sealed]);
  expect(await trails[0]!.verify()).toMatchObject({ state: 'intact', rows: 2 });
});
