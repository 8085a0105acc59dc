/** Strangers at two nodes with open listeners: a node refuses requests refused or used up at the other. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { routes, type Route } from '../../src/http/routes.ts';
import { neededFor } from '../http/listeners/route-needs.ts';
import { plainRequest, type PlainAnswer } from '../http/start-test-server.ts';
import { startRealInstance, type RealInstance } from '../interface/real-instance.ts';
import { until } from '../setup/waits.ts';
import { makeSharedFolder } from '../storage/postgres/node-processes.ts';
import { startPostgres, type PostgresServer } from '../storage/postgres/postgres-server.ts';

const cpf = '11144477735';
const redirectUri = 'https://portal.example/';
const services = ['signing', 'authorization', 'registry', 'assistant'] as const;

let server: PostgresServer;
let folder: string;
let nodes: readonly [RealInstance, RealInstance];
let recoveryCodes: string[];
let client: { readonly id: string; readonly secret: string };

beforeAll(async () => {
  server = await startPostgres();
  folder = mkdtempSync(join(tmpdir(), 'sinete-node-attacks-'));
  const [url, documentsFolder] = [await server.createDatabase(), makeSharedFolder({ folder })];
  const keyFile = join(folder, 'master.key');
  const start = async (): Promise<RealInstance> =>
    startRealInstance(
      {
        database: { url },
        documentsFolder,
        secretStore: { mode: 'key-file', keyFile, passphraseFile: join(folder, 'none') },
        metrics: true,
        listen: [{ host: '127.0.0.1', port: 0, services, remote: { publicUrl: 'https://sign.example' } }],
      },
      { allowRoot: true },
    );
  nodes = [await start(), await start()];
  const [one] = nodes;
  recoveryCodes = await one.enrol('ANA LIMA', cpf);
  await one.sinete.handlers['user-interface']['certificates.makeTestIdentity']({ name: 'ANA LIMA', cpf });
  const about = { name: 'Portal', comments: '', email: '', redirectUris: [redirectUri] };
  const { application, clientSecret } = await one.sinete.core.applications.register(about);
  client = { id: application.clientId, secret: clientSecret };
}, 180_000);

afterAll(async () => {
  for (const node of nodes) await node.stop();
  rmSync(folder, { recursive: true });
  await server.stop();
}, 60_000);

beforeEach(async () => {
  await nodes[0].sinete.core.storage.database.deleteFrom('attempts').execute();
});

const pair = (scheme: string, name: string, secret: string): string =>
  `${scheme} ${Buffer.from(`${name}:${secret}`).toString('base64')}`;

/** Sends a request to the open listener of a node. */
async function ask(
  node: RealInstance,
  method: string,
  path: string,
  { headers = {}, body }: { readonly headers?: Readonly<Record<string, string>>; readonly body?: string } = {},
): Promise<PlainAnswer> {
  const port = Number(new URL(node.sinete.listeners[0]?.address ?? '').port);
  const all = { Host: 'sign.example', ...headers };
  return plainRequest({ port }, { method, path, headers: all, body });
}

const document = JSON.stringify({ type: 'CMS', documents_source: 'DATA_URL', documents: 'data:,x' });
const create = async (node: RealInstance, Authorization: string): Promise<number> =>
  (
    await ask(node, 'POST', '/signature-service', {
      headers: { Authorization, 'Content-Type': 'application/json' },
      body: document,
    })
  ).status;
const token = async (node: RealInstance, fields: Readonly<Record<string, string>>): Promise<PlainAnswer> =>
  ask(node, 'POST', '/oauth', {
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ ...fields, client_id: client.id, client_secret: client.secret }).toString(),
  });
const right = (): string => pair('Basic', cpf, recoveryCodes.pop() ?? 'none is left');

describe('somebody guessing at several nodes', () => {
  it('has the tries at a one-time password once, not once at each node', async () => {
    for (let guess = 0; guess < 5; guess++) {
      expect(await create(nodes[guess % 2]!, pair('Basic', cpf, `00000${guess}`))).toBe(401);
    }
    for (const node of nodes) expect(await create(node, right())).toBe(429);
  });

  it('has the tries at the secret of an application once', async () => {
    for (let guess = 0; guess < 5; guess++) {
      expect(await create(nodes[guess % 2]!, pair('Sinete', client.id, `guess number ${guess}`))).toBe(401);
    }
    for (const node of nodes) expect(await create(node, pair('Sinete', client.id, client.secret))).toBe(429);
  });

  it('is one address at both nodes, under any address in its own headers', async () => {
    const statuses: number[] = [];
    for (let guess = 0; guess < 12; guess++) {
      const headers = {
        Authorization: `Bearer sinete_admin_${'a'.repeat(41)}${String(guess).padStart(2, '0')}`,
        'X-Forwarded-For': `198.51.100.${guess}`,
        Forwarded: `for=198.51.100.${guess}`,
      };
      statuses.push((await ask(nodes[guess % 2]!, 'GET', '/metrics', { headers })).status);
    }
    expect(statuses[0]).toBe(401);
    expect(statuses.slice(-2)).toEqual([429, 429]);
  });
});

