/** Every route while the database is away: a refusal with a time to come back, or an answer that needs no database. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { routes, type OperationId } from '../../../src/http/routes.ts';
import { startRealInstance, type RealInstance } from '../../interface/real-instance.ts';
import { plainRequest, type PlainAnswer } from '../../http/start-test-server.ts';
import { startPostgres, type PostgresServer } from './postgres-server.ts';

let server: PostgresServer;
let instance: RealInstance;
/** Real ones, so that requests get as far as the database. */
let client: { readonly id: string; readonly secret: string };
let accessToken: string;
let tcn: string;
/** A request that the page of authorization has shown. */
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

type Row = readonly [
  path: string | (() => string),
  outcome: 'needs the database' | 'reports' | 'answers' | 'is refused before',
  sent?: () => {
    readonly json?: unknown;
    readonly fields?: Readonly<Record<string, string>>;
    readonly headers?: Readonly<Record<string, string>>;
  },
];

const credentials = (): Readonly<Record<string, string>> => ({ client_id: client.id, client_secret: client.secret });
const basic = (): Readonly<Record<string, string>> => ({
  Authorization: `Sinete ${Buffer.from(`${client.id}:${client.secret}`).toString('base64')}`,
});
const bearer = (): Readonly<Record<string, string>> => ({ Authorization: `Bearer ${accessToken}` });
const withBasic = (json?: unknown) => () => ({ headers: basic(), ...(json === undefined ? {} : { json }) });
const hook = { url: 'https://hooks.example/sinete', events: ['transaction.signed'] };
const hooks =
  (rest = ''): (() => string) =>
  () =>
    `/applications/${client.id}/webhooks${rest}`;
const transaction =
  (rest = ''): (() => string) =>
  () =>
    `/signature-service/${tcn}${rest}`;
const authorize = (): string =>
  `/oauth/authorize?${new URLSearchParams({ response_type: 'code', client_id: client.id, redirect_uri: redirect }).toString()}`;

