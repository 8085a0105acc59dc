import { X509Certificate } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer as createTlsServer } from 'node:https';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ConfiguredListener } from '../../src/app/config/listen.ts';
import { checkExposure, openListeners, type OpenListener } from '../../src/app/instance/listeners.ts';
import type { Servers } from '../../src/http/build-server.ts';
import type { TestIdentity } from '../../src/test-authority/index.ts';
import { icpBrasilPki, type PkiBranch } from '../pki/icp-brasil-pki.ts';
import { pem } from '../pki/openssl.ts';
import { until } from '../setup/waits.ts';
import { itNeeding } from '../setup/needs.ts';
import { makeWorkplace, runSinete, serve } from './run-sinete.ts';
import { startRealInstance } from '../interface/real-instance.ts';
import { plainRequest } from '../http/start-test-server.ts';

const remote = { publicUrl: 'https://sign.example' };
const services = ['signing', 'authorization', 'registry', 'assistant'] as const;

let branch: PkiBranch;
let folder: string;
let opened: readonly OpenListener[];
let failures: string[];

beforeAll(async () => {
  branch = (await icpBrasilPki()).v5;
});
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sinete-listeners-'));
  opened = [];
  failures = [];
});
afterEach(async () => {
  for (const { server, close } of opened) {
    close();
    await new Promise((resolve) => server.close(resolve));
  }
  rmSync(folder, { recursive: true });
});

const paths = () => ({ certificate: join(folder, 'server.pem'), key: join(folder, 'server.key') });

function writePair({ certificate, chain }: TestIdentity, { privateKey }: TestIdentity): void {
  const text = [certificate, ...chain.slice(0, -1)].map((der) => pem('CERTIFICATE', der)).join('');
  writeFileSync(paths().certificate, text);
  writeFileSync(paths().key, pem('PRIVATE KEY', privateKey), { mode: 0o600 });
}

/** Silent servers: only their sockets are looked at. */
const servers = {
  forListener: (_listener: unknown, tls: object | undefined) =>
    tls === undefined ? createServer() : createTlsServer(tls),
} as unknown as Servers;

async function open(changes: Partial<ConfiguredListener> = {}): Promise<number> {
  const entry = { host: '127.0.0.1', port: 0, services, remote, tls: paths(), ...changes };
  opened = await openListeners(servers, [entry], { failure: (what) => failures.push(what) }, 5);
  return Number(new URL(opened[0]?.address ?? '').port);
}

/** The SHA-256 of the certificate shown by the listener. */
async function shown(port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port, rejectUnauthorized: false }, () => {
      resolve(socket.getPeerCertificate().fingerprint256);
      socket.destroy();
    });
    socket.on('error', reject);
  });
}

const fingerprintOf = ({ certificate }: TestIdentity): string => new X509Certificate(certificate).fingerprint256;

describe('a listener with TLS', () => {
  it('takes up a new certificate when its files change, and keeps the present certificate while the files do not fit', async () => {
    writePair(branch.server, branch.server);
    const port = await open();
    expect(await shown(port)).toBe(fingerprintOf(branch.server));
    writePair(branch.person, branch.server);
    await until(() => failures.length > 0, 'a pair that does not fit is refused');
    expect(await shown(port)).toBe(fingerprintOf(branch.server));
    writePair(branch.person, branch.person);
    await until(async () => (await shown(port)) === fingerprintOf(branch.person), 'the new certificate is shown');
  });

  it.each([
    ['a key of another certificate', () => writePair(branch.person, branch.server)],
    ['no files', () => undefined],
    [
      'a key that every user may read',
      () => {
        writePair(branch.server, branch.server);
        chmodSync(paths().key, 0o644);
      },
    ],
  ])('does not open with %s', async (_which, prepare) => {
    prepare();
    await expect(open()).rejects.toMatchObject({ exitCode: 3 });
  });
});

