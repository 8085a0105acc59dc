import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { InstanceProof, newChallenge, proveRequest } from '../../src/http/peer/instance-proof.ts';
import { UiSessions } from '../../src/http/ui/sessions.ts';
import { until } from '../setup/waits.ts';
import { plainRequest, startTestServer, type PlainAnswer, type TestServer } from './start-test-server.ts';
import { dropUndefined } from '../../src/values/drop-undefined.ts';

/** The key in the instance's file. Windows does not tell who calls through a pipe, so callers prove the key. */
const proofKey = Buffer.alloc(32, 7);
const proof = new InstanceProof(proofKey);
let server: TestServer;

beforeAll(async () => {
  server = await startTestServer({ proof });
});
afterAll(async () => server.stop());

const json = { 'Content-Type': 'application/json' };

async function openSession(key = server.sessions.issueKey()): Promise<PlainAnswer> {
  return plainRequest(server, { method: 'POST', path: '/ui/session', headers: json, body: JSON.stringify({ key }) });
}

async function authorization(): Promise<Record<string, string>> {
  const { session } = JSON.parse((await openSession()).body) as { session: string };
  return { Authorization: `Sinete-UI ${session}` };
}

async function call(body: unknown, headers: Record<string, string>): Promise<PlainAnswer> {
  return plainRequest(server, {
    method: 'POST',
    path: '/ui/rpc',
    headers: { ...json, ...headers },
    body: JSON.stringify(body),
  });
}

describe('the session of the GUI', () => {
  it('opens with the key of a link, once', async () => {
    const key = server.sessions.issueKey();
    const first = await openSession(key);
    const second = await openSession(key);
    expect([first.status, second.status]).toEqual([200, 401]);
    expect(JSON.parse(second.body)).toMatchObject({ code: 'SESSION_ENDED' });
  });

  it('does not open ten minutes later, and ends after twelve hours', () => {
    let now = new Date('2026-01-01T00:00:00Z');
    const sessions = new UiSessions(() => now);
    const late = sessions.issueKey();
    const session = sessions.open(sessions.issueKey()) ?? '';
    now = new Date('2026-01-01T00:10:01Z');
    expect(sessions.open(late)).toBeUndefined();
    expect(sessions.isOpen(`Sinete-UI ${session}`)).toBe(true);
    now = new Date('2026-01-01T12:00:01Z');
    expect(sessions.isOpen(`Sinete-UI ${session}`)).toBe(false);
  });

  it.each([undefined, 'Sinete-UI', 'Sinete-UI x', 'Bearer x', 'Sinete-Control wrong', 'Basic YTpi'])(
    'is not opened by Authorization: %s',
    async (value) => {
      const headers = dropUndefined({ Authorization: value });
      for (const [method, path] of [
        ['POST', '/ui/rpc'],
        ['GET', '/ui/events'],
        ['PUT', '/ui/documents/T'],
        ['POST', '/ui/links'],
      ] as const) {
        // prettier-ignore
        const answer = await plainRequest(server, { method, path, headers: { ...json, ...headers } });
        expect([path, answer.status]).toEqual([path, 401]);
      }
    },
  );

  it('is not reachable from a foreign page, even with the right key', async () => {
    const headers = { ...(await authorization()), Origin: 'https://evil.example', 'Sec-Fetch-Site': 'cross-site' };
    expect((await call({ call: 'certificates.list' }, headers)).status).toBe(403);
  });

  it('hands out a fresh link through the local channel, without a session', async () => {
    const { channel } = server;
    const about = { listener: channel, method: 'POST', target: '/ui/links', body: '' };
    const { nonce } = proof.answer(newChallenge(), channel)!;
    const headers = { 'X-Sinete-Proof': proveRequest(proofKey, nonce, about) };
    const answer = await plainRequest(server, { method: 'POST', path: '/ui/links', channel, headers });
    const { link } = JSON.parse(answer.body) as { link: string };
    expect(link).toMatch(new RegExp(`^${server.url}/ui/#key=[\\w-]{43}$`));
    expect((await openSession(link.split('=')[1])).status).toBe(200);
  });
});