const rows: Record<OperationId, Row> = {
  createTransaction: ['/signature-service', 'needs the database', () => ({ json: finished })],
  uploadDocuments: [() => `/file-transfer/${tcn}/eot`, 'needs the database', form],
  listTransactions: ['/signature-service', 'needs the database'],
  readStatuses: ['/signature-service/status', 'needs the database', () => ({ json: { tcns: [tcn] } })],
  streamOwnTransactions: ['/signature-service/events', 'needs the database', () => ({ headers: basic() })],
  streamTransaction: [transaction('/events'), 'needs the database'],
  queryTransaction: [transaction(), 'needs the database'],
  authorizeTransaction: [transaction('/authorize'), 'needs the database', () => ({ headers: bearer() })],
  cancelTransaction: [transaction(), 'needs the database'],
  downloadDocument: [() => `/file-transfer/${tcn}/0`, 'needs the database'],
  validateSignatures: ['/validator-service', 'is refused before'],
  readDashboard: ['/dashboard', 'needs the database'],
  checkHealth: ['/health-check', 'reports'],
  checkLiveness: ['/live', 'answers'],
  checkReadiness: ['/ready', 'answers'],
  readMetrics: ['/metrics', 'answers'],
  showAuthorization: [authorize, 'needs the database'],
  answerAuthorization: [
    '/oauth/authorize',
    'needs the database',
    () => ({ fields: { request: shownRequest, decision: 'allow', username: '11144477735', password: '123456' } }),
  ],
  // Of a single instance: its requests are in memory, and an unknown one has ended.
  awaitAuthorization: ['/oauth/authorize/waiting?request=unknown', 'is refused before'],
  issueToken: [
    '/oauth',
    'needs the database',
    () => ({ fields: { grant_type: 'client_credentials', ...credentials() } }),
  ],
  revokeToken: ['/oauth/revoke', 'needs the database', () => ({ fields: { token: accessToken, ...credentials() } })],
  introspectToken: [
    '/oauth/introspect',
    'needs the database',
    () => ({ fields: { token: accessToken, ...credentials() } }),
  ],
  pushRequest: [
    '/oauth/par',
    'needs the database',
    () => ({ fields: { response_type: 'code', redirect_uri: redirect, state: 's', ...credentials() } }),
  ],
  describeServer: ['/.well-known/oauth-authorization-server', 'answers'],
  readCertificateInformation: ['/certificate/info', 'needs the database', () => ({ headers: bearer() })],
  registerApplication: [
    '/v0/oauth/application',
    'needs the database',
    () => ({ json: { name: 'Other', comments: 'c', email: 'a@b.example', redirect_uris: [redirect] } }),
  ],
  readApplication: [() => `/applications/${client.id}`, 'needs the database'],
  changeApplication: [
    () => `/applications/${client.id}`,
    'needs the database',
    () => ({ json: { limits: { documents_per_day: 9 } } }),
  ],
  addWebhook: [hooks(), 'needs the database', withBasic(hook)],
  listWebhooks: [hooks(), 'needs the database', withBasic()],
  readWebhook: [hooks('/wh_1'), 'needs the database', withBasic()],
  changeWebhook: [hooks('/wh_1'), 'needs the database', withBasic(hook)],
  removeWebhook: [hooks('/wh_1'), 'needs the database', withBasic()],
  rotateWebhook: [hooks('/wh_1/rotate'), 'needs the database', withBasic({})],
  testWebhook: [hooks('/wh_1/test'), 'needs the database', withBasic()],
  listDeliveries: [hooks('/wh_1/deliveries'), 'needs the database', withBasic()],
  redeliverWebhook: [hooks('/wh_1/deliveries/d_1/redeliver'), 'needs the database', withBasic()],
  addUser: ['/user', 'needs the database', () => ({ fields: { username: '11144477735', password: '123456' } })],
  listUsers: ['/user', 'needs the database'],
  removeUser: ['/user/1', 'needs the database'],
  readSelectedUser: ['/selected-user', 'needs the database'],
  changeSelectedUser: ['/selected-user', 'needs the database', () => ({ fields: { username: '11144477735' } })],
  listSelectedUserCertificates: ['/selected-user/certificates', 'needs the database'],
  registerComputer: ['/application', 'needs the database', () => ({ fields: { client_name: 'This computer' } })],
  readComputer: ['/application', 'needs the database'],
  changeComputer: ['/application', 'needs the database', () => ({ fields: { client_name: 'That computer' } })],
  discover: ['/.well-known/sinete', 'answers'],
  readOpenApi: ['/openapi.json', 'answers'],
  readClient: ['/client.js', 'answers'],
  showHome: ['/', 'answers'],
  showDocs: ['/docs', 'answers'],
  showGuide: ['/docs/guide/', 'answers'],
  showProblem: ['/problems/BUSY', 'answers'],
  readDocsAsset: ['/docs/swagger-ui.css', 'answers'],
  showUi: ['/ui', 'answers'],
  readUiAsset: ['/ui/assets/none.js', 'is refused before'],
  openUiSession: ['/ui/session', 'is refused before', () => ({ json: {} })],
  issueUiLink: ['/ui/links', 'is refused before'],
  callUi: ['/ui/rpc', 'is refused before', () => ({ json: {} })],
  readUiEvents: ['/ui/events', 'is refused before'],
  sendUiDocument: ['/ui/documents/x', 'is refused before'],
  sendUiFile: ['/ui/files', 'is refused before'],
};

/** A form with one document; the boundary is that of `send`. */
function form(): { readonly headers: Readonly<Record<string, string>> } {
  return { headers: { 'Content-Type': 'multipart/form-data; boundary=b' } };
}

const upload = '--b\r\nContent-Disposition: form-data; name="document[0]"; filename="a.txt"\r\n\r\ntext\r\n--b--\r\n';

async function send(operation: OperationId): Promise<PlainAnswer> {
  const [path, , sent = () => ({})] = rows[operation];
  const method = (routes.find((route) => route.operation === operation)?.method ?? 'get').toUpperCase();
  const target = typeof path === 'string' ? path : path();
  if (operation !== 'uploadDocuments') return instance.send(method, target, sent());
  return plainRequest({ port: instance.port }, { method, path: target, ...form(), body: upload });
}

describe('every route while PostgreSQL is away', () => {
  it.each(Object.keys(rows) as OperationId[])('is as its row says: %s', async (operation) => {
    const [, outcome] = rows[operation];
    const { status, headers, body } = await send(operation);
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
