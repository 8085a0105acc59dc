/** One request for each operation, like from a client with the right things at hand, to judge success too. */
import { routes, type Route } from '../../src/http/routes.ts';
import { exampleRequest } from '../http/example-request.ts';
import type { RealInstance } from '../interface/real-instance.ts';
import type { Operation } from './operations.ts';
import { exchange, type RawAnswer, type RawRequest } from './raw-exchange.ts';

/** The instance and values needed by good requests. */
export interface GoodParts {
  readonly instance: RealInstance;
  /** Credentials of a confidential application, and its first redirect address. */
  readonly client: { readonly id: string; readonly secret: string; readonly redirectUri: string };
  readonly accessToken: string;
  /** `hashToken` permits hashes. A token approving in the person's name, and a transaction of the application waiting for this approval. */
  readonly approval: { readonly accessToken: string; readonly transaction: string; readonly hashToken: string };
  /** Two people, each with an unused recovery code. */
  readonly people: readonly [PersonWithCode, PersonWithCode];
  /** TCN of a finished transaction with a single kept document. */
  readonly signed: string;
  /** Transactions waiting for documents. */
  readonly waiting: readonly [string, string, string, string];
}

export interface PersonWithCode {
  readonly username: string;
  readonly code: string;
}

type Send = () => Promise<readonly [RawRequest, RawAnswer]>;

/**
 * By the name of the operation. The requests depend on each other: send all in this order, once. An operation without a
 * row here gets the request shown in its description, before all rows.
 */
export function goodRequests(parts: GoodParts, operations: readonly Operation[]): ReadonlyMap<string, Send> {
  const { instance, client, accessToken, approval, signed, waiting } = parts;
  const [first, second] = parts.people;
  const send = async (request: RawRequest): Promise<readonly [RawRequest, RawAnswer]> => [
    request,
    await exchange(instance.port, request),
  ];
  const bare =
    (method: string, target: string, headers: RawRequest['headers'] = []) =>
    async () =>
      send({ method, target, headers, body: Buffer.alloc(0) });
  const get = (target: string, headers: RawRequest['headers'] = []) => bare('GET', target, headers);
  const json = (method: string, target: string, value: unknown) => async () =>
    send({ method, target, headers: [['Content-Type', 'application/json']], body: Buffer.from(JSON.stringify(value)) });
  const form = (method: string, target: string, fields: Readonly<Record<string, string>>) => async () =>
    send({
      method,
      target,
      headers: [['Content-Type', 'application/x-www-form-urlencoded']],
      body: Buffer.from(new URLSearchParams(fields).toString()),
    });
  const multipart = (target: string, fields: readonly FormPart[]) => async () => send(multipartRequest(target, fields));
  const credentials = { client_id: client.id, client_secret: client.secret };
  const shown = authorizeTarget(client);
  const credentialsOf = ({ username, code }: PersonWithCode) => ({ username, password: code });
  const requests: readonly (readonly [string, Send])[] = [
    ['createTransaction', json('POST', '/signature-service', finished)],
    ['uploadDocuments', multipart(`/file-transfer/${waiting[0]}/eot/default`, [['document', 'a.txt', 'text']])],
    ['uploadMoreDocuments', multipart(`/file-transfer/${waiting[1]}`, [['document[0]', 'a.txt', 'text']])],
    ['uploadToOnlySetting', multipart(`/file-transfer/${waiting[2]}/eot`, [['document', 'a.txt', 'text']])],
    ['cancelTransaction', bare('DELETE', `/signature-service/${waiting[3]}`)],
    [
      'authorizeTransaction',
      bare('POST', `/signature-service/${approval.transaction}/authorize`, bearer(approval.accessToken)),
    ],
    ['checkHealth', get('/health-check?full=true')],
    ['validateSignatures', async () => validate(send, instance, signed)],
    ['showAuthorization', get(shown)],
    ['answerAuthorization', async () => send(await answerRequest(instance, shown, first))],
    ['awaitAuthorization', async () => send(await waitRequest(instance, shown))],
    ['pushRequest', form('POST', '/oauth/par', { ...pushed(client), ...credentials })],
    ['issueToken', form('POST', '/oauth', { grant_type: 'client_credentials', ...credentials })],
    ['revokeToken', form('POST', '/oauth/revoke', { token: 'unknown', ...credentials })],
    ['discoverPscCertificates', get('/v0/oauth/certificate-discovery', bearer(approval.accessToken))],
    ['signPscHashes', async () => send(signHash(approval.hashToken))],
    ['registerApplication', json('POST', '/v0/oauth/application', registration(client.redirectUri))],
    ['changeApplication', json('PUT', `/applications/${client.id}`, { limits: { documents_per_day: 1000 } })],
    ...webhookRequests(send, instance, client),
    ['addUser', form('POST', '/user', credentialsOf(second))],
    ['changeSelectedUser', form('PUT', '/selected-user', { username: second.username })],
    ['removeUser', async () => removeUser(send, instance, second.username)],
    ['registerComputer', form('POST', '/application', { client_name: 'This computer' })],
    ['readComputer', get('/application')],
    ['changeComputer', form('PUT', '/application', { client_name: 'That computer' })],
  ];
  const named = new Set(requests.map(([id]) => id));
  const byName = { tcn: signed, tcns: [signed], clientId: client.id, token: accessToken, ...credentials };
  const asked = new Set(operations.map(({ id }) => id).filter((id) => !named.has(id)));
  const described = routes.filter(({ id }) => asked.has(id));
  const shownOf = (route: Route): Send => {
    const { method, path, headers, body } = exampleRequest(route, { byName, application: client, accessToken });
    return async () => send({ method, target: path, headers: Object.entries(headers), body: Buffer.from(body) });
  };
  return new Map([...described.map((route) => [route.id, shownOf(route)] as const), ...requests]);
}

