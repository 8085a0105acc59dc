/** Every route on every kind of listener for every kind of caller: nothing is open by mistake. */
import { request as httpRequest } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildApp, type HttpDependencies } from '../../../src/http/build-server.ts';
import { AddressList, LISTENER_SERVICES, type Listener } from '../../../src/http/listeners/listener.ts';
import { refusalDetails } from '../../../src/http/local-guard.ts';
import type { Peer } from '../../../src/http/local-guard.ts';
import { routes, type Route } from '../../../src/http/routes.ts';
import type { Administrators } from '../../../src/service/administration/index.ts';
import { recordingAssistant } from '../../browser/recording-assistant.ts';
import { nobody } from '../nobody.ts';
import { neededFor } from './route-needs.ts';
import { plainRequest, startTestServer, type TestServer } from '../start-test-server.ts';

const scopes = ['monitor', 'registry', 'users', 'all'] as const;
const effects: string[] = [];
const acted: string[] = [];
const refusedAddresses: string[] = [];

const administrators: Pick<Administrators, 'authenticate' | 'act'> = {
  authenticate: async (token, address) => {
    const scope = scopes.find((one) => token === `token-${one}`);
    if (scope === undefined) refusedAddresses.push(address);
    const known = { name: token, createdAt: new Date(0), lastUsedAt: null };
    return Promise.resolve(scope === undefined ? undefined : { ...known, scopes: [scope] });
  },
  act: async (name, operation) => {
    acted.push(`${name} ${operation}`);
    return Promise.resolve();
  },
};

/** The only application, with the secret `secret`. */
const portal = {
  find: async () => Promise.resolve(undefined),
  authenticate: async (clientId: string, secret: string) =>
    Promise.resolve(secret === 'secret' ? { clientId, name: 'Portal' } : undefined),
} as unknown as HttpDependencies['identity']['applications'];

const publicUrl = 'https://sign.example';
const proxied: Listener = {
  services: new Set(LISTENER_SERVICES),
  remote: { publicUrl, trustedProxies: new AddressList(['127.0.0.0/8']) },
};
const remote: Listener = { services: new Set(LISTENER_SERVICES), remote: { publicUrl } };

let server: TestServer;
let peer: Peer;
const ports = new Map<Listener, number>();
const parts = {
  administrators,
  metrics: { request: () => undefined, read: async () => Promise.resolve({ contentType: 'text/plain', body: 'x' }) },
};

beforeAll(async () => {
  server = await startTestServer({
    ...parts,
    assistant: recordingAssistant(effects),
    identity: { ...nobody(), applications: portal, selectedUser: async () => Promise.resolve(undefined) },
    peerUser: { identify: async () => Promise.resolve(peer) },
  });
  for (const listener of [remote, proxied]) ports.set(listener, await server.listen(listener));
});
afterAll(async () => server.stop());

/** A path of the route: each parameter has a value. */
const pathOf = ({ paths: [path] }: Route): string => path.replaceAll(/\{:\w+\}/g, 'x').replaceAll(/:\w+/g, '1');

/** The outcome of a request in a single word. */
type Outcome = 'absent' | 'administrator' | 'scope' | 'credentials' | 'session' | 'refused' | 'answered';

const types = { json: 'application/json', form: 'application/x-www-form-urlencoded' } as const;

/** Sends a request to the route and reads the answer as far as a refusal reaches. */
async function outcomeOf(
  port: number,
  route: Pick<Route, 'method' | 'body'> & { readonly path: string },
  headers: Readonly<Record<string, string>>,
): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const type = route.body === 'json' || route.body === 'form' ? { 'Content-Type': types[route.body] } : {};
    const sent = httpRequest(
      { host: '127.0.0.1', port, path: route.path, method: route.method.toUpperCase(), agent: false, headers: { ...type, ...headers } }, // prettier-ignore
      (response) => {
        const { statusCode = 0 } = response;
        if (statusCode < 400) {
          response.destroy();
          resolve('answered');
          return;
        }
        let text = '';
        response.on('data', (chunk: Buffer) => (text += chunk.toString()));
        response.on('end', () => resolve(refusalOf(statusCode, text)));
      },
    );
    sent.on('error', reject);
    sent.end(route.body === 'json' ? '{}' : route.body === 'form' ? 'a=b' : undefined);
  });
}

function refusalOf(status: number, text: string): Outcome {
  const { detail, code } = (text.startsWith('{') ? JSON.parse(text) : {}) as { detail?: unknown; code?: string };
  const sentence = typeof detail === 'object' ? (detail as { message?: string }).message : detail;
  if (sentence === refusalDetails.ADDRESS_NOT_FOUND) return 'absent';
  if (sentence === refusalDetails.ADMINISTRATOR_REQUIRED) return 'administrator';
  if (sentence === refusalDetails.ADMINISTRATOR_SCOPE_MISSING) return status === 403 ? 'scope' : 'refused';
  if (code === 'CREDENTIALS_INVALID') return 'credentials';
  if (code === 'SESSION_ENDED') return 'session';
  return status === 403 || status === 421 ? 'refused' : 'answered';
}

