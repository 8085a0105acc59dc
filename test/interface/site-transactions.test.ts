import { request as httpRequest } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestAuthority, issueTestPerson, writePkcs12 } from '../../src/test-authority/index.ts';
import type { CallHandlers } from '../../src/ui-contract/ui-contract.ts';
import { letTimePass, until, untilDefined } from '../setup/waits.ts';
import { startRealInstance, type Answer, type RealInstance } from './real-instance.ts';

/** Signatures for a web site in the user's eyes, from the question to the answer. */

const portal = 'https://portal.example';
const site = { Origin: portal, 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'cors', 'Sec-Fetch-Dest': 'empty' };
const document = {
  type: 'CAdES-detached',
  documents_source: 'DATA_URL',
  documents: ['data:text/plain,one', 'data:text/plain,two'],
};
let instance: RealInstance;
let calls: CallHandlers;

beforeAll(async () => {
  instance = await startRealInstance();
  calls = instance.sinete.handlers['user-interface'];
  const person = await issueTestPerson(await createTestAuthority(), { name: 'ANA LIMA', cpf: '11144477735' });
  await calls['certificates.import']({ file: (await writePkcs12(person, 'x')).toString('base64'), password: 'x' });
});
afterAll(async () => instance.stop());

const create = async (changes: object = {}): Promise<Answer> =>
  instance.send('POST', '/signature-service', { json: { ...document, ...changes }, headers: site });

async function waiting(): Promise<Awaited<ReturnType<CallHandlers['home.read']>>['waiting']> {
  return untilDefined(async () => {
    const { waiting: all } = await calls['home.read']({});
    return all.length > 0 ? all : undefined;
  }, 'a transaction that waits for the user');
}

describe('a site asking for signatures', () => {
  it('is refused at once while no window is open, with the remedies', async () => {
    const answer = await create();
    expect([answer.status, answer.content.code]).toEqual([403, 'CONSENT_UNAVAILABLE']);
    expect(answer.content.detail).toMatch(/sinete link.*sinete sites allow.*configuration/);
    expect(answer.headers['access-control-allow-origin']).toBe(portal);
  });

  it.each([
    ['refuses', 'CONSENT_REFUSED', async (id: string) => calls['consent.answer']({ id, allow: false })],
    ['closes the window', 'CONSENT_UNAVAILABLE', async () => Promise.resolve()],
  ] as const)('is told as soon as the user %s', async (_act, code, act) => {
    const close = instance.openWindow();
    const asking = instance.send('POST', '/signature-service', {
      json: document,
      headers: { ...site, Origin: `https://${code.toLowerCase().replace('_', '-')}.example` },
    });
    const question = await untilDefined(async () => (await calls['consent.questions']({}))[0], 'a question');
    await act(question.id);
    if (code === 'CONSENT_UNAVAILABLE') close();
    expect((await asking).content.code).toBe(code);
    close();
    expect(await calls['consent.questions']({})).toEqual([]);
    const { visits } = await calls['doctor.visits']({});
    expect(visits[0]).toMatchObject({ outcome: code });
  });

  it('is held until let in by the user, and shown with its origin, certificate and documents', async () => {
    const events: string[] = [];
    const close = instance.openWindow(({ name }) => events.push(name));
    const created = create();
    const question = await untilDefined(async () => (await calls['consent.questions']({}))[0], 'a question');
    expect(question).toMatchObject({ origin: portal, wanted: ['sign'] });
    await calls['consent.answer']({ id: question.id, allow: true, scopes: ['sign'], days: 30 });
    expect((await created).status).toBe(201);
    expect(events).toContain('consent-changed');
    const [transaction] = await waiting();
    expect(transaction).toMatchObject({
      requester: portal,
      requesterKind: 'site',
      certificateAlias: expect.stringContaining('ANA LIMA') as string,
      certificateFingerprint: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
      documents: [
        { size: 3, checksum: expect.stringMatching(/^[0-9a-f]{64}$/) as string },
        { size: 3, checksum: expect.stringMatching(/^[0-9a-f]{64}$/) as string },
      ],
    });
    await calls['approvals.decide']({
      tcn: transaction?.tcn ?? '',
      decision: 'approve',
      standing: { signatures: 3, minutes: 10 },
    });
    close();
  });

  it('signs on approvals in advance, until too few are left', async () => {
    const first = await create({ mode: 'sync' });
    expect(first.content).toMatchObject({ status: 'SIGNED' });
    expect(await calls['sites.list']({})).toMatchObject([
      { origin: portal, standingApprovals: [{ signaturesLeft: 1 }] },
    ]);
    const second = create({ mode: 'sync' });
    const [transaction] = await waiting();
    await calls['approvals.decide']({ tcn: transaction?.tcn ?? '', decision: 'refuse' });
    expect((await second).content).toMatchObject({
      status: 'ERROR',
      documents: [{ error: { code: 'APPROVAL_REFUSED' } }, { error: { code: 'APPROVAL_REFUSED' } }],
    });
  });

  it('queries and downloads with its grant, and nobody else does without one', async () => {
    const created = await instance.send('POST', '/signature-service', {
      json: { ...document, documents: ['data:text/plain,one'], mode: 'sync' },
      headers: site,
    });
    const path = `/signature-service/${String(created.content.tcn)}`;
    const other = { ...site, Origin: 'https://other.example' };
    expect((await instance.send('GET', path, { headers: site })).content).toMatchObject({ status: 'SIGNED' });
    expect((await instance.send('GET', path, { headers: other })).status).toBe(403);
    const [entry] = created.content.documents as { id: string }[];
    const download = `/file-transfer/${String(created.content.tcn)}/${entry?.id ?? ''}`;
    const answer = await instance.send('GET', download, { headers: site });
    expect([answer.status, answer.headers['access-control-allow-origin']]).toEqual([200, portal]);
    expect((await instance.send('GET', download, { headers: other })).status).toBe(403);
  });

  it('approves nothing in advance for programs', async () => {
    const created = await instance.send('POST', '/signature-service', { json: document });
    const tcn = String(created.content.tcn);
    const decide = calls['approvals.decide']({ tcn, decision: 'approve', standing: { signatures: 1, minutes: 1 } });
    await expect(decide).rejects.toMatchObject({ code: 'REQUEST_INVALID' });
    await calls['approvals.decide']({ tcn, decision: 'refuse' });
  });
});