describe('POST /ui/rpc', () => {
  it('answers a call as a value', async () => {
    const answer = await call({ call: 'certificates.list', input: {} }, await authorization());
    expect([answer.status, JSON.parse(answer.body)]).toEqual([200, { ok: true, value: [] }]);
  });

  it('checks the input with the schema of the table', async () => {
    const answer = await call({ call: 'transactions.list', input: { limit: 0 } }, await authorization());
    const error = { code: 'INPUT_INVALID', message: 'limit: Give at least 1.' };
    expect(JSON.parse(answer.body)).toEqual({ ok: false, error });
  });

  it('shows nothing of an unforeseen failure', async () => {
    const answer = await call({ call: 'certificates.remove', input: { alias: 'x' } }, await authorization());
    expect(JSON.parse(answer.body)).toMatchObject({ ok: false, error: { code: 'INTERNAL' } });
    expect(answer.body).not.toContain('maria');
    expect(server.failures.length).toBe(1);
  });

  it.each(['nothing', 'constructor', '__proto__'])('refuses the unknown call %s', async (name) => {
    expect((await call({ call: name }, await authorization())).status).toBe(422);
  });
});

describe('GET /ui/events', () => {
  it('streams one JSON object a line until the page goes away', async () => {
    const left = new AbortController();
    const response = await fetch(`${server.url}/ui/events`, { headers: await authorization(), signal: left.signal });
    expect(response.headers.get('content-type')).toContain('application/x-ndjson');
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
    expect((await reader.read()).value).toBe('{"name":"ping"}\n');
    server.emit({ name: 'transaction-changed', tcn: 'T' });
    expect((await reader.read()).value).toBe('{"name":"transaction-changed","tcn":"T"}\n');
    left.abort();
    await until(() => server.listeners() === 0, 'a page that is gone');
  });
});

describe('PUT /ui/documents/<tcn>', () => {
  it('streams one file into the transaction, with its name, and ends the batch', async () => {
    const answer = await plainRequest(server, {
      method: 'PUT',
      path: '/ui/documents/T?end=true',
      headers: { ...(await authorization()), 'X-File-Name': encodeURIComponent('petição.pdf') },
      body: '%PDF-',
    });
    expect(answer.status, answer.body).toBe(200);
    expect(server.transactions.uploads.at(-1)).toEqual({
      request: { endOfTransaction: true, announcedBytes: 5 },
      documents: [{ fileName: 'petição.pdf', mediaType: undefined, content: '%PDF-' }],
    });
  });

  it('takes several files as a form, each for the document that its field names', async () => {
    const form = new FormData();
    form.append('7', new File(['%PDF-7'], 'petição "a".pdf'));
    form.append('3', new File(['%PDF-3'], 'petição "a".pdf'));
    const answer = await fetch(`${server.url}/ui/documents/T`, {
      method: 'PUT',
      headers: await authorization(),
      body: form,
    });
    expect(answer.status, await answer.text()).toBe(200);
    const { request, documents } = server.transactions.uploads.at(-1)!;
    expect(request.endOfTransaction).toBe(false);
    expect(documents.map(({ label, content }) => [label, content])).toEqual([
      ['7', '%PDF-7'],
      ['3', '%PDF-3'],
    ]);
  });

  it.each([
    ['?end=perhaps', 'a.pdf'],
    ['?end=true', '%E0%A4%A'],
  ])('refuses %s with the name %s', async (query, name) => {
    // prettier-ignore
    const headers = { ...(await authorization()), 'X-File-Name': name };
    const answer = await plainRequest(server, { method: 'PUT', path: `/ui/documents/T${query}`, headers, body: 'x' });
    expect(answer.status).toBe(422);
  });
});

describe('GET /ui/', () => {
  it('puts a fresh nonce into the built page and its policy, and serves its assets', async () => {
    const folder = join(server.spoolFolder, 'renderer');
    await mkdir(join(folder, 'assets'), { recursive: true });
    await writeFile(join(folder, 'index.html'), '<meta name="csp-nonce" content="__CSP_NONCE__">');
    await writeFile(join(folder, 'assets', 'index-1.js'), 'start();');
    const [one, other] = [await plainRequest(server, { path: '/ui/' }), await plainRequest(server, { path: '/ui/' })];
    const nonce = /content="([^"]+)"/.exec(one.body)?.[1] ?? '';
    expect(nonce.length).toBeGreaterThan(20);
    expect(one.headers['content-security-policy']).toContain(`'nonce-${nonce}'`);
    expect(other.body).not.toContain(nonce);
    const asset = await plainRequest(server, { path: '/ui/assets/index-1.js' });
    expect([asset.status, asset.body]).toEqual([200, 'start();']);
    expect(asset.headers['content-type']).toContain('javascript');
  });
});