const Host = 'sign.example';
const json = { 'Content-Type': 'application/json' };
const bearer = (scope: string): Record<string, string> => ({ Host, Authorization: `Bearer token-${scope}` });
const portOf = (listener: Listener): number => ports.get(listener) ?? 0;
/** The bridge window is for a browser's window on this computer: no listener of other computers and no program has it. */
const isForWindows = ({ guard }: Route): boolean => guard === 'bridge';
const rows = routes.map((route) => ({ route, operation: route.id, path: pathOf(route) }));

it('the router has the routes of the table and no others', () => {
  const product = { name: 'Sinete', version: '0', instance: 'x' };
  const folders = { rendererFolder: '', clientFolder: '' };
  const idle = {
    guide: {},
    bridge: {},
    limits: {},
    log: {},
    transactions: {},
    validator: {},
    webhooks: {},
    assistant: {},
  };
  const app = buildApp({ ...parts, ...idle, ...folders, product, identity: nobody() } as unknown as HttpDependencies);
  const layers = app.router.stack as unknown as { route?: { path: string | string[] } }[];
  const registered = new Set(layers.flatMap(({ route }) => route?.path ?? []).flat());
  expect([...registered].toSorted()).toEqual([...new Set(routes.flatMap(({ paths }) => paths))].toSorted());
});

describe.each([
  { kind: 'a listener of other computers', listener: remote },
  { kind: 'a listener behind a proxy on this computer', listener: proxied },
])('$kind', ({ listener }) => {
  it.each(rows)('asks $operation for the access that its definition names', async ({ route, path }) => {
    // A program of the owner, which would pass on loopback.
    peer = 'same-user';
    const [, need] = neededFor(route);
    const call = async (headers: Record<string, string>): Promise<Outcome> =>
      outcomeOf(portOf(listener), { ...route, path }, headers);
    const isAdministration = (scopes as readonly string[]).includes(need);
    if (isForWindows(route)) {
      expect(await call({ Host })).toBe('refused');
      return;
    }
    expect(await call({ Host })).toBe(isAdministration ? 'administrator' : need === 'nothing' ? 'answered' : need);
    if (!isAdministration) return;
    for (const scope of [...scopes, 'of-nobody']) {
      const isEnough = scope === need || scope === 'all';
      const refusal = scope === 'of-nobody' ? 'administrator' : 'scope';
      expect([scope, await call(bearer(scope))]).toEqual([scope, isEnough ? 'answered' : refusal]);
    }
  });

  it('gives the details of the health to administrators with the scope monitor', async () => {
    const health = { method: 'get', body: 'none', path: '/health-check?full=true' } as const;
    for (const path of [health.path, '/health-check?full=', '/health-check?full=1&full=0', '/health-check?full=x']) {
      expect(await outcomeOf(portOf(listener), { ...health, path }, { Host })).toBe('administrator');
    }
    expect(await outcomeOf(portOf(listener), health, bearer('users'))).toBe('scope');
    expect(await outcomeOf(portOf(listener), health, bearer('monitor'))).toBe('answered');
    expect(await outcomeOf(portOf(listener), { ...health, path: '/health-check' }, { Host })).toBe('answered');
  });

  it.each(rows)('lets no page of a foreign site call $operation', async ({ route, operation, path }) => {
    const page = { Host, Origin: 'https://evil.example', 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'cors', 'Sec-Fetch-Dest': 'empty' }; // prettier-ignore
    const outcome = await outcomeOf(portOf(listener), { ...route, path }, page);
    const isOpenToPages = route.guard === 'discovery' || route.guard === 'token';
    if (!isOpenToPages) expect(['refused', 'administrator']).toContain(outcome);
    else expect([operation, outcome]).not.toEqual([operation, 'absent']);
  });

  it.each(rows)('answers no request for another host at $path', async ({ route, path }) => {
    for (const host of ['evil.example', '127.0.0.1', 'localhost', 'sign.example.evil.example']) {
      expect(await outcomeOf(portOf(listener), { ...route, path }, { ...bearer('all'), Host: host })).toBe('refused');
    }
  });
});