describe('a caller hanging up before the answer', () => {
  const hangUp = async (headers: Record<string, string> = {}): Promise<void> => {
    const body = JSON.stringify({ ...document, mode: 'sync' });
    const request = httpRequest({
      host: '127.0.0.1',
      port: instance.port,
      path: '/signature-service',
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...headers },
    });
    request.on('error', () => undefined);
    request.end(body);
    expect(await waiting()).toHaveLength(1);
    request.destroy();
  };
  const newest = async () => (await calls['transactions.list']({ limit: 1 }))[0];

  it('asks the user no longer', async () => {
    await hangUp();
    await until(async () => (await newest())?.finishedAt !== null, 'the end of the transaction');
    expect(await newest()).toMatchObject({
      status: 'ERROR',
      waitingFor: null,
      documents: [{ error: { code: 'APPROVAL_REFUSED', detail: 'The caller hung up before the user decided.' } }, {}],
    });
  });

  it('still asks when an idempotency key promises a return', async () => {
    await hangUp({ 'Idempotency-Key': 'again' });
    await letTimePass(200);
    const transaction = await newest();
    expect(transaction?.waitingFor).toBe('approval');
    await calls['approvals.decide']({ tcn: transaction?.tcn ?? '', decision: 'refuse' });
  });
});

describe('a site named by the configuration', () => {
  it('needs no window, and no other site gets in', async () => {
    const server = await startRealInstance({ sites: [{ origin: portal, scopes: ['user:read'] }] });
    const from = async (origin: string, path: string) =>
      (await server.send('GET', path, { headers: { ...site, Origin: origin } })).status;
    expect(await from(portal, '/user')).toBe(200);
    expect(await from(portal, '/selected-user/certificates')).toBe(403);
    expect(await from('https://other.example', '/user')).toBe(403);
    await server.stop();
  });
});
