/** Strangers at a listener with TLS, open to other computers. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import { request } from 'node:https';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startRealInstance, type RealInstance } from '../interface/real-instance.ts';
import { icpBrasilPki } from '../pki/icp-brasil-pki.ts';
import { pem } from '../pki/openssl.ts';
import { until } from '../setup/waits.ts';

const publicUrl = 'https://sign.example';
let folder: string;
let instance: RealInstance;
let port: number;
/** The id of the registered application, and the headers of the application. */
let clientId: string;
let application: Readonly<Record<string, string>>;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sinete-open-'));
  const { server } = (await icpBrasilPki()).v5;
  const tls = { certificate: join(folder, 'cert.pem'), key: join(folder, 'key.pem') };
  const chain = [server.certificate, ...server.chain.slice(0, -1)];
  writeFileSync(tls.certificate, chain.map((der) => pem('CERTIFICATE', der)).join(''));
  writeFileSync(tls.key, pem('PRIVATE KEY', server.privateKey), { mode: 0o600 });
  writeFileSync(join(folder, 'secret.txt'), 'victim secret');
  const services = ['signing', 'authorization', 'registry', 'assistant'] as const;
  const listen = [{ host: '127.0.0.1', port: 0, services, tls, remote: { publicUrl } }];
  instance = await startRealInstance({ listen, metrics: true }, { allowRoot: true });
  const { core, handlers, listeners } = instance.sinete;
  await handlers['user-interface']['certificates.makeTestIdentity']({ name: 'ANA LIMA', cpf: '11144477735' });
  port = Number(new URL(listeners[0]?.address ?? '').port);
  const about = { name: 'Portal', comments: '', email: 'a@portal.example', redirectUris: ['https://portal.example/'] };
  const { application: registered, clientSecret } = await core.applications.register(about);
  ({ clientId } = registered);
  const credentials = Buffer.from(`${registered.clientId}:${clientSecret}`).toString('base64');
  application = { Authorization: `Sinete ${credentials}` };
});
afterAll(async () => {
  await instance.stop();
  rmSync(folder, { recursive: true });
});

interface Answer {
  readonly status: number;
  readonly code: unknown;
  readonly headers: IncomingHttpHeaders;
  readonly content: Readonly<Record<string, unknown>>;
}

async function ask(
  method: string,
  path: string,
  { headers = {}, json }: { readonly headers?: Readonly<Record<string, string>>; readonly json?: object } = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const all = {
      Host: 'sign.example',
      ...(json === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...headers,
    };
    const options = { host: '127.0.0.1', port, method, path, headers: all, rejectUnauthorized: false, agent: false };
    const sent = request(options, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      response.on('end', () => {
        const content = (text.startsWith('{') ? JSON.parse(text) : {}) as Readonly<Record<string, unknown>>;
        resolve({ status: response.statusCode ?? 0, code: content.code, headers: response.headers, content });
      });
    });
    sent.on('error', reject);
    sent.end(json === undefined ? undefined : JSON.stringify(json));
  });
}

const bytes = { type: 'CMS-attached', documents_source: 'DATA_URL', documents: ['data:,x'] };
const administrator = (token: string): { headers: Record<string, string> } => ({
  headers: { Authorization: `Bearer ${token}` },
});

