import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestAuthority, issueTestPerson, writePkcs12 } from '../../src/test-authority/index.ts';
import type { CallHandlers } from '../../src/ui-contract/ui-contract.ts';
import { startRealInstance, type Answer, type RealInstance } from './real-instance.ts';

/** Signatures for sites behind the bridge window, and for extensions, in an instance that approves everything else. */

const document = { type: 'CAdES-detached', documents_source: 'DATA_URL', documents: ['data:text/plain,one'] };
const extension = 'chrome-extension://abcdefghijklmnopabcdefghijklmnop';
const background = { 'Sec-Fetch-Site': 'none', 'Sec-Fetch-Mode': 'cors', 'Sec-Fetch-Dest': 'empty' };
let instance: RealInstance;
let calls: CallHandlers;

beforeAll(async () => {
  instance = await startRealInstance({ approve: 'all' });
  calls = instance.sinete.handlers['user-interface'];
  const person = await issueTestPerson(await createTestAuthority(), { name: 'ANA LIMA', cpf: '11144477735' });
  await calls['certificates.import']({ file: (await writePkcs12(person, 'x')).toString('base64'), password: 'x' });
});
afterAll(async () => instance.stop());

/** The headers of a fresh bridge window for a site. */
async function bridgeFor(origin: string): Promise<Record<string, string>> {
  const navigation = { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'navigate', 'Sec-Fetch-Dest': 'document' };
  const { body } = await instance.send('GET', '/bridge', { headers: navigation });
  const [, key = ''] = /name="bridge-key" content="([^"]+)"/.exec(body) ?? [];
  return {
    ...background,
    'Sec-Fetch-Site': 'same-origin',
    Origin: instance.url,
    'X-Sinete-Bridge': key,
    'X-Sinete-Bridge-Origin': origin,
  };
}

const create = async (headers: Record<string, string>): Promise<Answer> =>
  instance.send('POST', '/signature-service', { json: document, headers });

/** The facts of the last created transaction in the audit log. */
async function lastCreated(): Promise<Readonly<Record<string, unknown>>> {
  const rows = (await calls['audit.list']({ limit: 100 })).filter(({ kind }) => kind === 'transaction-created');
  const newest = rows.toSorted((one, other) => other.sequence - one.sequence)[0];
  return JSON.parse(newest?.detail ?? '{}') as Readonly<Record<string, unknown>>;
}

describe('a signature through the bridge window', () => {
  it('is the signature of the site behind the window, and marked in the audit log', async () => {
    const origin = 'https://portal.example';
    await calls['sites.change']({ origin, scopes: ['sign'], days: 1 });
    const answer = await create(await bridgeFor(origin));
    expect([answer.status, answer.content.waiting_for]).toEqual([201, null]);
    expect(await lastCreated()).toMatchObject({ requesterKind: 'site', requester: origin, byBridge: true });
  });

  it('of a plain http site waits for the user, although the instance approves everything', async () => {
    const origin = 'http://intranet.example';
    const headers = await bridgeFor(origin);
    expect((await create(headers)).content.code).toBe('ORIGIN_NOT_SECURE');
    await calls['sites.change']({ origin, scopes: ['sign'], days: 1, insecure: true });
    const answer = await create(headers);
    expect([answer.status, answer.content.waiting_for]).toEqual([201, 'approval']);
    const direct = { ...background, 'Sec-Fetch-Site': 'cross-site', Origin: origin };
    expect((await create(direct)).content.code).toBe('ORIGIN_NOT_SECURE');
  });
});

describe('a signature for an extension', () => {
  it('is refused until the owner names the exact origin, and is then read by the background without an origin', async () => {
    const headers = { ...background, Origin: extension };
    expect((await create(headers)).content.code).toBe('ORIGIN_NOT_SECURE');
    await calls['sites.change']({ origin: extension, scopes: ['sign'], days: 1 });
    const created = await create(headers);
    expect(created.status).toBe(201);
    const { tcn } = created.content as { readonly tcn: string };
    expect((await instance.send('GET', `/signature-service/${tcn}`, { headers: background })).status).toBe(200);
    await calls['sites.revoke']({ origin: extension });
    expect((await instance.send('GET', `/signature-service/${tcn}`, { headers: background })).status).toBe(403);
  });

  it('gives the background of an extension no transaction of a program', async () => {
    const { tcn } = (await create({})).content as { readonly tcn: string };
    await calls['sites.change']({ origin: extension, scopes: ['sign'], days: 1 });
    expect((await instance.send('GET', `/signature-service/${tcn}`, { headers: background })).status).toBe(403);
  });
});