/** A hash to sign with a person's token. */
function signHash(token: string): RawRequest {
  const hash = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad';
  const body = Buffer.from(JSON.stringify({ hashes: [{ id: '1', hash }] }));
  const headers: RawRequest['headers'] = [['Content-Type', 'application/json'], ...bearer(token)];
  return { method: 'POST', target: '/v0/oauth/signature', headers, body };
}

/** Requests for a webhook endpoint of the application, from its registration to its end. */
function webhookRequests(
  send: SendRaw,
  instance: RealInstance,
  { id, secret }: GoodParts['client'],
): readonly (readonly [string, Send])[] {
  const Authorization = `Sinete ${Buffer.from(`${id}:${secret}`).toString('base64')}`;
  const headers = { Authorization };
  const all = `/applications/${id}/webhooks`;
  const settings = { url: 'https://hooks.example/sinete', events: ['transaction.signed'] };
  const ask = (method: string, target: string, value?: object): ReturnType<Send> => {
    const type: RawRequest['headers'] = value === undefined ? [] : [['Content-Type', 'application/json']];
    const body = Buffer.from(value === undefined ? '' : JSON.stringify(value));
    return send({ method, target, headers: [['Authorization', Authorization], ...type], body });
  };
  const endpoint = async (): Promise<string> => {
    const { content } = await instance.send('GET', all, { headers });
    const [first] = content.webhooks as readonly { readonly id: string }[];
    return `${all}/${first?.id ?? ''}`;
  };
  /** A delivery of a transaction signed by the application. */
  const delivery = async (): Promise<string> => {
    await instance.send('POST', '/signature-service', { json: finished, headers });
    const place = `${await endpoint()}/deliveries`;
    const { content } = await instance.send('GET', place, { headers });
    const [first] = content.deliveries as readonly { readonly id: string }[];
    return `${place}/${first?.id ?? ''}`;
  };
  return [
    ['addWebhook', async () => ask('POST', all, settings)],
    ['listWebhooks', async () => ask('GET', all)],
    ['readWebhook', async () => ask('GET', await endpoint())],
    ['changeWebhook', async () => ask('PUT', await endpoint(), settings)],
    ['rotateWebhook', async () => ask('POST', `${await endpoint()}/rotate`, {})],
    ['testWebhook', async () => ask('POST', `${await endpoint()}/test`)],
    ['listDeliveries', async () => ask('GET', `${await endpoint()}/deliveries`)],
    ['redeliverWebhook', async () => ask('POST', `${await delivery()}/redeliver`)],
    ['removeWebhook', async () => ask('DELETE', await endpoint())],
  ];
}