describe('an instance open to other computers', () => {
  const entry: ConfiguredListener = { host: '0.0.0.0', port: 8443, services, remote };
  const local: ConfiguredListener = { host: '127.0.0.1', port: 8443, services };

  it('is not started by root, unless told so', () => {
    expect(() => checkExposure({ listen: [entry], approve: 'ask' }, true, false)).toThrow(/--allow-root/);
    expect(() => checkExposure({ listen: [entry], approve: 'ask' }, true, true)).not.toThrow();
    expect(() => checkExposure({ listen: [entry], approve: 'ask' }, false, false)).not.toThrow();
    expect(() => checkExposure({ listen: [local], approve: 'ask' }, true, false)).not.toThrow();
  });

  it('never approves everything', () => {
    expect(() => checkExposure({ listen: [entry], approve: 'all' }, false, true)).toThrow(/strangers/);
    expect(() => checkExposure({ listen: [entry], approve: 'listed' }, false, false)).not.toThrow();
    expect(() => checkExposure({ listen: [local], approve: 'all' }, false, false)).not.toThrow();
  });

  it('asks for credentials, shows no selected user, and gives its figures to administrators', async () => {
    const options = { listen: [{ host: '127.0.0.1', port: 0, services, remote }], metrics: true };
    const instance = await startRealInstance(options, { allowRoot: true });
    try {
      const { sinete } = instance;
      const port = Number(new URL(sinete.listeners[0]?.address ?? '').port);
      const Host = 'sign.example';
      const get = async (path: string, headers: Record<string, string> = {}) =>
        plainRequest({ port }, { path, headers: { Host, ...headers } });
      const { token } = await sinete.core.administrators.add('ops', ['monitor']);
      const Authorization = `Bearer ${token}`;
      expect((await get('/metrics')).status).toBe(401);
      expect((await get('/metrics', { Authorization })).status).toBe(200);
      expect((await get('/user', { Authorization })).status).toBe(403);
      expect((await get('/health-check')).status).toBe(200);
      expect((await get('/ui')).status).toBe(404);
      const [recovery = ''] = await instance.enrol('ANA LIMA', '11144477735');
      const { application } = await sinete.core.applications.register({
        name: 'Portal',
        comments: '',
        email: 'a@b.example',
        redirectUris: ['https://portal.example/'],
      });
      await sinete.core.assistant.addUser('11144477735', recovery, 'window');
      const page = `/oauth/authorize?response_type=code&integration=true&client_id=${application.clientId}`;
      const navigation = { 'Sec-Fetch-Mode': 'navigate', 'Sec-Fetch-Dest': 'document' };
      const shownPage = (await get(page, navigation)).body;
      expect(shownPage).not.toContain('ANA LIMA');
      const [, request = ''] = /name="request" value="([^"]+)"/.exec(shownPage) ?? [];
      const form = { 'Content-Type': 'application/x-www-form-urlencoded', Origin: 'https://sign.example' };
      const answer = await plainRequest(
        { port },
        {
          method: 'POST',
          path: '/oauth/authorize',
          body: `request=${request}&way=computer`,
          headers: { Host, ...form, ...navigation, 'Sec-Fetch-Site': 'same-origin' },
        },
      );
      // The page with the ways again, instead of a question in the window.
      expect([answer.status, await sinete.core.authorizationRequests.waiting()]).toEqual([200, []]);
      const here = { Host: `127.0.0.1:${instance.port}`, ...navigation };
      expect((await plainRequest(instance, { path: page, headers: here })).body).toContain('ANA LIMA');
    } finally {
      await instance.stop();
    }
  });
});

describe('sinete serve as root with a listener of other computers', () => {
  itNeeding('root')('is refused, and runs with --allow-root, without a key of its window in the log', async () => {
    const place = await makeWorkplace();
    try {
      writeFileSync(
        join(place.data, 'sinete.toml'),
        'public_url = "https://sign.example"\n[[listen]]\nhost = "127.0.0.1"\nport = 0\nbehind_proxy = true\ntrusted_proxies = ["127.0.0.1"]\n',
      );
      const refused = await runSinete(place, ['serve', '--port', '0']);
      expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('add --allow-root')]);
      const instance = await serve(place, ['--allow-root']);
      expect(instance.output()).toContain('https://sign.example');
      expect(instance.output()).not.toContain('#');
      expect(await instance.stop()).toBe(0);
    } finally {
      await place.remove();
    }
  });
});