describe('a listener', () => {
  it.each(LISTENER_SERVICES)('of other computers leaving %s out does not have its operations', async (left) => {
    const services = new Set(LISTENER_SERVICES.filter((service) => service !== left));
    const port = await server.listen({ services, remote: { publicUrl } });
    for (const { route, operation, path } of rows.filter(({ route }) => neededFor(route)[0] === left)) {
      const outcome = await outcomeOf(port, { ...route, path }, bearer('all'));
      expect([operation, outcome]).toEqual([operation, 'absent']);
    }
  });

  it('on loopback leaving services out does not have their operations, and knows the owner', async () => {
    peer = 'same-user';
    const port = await server.listen({ services: new Set(['signing'] as const) });
    for (const { route, operation, path } of rows) {
      const [service] = neededFor(route);
      const outcome = await outcomeOf(port, { ...route, path }, {});
      const isThere = service === 'signing' || service === '';
      // A bearer token is the only way to approve by one.
      const usual = operation === 'authorizeTransaction' ? 'credentials' : 'answered';
      const answers = isForWindows(route) ? 'refused' : usual;
      expect([operation, outcome]).toEqual([operation, isThere ? answers : 'absent']);
    }
  });

  it('on loopback answers no other user, with the token of an administrator either', async () => {
    peer = 'other-user';
    for (const { route, operation, path } of rows.filter(({ route }) => route.guard !== 'discovery')) {
      const headers = { Authorization: 'Bearer token-all' };
      expect([operation, await outcomeOf(server.port, { ...route, path }, headers)]).toEqual([operation, 'refused']);
    }
  });

  it('behind a proxy answers nobody but the proxy', async () => {
    const elsewhere = { publicUrl, trustedProxies: new AddressList(['10.1.2.3']) };
    const port = await server.listen({ services: new Set(LISTENER_SERVICES), remote: elsewhere });
    const live = { method: 'get', body: 'none', path: '/health-check' } as const;
    await expect(outcomeOf(port, live, { Host, 'X-Forwarded-For': '10.1.2.3' })).rejects.toMatchObject({
      code: 'ECONNRESET',
    });
  });

  it('counts wrong tokens for the client that the proxy names, and asks for none for other hosts', async () => {
    refusedAddresses.length = 0;
    const route = { method: 'get', body: 'none', path: '/dashboard' } as const;
    await outcomeOf(portOf(proxied), route, { ...bearer('x'), 'X-Forwarded-For': '1.2.3.4, 198.51.100.7' });
    await outcomeOf(portOf(proxied), route, { ...bearer('x'), 'X-Forwarded-For': '2001:db8:1:2:3:4:5:6' });
    await outcomeOf(portOf(remote), route, { ...bearer('x'), 'X-Forwarded-For': '198.51.100.7' });
    await outcomeOf(portOf(remote), route, { ...bearer('x'), Host: 'evil.example' });
    expect(refusedAddresses).toEqual(['198.51.100.7', '2001:db8:1:2::/64', '127.0.0.1']);
  });

  it('writes down what administrators change, and not what they read', async () => {
    acted.length = 0;
    await outcomeOf(portOf(remote), { method: 'get', body: 'none', path: '/user' }, bearer('users'));
    await outcomeOf(portOf(remote), { method: 'delete', body: 'none', path: '/user/7' }, bearer('users'));
    await outcomeOf(portOf(remote), { method: 'delete', body: 'none', path: '/user/7' }, bearer('monitor'));
    expect(acted).toEqual(['token-users removeUser']);
  });

  it('of other computers lets one address validate only so often', async () => {
    const statuses = async (port: number): Promise<(number | string)[]> => {
      const answers = Array.from({ length: 60 }, async () =>
        plainRequest(
          { port },
          { method: 'POST', path: '/validator-service', headers: port === server.port ? {} : { Host } },
        ),
      );
      return (await Promise.all(answers)).map(({ status, headers }) =>
        status === 429 ? `wait ${headers['retry-after'] === undefined ? 'how long?' : 'as told'}` : status,
      );
    };
    peer = 'same-user';
    expect(await statuses(portOf(remote))).toContain('wait as told');
    expect(new Set(await statuses(server.port))).toEqual(new Set([415]));
  });

  it('of other computers knows no owner, and believes no loopback address of a proxy', async () => {
    server.transactions.created.length = 0;
    const headers = { ...json, Authorization: `Sinete ${Buffer.from('portal:secret').toString('base64')}` };
    const body = JSON.stringify({ type: 'CMS', documents_source: 'FILE_PATH', documents: ['/etc/hosts'], notification_callback: 'https://a.example/' }); // prettier-ignore
    peer = 'same-user';
    for (const port of [server.port, portOf(remote), portOf(proxied)]) {
      const host: Readonly<Record<string, string>> = port === server.port ? {} : { Host };
      await plainRequest(
        { port },
        { method: 'POST', path: '/signature-service', headers: { ...headers, ...host }, body },
      );
    }
    const seen = server.transactions.created.map(({ request: { reach, callback } }) => [
      reach.kind,
      callback?.fromLoopback,
      callback?.baseUrl,
    ]);
    const far = ['guest', false, publicUrl];
    expect(seen).toEqual([['owner', true, server.url], far, far]);
  });
});