/** Whether an answer tells success, documented as such. */
export function isSuccess({ answers }: Operation, status: number): boolean {
  return status >= 200 && status < 400 && answers.has(status);
}

/** A create request signed before its answer. */
const finished = {
  type: 'CAdES-attached',
  documents_source: 'DATA_URL',
  documents: ['data:,text'],
  mode: 'sync',
};

const registration = (redirectUri: string): object => ({
  name: 'Archive',
  comments: 'Contracts',
  email: 'help@archive.example',
  redirect_uris: [redirectUri],
});

const pushed = ({ redirectUri }: GoodParts['client']): Readonly<Record<string, string>> => ({
  response_type: 'code',
  redirect_uri: redirectUri,
  state: 's',
});

const authorizeTarget = ({ id, redirectUri }: GoodParts['client']): string =>
  `/oauth/authorize?${new URLSearchParams({ response_type: 'code', client_id: id, redirect_uri: redirectUri }).toString()}`;

/** The id in the form on the page of a request to authorize. */
async function shownRequest(instance: RealInstance, shown: string): Promise<string> {
  const { body } = await instance.send('GET', shown);
  const found = /name="request" value="([^"]+)"/.exec(body)?.[1];
  if (found === undefined) throw new Error(`The page has no form: ${body.slice(0, 300)}`);
  return found;
}

async function answerRequest(
  instance: RealInstance,
  shown: string,
  { username, code }: PersonWithCode,
): Promise<RawRequest> {
  const request = await shownRequest(instance, shown);
  const fields = new URLSearchParams({ request, username, password: code, decision: 'allow' });
  return {
    method: 'POST',
    target: '/oauth/authorize',
    body: Buffer.from(fields.toString()),
    headers: [['Content-Type', 'application/x-www-form-urlencoded']],
  };
}

async function waitRequest(instance: RealInstance, shown: string): Promise<RawRequest> {
  const request = await shownRequest(instance, shown);
  const target = `/oauth/authorize/waiting?request=${encodeURIComponent(request)}`;
  return { method: 'GET', target, headers: [], body: Buffer.alloc(0) };
}

async function validate(send: SendRaw, instance: RealInstance, signed: string): ReturnType<Send> {
  const { content } = await instance.send('GET', `/signature-service/${signed}`);
  return send(
    multipartRequest('/validator-service', [
      ['type', undefined, 'CAdES'],
      ['signature', 'a.p7s', Buffer.from(signatureOf(content), 'base64')],
      ['document', 'a', 'signed'],
    ]),
  );
}

/** TCN of a transaction created with `return_signature`. */
function signatureOf(content: Readonly<Record<string, unknown>>): string {
  const [document] = content.documents as readonly { readonly signature?: string }[];
  return document?.signature ?? '';
}

async function removeUser(send: SendRaw, instance: RealInstance, username: string): ReturnType<Send> {
  const { content } = await instance.send('GET', '/user');
  const users = content.users as readonly { readonly id: number; readonly username: string }[];
  const id = users.find((user) => user.username === username)?.id;
  return send({ method: 'DELETE', target: `/user/${String(id)}`, headers: [], body: Buffer.alloc(0) });
}

const bearer = (accessToken: string): RawRequest['headers'] => [['Authorization', `Bearer ${accessToken}`]];

type SendRaw = (request: RawRequest) => ReturnType<Send>;

/** Field, file name of a file, content. */
type FormPart = readonly [name: string, fileName: string | undefined, content: Buffer | string];

function multipartRequest(target: string, parts: readonly FormPart[]): RawRequest {
  const boundary = 'good-boundary';
  const bytes = parts.flatMap(([name, fileName, content]) => {
    const file = fileName === undefined ? '' : `; filename="${fileName}"`;
    const head = `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${file}\r\n\r\n`;
    return [Buffer.from(head), typeof content === 'string' ? Buffer.from(content) : content, Buffer.from('\r\n')];
  });
  return {
    method: 'POST',
    target,
    headers: [['Content-Type', `multipart/form-data; boundary=${boundary}`]],
    body: Buffer.concat([...bytes, Buffer.from(`--${boundary}--\r\n`)]),
  };
}