describe('somebody with a credential ended at a single node', () => {
  it('gets nothing at the other node by the revoked token of an administrator', async () => {
    const [one, other] = nodes;
    const { administrators } = one.sinete.core;
    const added = await administrators.add('ops', ['monitor']);
    const headers = { Authorization: `Bearer ${added.token}` };
    for (const node of nodes) expect((await ask(node, 'GET', '/metrics', { headers })).status).toBe(200);
    await administrators.revoke('ops');
    await until(
      async () => (await ask(other, 'GET', '/metrics', { headers })).status === 401,
      'the other node refuses the token',
    );
    expect((await ask(one, 'GET', '/metrics', { headers })).status).toBe(401);
  });

  it('signs at no other node with a revoked token', async () => {
    const [one, other] = nodes;
    const fields = { grant_type: 'password', username: cpf, password: recoveryCodes.pop() ?? '' };
    const { access_token } = JSON.parse((await token(one, { ...fields, scope: 'signature_session' })).body) as {
      readonly access_token: string;
    };
    expect(await create(other, `Bearer ${access_token}`)).toBe(201);
    const revoked = await ask(one, 'POST', '/oauth/revoke', {
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({
        token: access_token,
        client_id: client.id,
        client_secret: client.secret,
      }).toString(),
    });
    expect(revoked.status).toBe(200);
    for (const node of nodes) expect(await create(node, `Bearer ${access_token}`)).toBe(401);
  });
});

describe('somebody repeating credentials at a node after their use at another', () => {
  it('signs once with a one-time password, also at both nodes at the same moment', async () => {
    const authorization = right();
    const statuses = await Promise.all(
      Array.from({ length: 8 }, async (_one, index) => create(nodes[index % 2]!, authorization)),
    );
    expect(statuses.filter((status) => status === 201)).toHaveLength(1);
    for (const node of nodes) expect(await create(node, authorization)).not.toBe(201);
  });

  it("gets one token for an authorization code, ended by the code's second use at the other node", async () => {
    const [one, other] = nodes;
    const grant = { clientId: client.id, username: cpf, redirectUri, redirectUriGiven: true } as const;
    const code = await one.sinete.core.authorization.issueCode({
      ...grant,
      scopes: ['signature_session'],
      codeChallenge: undefined,
      lifetime: undefined,
    });
    const fields = { grant_type: 'authorization_code', code, redirect_uri: redirectUri };
    const first = await token(one, fields);
    expect(first.status).toBe(200);
    const { access_token } = JSON.parse(first.body) as { readonly access_token: string };
    expect((await token(other, fields)).status).toBe(400);
    for (const node of nodes) expect(await create(node, `Bearer ${access_token}`)).toBe(401);
  });
});

/** A path of the route: each parameter has a value. */
const pathOf = ({ paths: [path] }: Route): string => path.replaceAll(/\{:\w+\}/g, 'x').replaceAll(/:\w+/g, '1');

/** The interface of cloud keys has error bodies of its own: its handlers look at the token, and not the guard. */
const ASKED_BY_HANDLER: ReadonlySet<string> = new Set(['signPscHashes', 'discoverPscCertificates']);

describe('a stranger at the open listeners of two nodes', () => {
  it.each(routes)('is refused by both nodes alike: $id', async (route) => {
    const [service, need] = neededFor(route);
    const isOffered = service === '' || (services as readonly string[]).includes(service);
    const [type, body] =
      route.body === 'json' ? ['application/json', '{}'] : ['application/x-www-form-urlencoded', 'a=b'];
    const hasBody = route.body === 'json' || route.body === 'form';
    const headers = { 'X-Forwarded-For': '127.0.0.1', ...(hasBody ? { 'Content-Type': type } : {}) };
    const sent = { headers, ...(hasBody ? { body } : {}) };
    const statuses: number[] = [];
    for (const node of nodes) statuses.push((await ask(node, route.method.toUpperCase(), pathOf(route), sent)).status);
    if (!isOffered) expect(statuses).toEqual([404, 404]);
    else if (need !== 'nothing' || ASKED_BY_HANDLER.has(route.id)) expect(statuses).toEqual([401, 401]);
    else {
      expect(new Set(statuses).size).toBe(1);
      expect(statuses[0]).not.toBe(401);
    }
  });
});
