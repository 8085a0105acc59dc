/** Requests that a browser can send for a foreign page, at every endpoint. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { routes, type Route } from '../../src/http/routes.ts';
import { recordingAssistant } from '../browser/recording-assistant.ts';
import { plainRequest, startTestServer, type TestServer } from '../http/start-test-server.ts';

let server: TestServer;
const effects: string[] = [];
beforeAll(async () => {
  server = await startTestServer({ assistant: recordingAssistant(effects) });
});
afterAll(async () => server.stop());

const evil = 'https://evil.example';
const origins = [evil, 'http://evil.example', 'http://localhost:8099'];
const crossSite = { 'Sec-Fetch-Site': 'cross-site' };
const cors = { ...crossSite, 'Sec-Fetch-Mode': 'cors', 'Sec-Fetch-Dest': 'empty' };
const blind = { ...crossSite, 'Sec-Fetch-Mode': 'no-cors', 'Sec-Fetch-Dest': 'empty' };
const navigation = { ...crossSite, 'Sec-Fetch-Mode': 'navigate', 'Sec-Fetch-Dest': 'document' };
const form = { 'Content-Type': 'application/x-www-form-urlencoded' };

type Headers = Readonly<Record<string, string>>;

/** A path of the route: each parameter has a value. */
const pathOf = ({ paths: [path] }: Route): string => path.replaceAll(/\{:\w+\}/g, 'x').replaceAll(/:\w+/g, '1');

/** The statuses of the same request at every route that `isMeant` takes. */
async function sendToAll(headers: Headers, isMeant: (route: Route) => boolean = () => true): Promise<Set<number>> {
  const meant = routes.filter(isMeant);
  expect(meant.length).toBeGreaterThan(10);
  const answers = await Promise.all(
    meant.map(async (route) => {
      const body = route.method === 'get' || route.method === 'delete' ? {} : { body: 'username=1&password=2' };
      const sent = { method: route.method.toUpperCase(), path: pathOf(route), headers, ...body };
      return (await plainRequest(server, sent)).status;
    }),
  );
  expect(effects).toEqual([]);
  expect(server.transactions.created).toEqual([]);
  expect(server.transactions.uploads).toEqual([]);
  return new Set(answers);
}

const isOpenToPages = ({ guard }: Route): boolean => guard === 'discovery';
const refused = new Set([403]);

describe('a web page', () => {
  it.each(origins)('sends no blind request to any endpoint, from %s', async (Origin) => {
    expect(await sendToAll({ ...blind, ...form, Origin })).toEqual(refused);
  });

  it.each(origins)('calls no endpoint without a grant, from %s', async (Origin) => {
    const closed = await sendToAll({ ...cors, ...form, Origin }, (route) => !isOpenToPages(route) && route.guard !== 'token'); // prettier-ignore
    expect(closed).toEqual(refused);
  });

  it('gets nothing for an empty hand where a code or a token is the permission', async () => {
    for (const route of routes.filter(({ guard }) => guard === 'token')) {
      const headers = { ...cors, ...form, Origin: evil };
      const body = route.method === 'post' ? { body: '' } : {};
      const answer = await plainRequest(server, { method: route.method.toUpperCase(), path: pathOf(route), headers, ...body }); // prettier-ignore
      expect([400, 401, 415]).toContain(answer.status);
    }
  });

  it.each(['application/x-www-form-urlencoded', 'multipart/form-data; boundary=b', 'text/plain'])(
    'posts no form of %s into a window or a frame',
    async (type) => {
      for (const dest of ['document', 'iframe']) {
        const headers = { ...navigation, 'Sec-Fetch-Dest': dest, 'Content-Type': type, Origin: evil };
        expect(await sendToAll(headers, ({ method }) => method !== 'get')).toEqual(refused);
      }
    },
  );

  it.each([
    'image',
    'script',
    'style',
    'iframe',
    'embed',
    'object',
    'video',
    'audio',
    'font',
    'track',
    'manifest',
    'worker',
    'report',
  ])(
    // prettier-ignore
    'loads no endpoint as %s',
    async (dest) => {
      expect(await sendToAll({ ...blind, 'Sec-Fetch-Dest': dest })).toEqual(refused);
    },
  );

  it.each([cors, blind, navigation])('hides its origin from no endpoint (%#)', async (headers) => {
    const closed = await sendToAll({ ...headers, ...form, Origin: 'null' }, ({ method }) => method !== 'get');
    expect(closed).toEqual(refused);
  });

  it('opens no WebSocket', async () => {
    const headers = { Origin: evil, Connection: 'Upgrade', Upgrade: 'websocket', 'Sec-WebSocket-Version': '13' };
    expect(await sendToAll({ ...headers, 'Sec-WebSocket-Key': 'AAAAAAAAAAAAAAAAAAAAAA==' })).toEqual(refused);
  });

  it.each(['rebind.example', 'x.localhost', '0.0.0.0', '[::ffff:127.0.0.1]', '127.1', '127.0.0.1.'])(
    'reaches no endpoint by the name %s',
    async (name) => {
      const Host = `${name}:${server.port}`;
      expect(await sendToAll({ ...cors, Host, Origin: `http://${Host}`, 'Sec-Fetch-Site': 'same-origin' })).toEqual(
        new Set([421]),
      );
    },
  );

  it.each([
    'null',
    'http://127.0.0.1.evil.example',
    'http://127.0.0.1:1',
    'https://127.0.0.1',
    'HTTP://LOCALHOST',
    'chrome-extension://abcdefgh',
    'moz-extension://abcdefgh',
    'app://ui',
    'file://',
    'http://user@127.0.0.1',
    'http://127.0.0.1 https://evil.example',
  ])('pretends to be no page of ours by the origin %s', async (Origin) => {
    expect(await sendToAll({ ...cors, ...form, Origin }, (route) => !isOpenToPages(route) && route.guard !== 'token')).toEqual(refused); // prettier-ignore
  });

  it('pretends to be no page of ours by our own origin, which the browser calls cross-site', async () => {
    const headers = { ...cors, ...form, Origin: `http://127.0.0.1:${server.port}` };
    expect(await sendToAll(headers, (route) => !isOpenToPages(route))).toEqual(refused);
  });

  it('posts no form of ours from elsewhere', async () => {
    const headers = { ...navigation, ...form, Origin: evil };
    const answer = await plainRequest(server, { method: 'POST', path: '/oauth/authorize', headers, body: 'allow=yes' });
    expect(answer.status).toBe(403);
  });
});
