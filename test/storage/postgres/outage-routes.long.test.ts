/** Every route while the database is away: a refusal with a time to come back, or an answer needing no database. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { routes, type Route } from '../../../src/http/routes.ts';
import { exampleRequest, type ExampleValues } from '../../http/example-request.ts';
import { startRealInstance, type RealInstance } from '../../interface/real-instance.ts';
import { plainRequest, type PlainAnswer } from '../../http/start-test-server.ts';
import { startPostgres, type PostgresServer } from './postgres-server.ts';

let server: PostgresServer;
let instance: RealInstance;
/** Real values, to let requests get as far as the database. */
let client: { readonly id: string; readonly secret: string };
let accessToken: string;
let tcn: string;
/** A request shown by the page of authorization. */
let shownRequest: string;

const redirect = 'https://archive.example/back';
const finished = { type: 'CAdES-attached', documents_source: 'DATA_URL', documents: ['data:,text'] };

beforeAll(async () => {
  server = await startPostgres();
  instance = await startRealInstance({
    database: { url: await server.createDatabase('routes') },
    approve: 'all',
    metrics: true,
  });
  await instance.sinete.core.testIdentities.make({ name: 'Ana Lima', cpf: '11144477735' });
  const registered = await instance.send('POST', '/v0/oauth/application', {
    json: { name: 'Archive', comments: 'Contracts', email: 'help@archive.example', redirect_uris: [redirect] },
  });
  client = { id: String(registered.content.client_id), secret: String(registered.content.client_secret) };
  const grant = { grant_type: 'client_credentials', client_id: client.id, client_secret: client.secret };
  accessToken = String((await instance.send('POST', '/oauth', { fields: grant })).content.access_token);
  const created = await instance.send('POST', '/signature-service', { json: { ...finished, mode: 'sync' } });
  expect(created.content).toMatchObject({ status: 'SIGNED' });
  tcn = String(created.content.tcn);
  shownRequest = /name="request" value="([^"]+)"/.exec((await instance.send('GET', authorize())).body)?.[1] ?? '';
  expect(shownRequest).not.toBe('');
  await server.kill();
}, 180_000);

afterAll(async () => {
  await server.resume();
  await instance.stop();
  await server.stop();
}, 60_000);

type Outcome = 'needs the database' | 'reports' | 'answers' | 'is refused before';

const authorize = (): string =>
  `/oauth/authorize?${new URLSearchParams({ response_type: 'code', client_id: client.id, redirect_uri: redirect }).toString()}`;

/** The operations with answers following neither from their definition nor from their guard. */
const outcomes: Readonly<Record<string, Outcome>> = {
  validateSignatures: 'is refused before',
  checkHealth: 'reports',
  // Of a single instance: its requests are in memory, and an unknown request has ended.
  awaitAuthorization: 'is refused before',
  readUiAsset: 'is refused before',
  // The keys of windows are in memory; these requests come without one.
  showBridge: 'is refused before',
  endBridge: 'is refused before',
};

/** Pages and descriptions of the server need no database; a call of the window has no session here. */
function outcomeOf({ id, guard, answersWithoutDatabase }: Route): Outcome {
  const byGuard: Readonly<Record<string, Outcome>> = {
    page: 'answers',
    asset: 'answers',
    discovery: 'answers',
    ui: 'is refused before',
  };
  if (answersWithoutDatabase === true) return 'answers';
  return outcomes[id] ?? byGuard[guard] ?? 'needs the database';
}

/** Values to let the documented requests get as far as the database. */
const valuesOf = (): ExampleValues => ({
  application: client,
  accessToken,
  byName: {
    tcn,
    tcns: [tcn],
    clientId: client.id,
    client_id: client.id,
    client_secret: client.secret,
    grant_type: 'client_credentials',
    token: accessToken,
    redirect_uri: redirect,
    request: shownRequest,
    decision: 'allow',
    username: '11144477735',
    password: '123456',
    code: 'BUSY',
    asset: 'swagger-ui.css',
  },
});

const upload = '--b\r\nContent-Disposition: form-data; name="document[0]"; filename="a.txt"\r\n\r\ntext\r\n--b--\r\n';

async function send(route: Route): Promise<PlainAnswer> {
  const request = exampleRequest(route, valuesOf());
  switch (route.id) {
    case 'showAuthorization':
      return plainRequest({ port: instance.port }, { ...request, path: authorize() });
    case 'answerAuthorization': {
      const body = `${request.body}&username=11144477735&password=123456`;
      return plainRequest({ port: instance.port }, { ...request, body });
    }
    case 'awaitAuthorization':
      return plainRequest({ port: instance.port }, { ...request, path: `${request.path}?request=unknown` });
    case 'showGuide':
      return plainRequest({ port: instance.port }, { ...request, path: `${request.path}/` });
    case 'uploadDocuments': {
      const headers = { 'Content-Type': 'multipart/form-data; boundary=b' };
      return plainRequest(
        { port: instance.port },
        { ...request, headers, path: `/file-transfer/${tcn}/eot`, body: upload },
      );
    }
    default:
      return plainRequest({ port: instance.port }, request);
  }
}

describe('every route while PostgreSQL is away', () => {
  it.each(routes)('is refused with a time to come back, or needs no database: $id', async (route) => {
    const outcome = outcomeOf(route);
    const { status, headers, body } = await send(route);
    if (outcome === 'needs the database') {
      expect([status, body.slice(0, 200)]).toEqual([503, expect.any(String)]);
      expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    } else if (outcome === 'reports') expect([status, body]).toEqual([503, expect.stringContaining('PostgreSQL')]);
    else if (outcome === 'answers') expect([status, body.slice(0, 200)]).toEqual([200, expect.any(String)]);
    else {
      expect(status, body.slice(0, 200)).toBeGreaterThanOrEqual(400);
      expect(status, body.slice(0, 200)).toBeLessThan(500);
    }
  });
});
