/**
 * Evidence coming later, in a client's view over HTTP: real transactions, and a PKI whose next list comes on demand.
 */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { plainRequest, startTestServer, type PlainAnswer, type TestServer } from '../http/start-test-server.ts';
import { freezeList, laterEvidence, pass, publishList } from '../service/transactions/later-evidence.ts';
import { openWorld, type World } from '../service/transactions/transaction-world.ts';
import { until } from '../setup/waits.ts';
import { ValidationWorld } from '../signing/validation/validation-world.ts';

interface Entry {
  readonly status: string;
  readonly level?: string;
  readonly pending_level?: string;
  readonly pending_error?: { readonly code: string; readonly detail: string };
  readonly revision?: number;
  readonly result: string | null;
  readonly lifetime: number;
  readonly error?: { readonly code: string };
}

interface Body {
  readonly tcn: string;
  readonly status: string;
  readonly waiting_for: string | null;
  readonly documents: readonly Entry[];
}

let pki: ValidationWorld;
let world: World;
let server: TestServer;
beforeEach(async () => {
  pki = await ValidationWorld.open();
  world = await openWorld(laterEvidence(pki));
  await world.addKey(await pki.person());
  await world.transactions.resume();
  server = await startTestServer({ transactions: world.transactions });
  freezeList(pki);
});
afterEach(async () => {
  await server.stop();
  await world.end();
});

const bodyOf = ({ body }: PlainAnswer): Body => JSON.parse(body) as Body;

const create = async (fields: object): Promise<PlainAnswer> =>
  plainRequest(server, {
    method: 'POST',
    path: '/signature-service',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({
      type: 'CAdES-attached',
      policy: 'B-LTA',
      documents_source: 'DATA_URL',
      documents: 'data:text/plain,contract',
      ...fields,
    }),
  });

/** The query's body as soon as it is as wanted. */
async function when(tcn: string, wanted: (body: Body) => boolean): Promise<Body> {
  const query = async (): Promise<Body> => bodyOf(await plainRequest(server, { path: `/signature-service/${tcn}` }));
  await until(async () => wanted(await query()), String(wanted));
  return query();
}

const download = async (tcn: string, headers = {}): Promise<PlainAnswer> =>
  plainRequest(server, { path: `/file-transfer/${tcn}/0`, headers });

describe('POST /signature-service at B-LTA while newer revocation data is not to be had', () => {
  it.each([[{}], [{ evidence: 'later' }]])(
    'answers SIGNED at B-T, and replaces the result once: %o',
    async (fields) => {
      const created = await create(fields);
      expect(created.status).toBe(201);
      const { tcn } = bodyOf(created);
      const first = await when(tcn, ({ status }) => status === 'SIGNED');
      expect(first).toMatchObject({ waiting_for: null, documents: [{ level: 'B-T', pending_level: 'B-LTA' }] });
      expect(first.documents[0]).not.toHaveProperty('revision');
      expect(first.documents[0]?.lifetime).toBe(43_200);
      const before = await download(tcn);
      expect(before.status).toBe(200);

      publishList(pki);
      const { documents } = await when(tcn, (body) => body.documents[0]?.revision === 1);
      expect(documents[0]).toMatchObject({ status: 'SIGNED', level: 'B-LTA', revision: 1 });
      expect(documents[0]).not.toHaveProperty('pending_level');
      expect(documents[0]).not.toHaveProperty('pending_error');
      const after = await download(tcn, { 'If-None-Match': String(before.headers['etag']) });
      expect(after.status).toBe(200);
      expect(after.headers['etag']).not.toBe(before.headers['etag']);
    },
  );

  it('stays WAITING for evidence on request, refuses the download, and ends with EVIDENCE_UNAVAILABLE', async () => {
    const { tcn } = bodyOf(await create({ evidence: 'wait' }));
    const waiting = await when(tcn, ({ waiting_for: what }) => what === 'evidence');
    expect(waiting).toMatchObject({
      status: 'WAITING',
      documents: [{ status: 'WAITING', pending_level: 'B-LTA', result: null }],
    });
    expect((await download(tcn)).status).toBe(409);
    pass(pki, 25 * 60);
    const { documents } = await when(tcn, ({ status }) => status === 'ERROR');
    expect(documents[0]).toMatchObject({ error: { code: 'EVIDENCE_UNAVAILABLE' } });
  });

  it('stays WAITING on request, and is SIGNED at its level after the next list', async () => {
    const { tcn } = bodyOf(await create({ evidence: 'wait' }));
    await when(tcn, ({ waiting_for: what }) => what === 'evidence');
    publishList(pki);
    const { documents } = await when(tcn, ({ status }) => status === 'SIGNED');
    expect(documents[0]).toMatchObject({ level: 'B-LTA' });
    expect(documents[0]).not.toHaveProperty('pending_level');
    expect((await download(tcn)).status).toBe(200);
  });

  it('says in pending_error why a level will not come, and keeps the B-T', async () => {
    const { tcn } = bodyOf(await create({}));
    await when(tcn, ({ status }) => status === 'SIGNED');
    const before = await download(tcn);
    pass(pki, 91 * 24 * 60);
    const { status, documents } = await when(tcn, (body) => body.documents[0]?.pending_error !== undefined);
    expect([status, documents[0]?.level]).toEqual(['SIGNED', 'B-T']);
    expect(documents[0]?.pending_error).toMatchObject({ code: 'EVIDENCE_UNAVAILABLE' });
    expect((await download(tcn)).headers['etag']).toBe(before.headers['etag']);
  });

  it('refuses another wish with the name of the field', async () => {
    const refused = await create({ evidence: 'never' });
    expect(refused.status).toBe(422);
    expect(JSON.parse(refused.body)).toMatchObject({ errors: [{ field: 'evidence' }] });
  });
});