describe('a stranger at an open listener', () => {
  it('names no path and no store, with the credentials of an application either', async () => {
    const path = join(folder, 'secret.txt');
    const wishes = [
      { ...bytes, documents_source: 'FILE_PATH', documents: [path] },
      { ...bytes, documents_source: 'STORE_A_S3', documents: ['bucket/key'] },
      { ...bytes, documents_destination: 'FILE_PATH' },
    ];
    for (const json of wishes) {
      expect((await ask('POST', '/signature-service', { json })).status).toBe(401);
      const answer = await ask('POST', '/signature-service', { json, headers: application });
      expect([answer.status, answer.code]).toEqual([403, expect.stringMatching(/^(SOURCE|DESTINATION)_NOT_ALLOWED$/)]);
    }
    expect((await ask('POST', '/signature-service', { json: bytes, headers: application })).status).toBe(201);
  });

  it('guesses no administrator, and a token reaches no further than its scope', async () => {
    const { token } = await instance.sinete.core.administrators.add('ops', ['monitor']);
    expect((await ask('GET', '/metrics', administrator(token))).status).toBe(200);
    const beyond = await ask('GET', '/user', administrator(token));
    expect([beyond.status, beyond.content.detail]).toMatchObject([403, expect.anything()]);
    const guesses = Array.from({ length: 11 }, (_one, index) => `sinete_admin_${'a'.repeat(42)}${index % 10}`);
    const statuses: number[] = [];
    for (const guess of guesses) statuses.push((await ask('GET', '/metrics', administrator(guess))).status);
    expect([statuses[0], statuses.at(-1)]).toEqual([401, 429]);
    await instance.sinete.core.storage.database.deleteFrom('attempts').execute();
  });

  it('is not the owner by a loopback host, a forwarded address or the window', async () => {
    for (const Host of ['127.0.0.1', 'localhost', `127.0.0.1:${instance.port}`, 'evil.example']) {
      expect((await ask('GET', '/ready', { headers: { Host } })).status).toBe(421);
    }
    const forwarded = { 'X-Forwarded-For': '127.0.0.1', Forwarded: 'for=127.0.0.1' };
    expect((await ask('POST', '/signature-service', { json: bytes, headers: forwarded })).status).toBe(401);
    expect((await ask('POST', '/ui/rpc', { json: { call: 'home.read' }, headers: forwarded })).status).toBe(404);
    expect((await ask('GET', '/ui')).status).toBe(404);
  });

  it('sends no notification into the network of the server', async () => {
    for (const target of ['http://127.0.0.1:1/', 'http://localhost/', 'http://10.0.0.5/', 'http://169.254.169.254/']) {
      const json = { ...bytes, notification_callback: target };
      expect((await ask('POST', '/signature-service', { json, headers: application })).status).toBe(422);
    }
  });

  it('turns no webhook towards the network of the server, even a webhook made here by the owner', async () => {
    const webhooks = `/applications/${clientId}/webhooks`;
    const inside = ['http://127.0.0.1:1/', 'http://localhost/', 'http://[::1]/', 'http://10.0.0.5/', 'http://169.254.169.254/', 'http://[::ffff:127.0.0.1]/', 'http://2130706433/', 'http://0x7f.1/', 'http://localhost./']; // prettier-ignore
    for (const url of inside) {
      expect((await ask('POST', webhooks, { json: { url }, headers: application })).status).toBe(422);
    }
    const made = await instance.send('POST', webhooks, { json: { url: 'http://127.0.0.1:9/owner' } });
    expect(made.status).toBe(201);
    const one = `${webhooks}/${String(made.content.id)}`;
    for (const url of inside) {
      expect((await ask('PUT', one, { json: { url }, headers: application })).status).toBe(422);
    }
    expect((await ask('PUT', one, { json: { enabled: false }, headers: application })).status).toBe(200);
    expect((await ask('GET', one, { headers: application })).content.url).toBe('http://127.0.0.1:9/owner');
    const moved = await ask('PUT', one, { json: { url: 'https://hooks.example/' }, headers: application });
    expect(moved.status).toBe(200);
    expect((await ask('PUT', one, { json: { url: 'http://127.0.0.1:9/owner' }, headers: application })).status).toBe(
      422,
    );
  });

  it('opens only so many connections from a single address, and others are still answered after them', async () => {
    const sockets: Socket[] = [];
    let refused = 0;
    for (let count = 0; count < 260; count += 1) {
      const socket = connect(port, '127.0.0.1').on('error', () => undefined);
      socket.once('close', () => (refused += 1));
      sockets.push(socket);
    }
    await until(() => refused >= 60, 'the connections beyond the limit are closed');
    expect(refused).toBeLessThan(80);
    for (const socket of sockets) socket.destroy();
    await until(
      async () => (await ask('GET', '/ready').catch(() => ({ status: 0 }))).status === 200,
      'it answers again',
    );
  });

  it('is told by each answer to come back by TLS, and by the OpenAPI document where to', async () => {
    const answer = await ask('GET', '/openapi.json');
    expect(answer.headers['strict-transport-security']).toBe('max-age=63072000');
    expect(answer.content.servers).toEqual([{ url: publicUrl }]);
    const local = await instance.send('GET', '/openapi.json');
    expect([local.headers['strict-transport-security'], local.content.servers]).toEqual([undefined, [{ url: '/' }]]);
  });
});
