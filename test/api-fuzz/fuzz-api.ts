/** Fuzzes a real instance by its own OpenAPI document: every operation, with good and broken requests. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { writeTextPdf } from '../../src/app/demo/write-text-pdf.ts';
import type { Configuration } from '../../src/app/config/config.ts';
import { startRealInstance, type RealInstance } from '../interface/real-instance.ts';
import type { BodyContext } from './bodies.ts';
import { goodRequests, isSuccess, type GoodParts } from './good-requests.ts';
import { faultsOf } from './judge.ts';
import { readInterface, type Interface, type Operation } from './operations.ts';
import { exchange } from './raw-exchange.ts';
import { requestFor, type FuzzRequest } from './requests.ts';
import { plantedSecret, type KnownValues } from './values.ts';

/** How much is tried. */
export interface ApiFuzzRun {
  readonly seed: number;
  /** Requests for each operation. */
  readonly requests: number;
  /** Milliseconds for each operation after which no more requests are begun. */
  readonly patience: number;
}

/** One operation's outcome: the fault, with seed and smallest request, or nothing. */
export interface OperationReport {
  readonly operation: string;
  readonly requests: number;
  /** How often each status was answered. */
  readonly statuses: Readonly<Record<string, number>>;
  readonly failure: string | undefined;
}

/** An instance with a key, a person, an application and transactions, ready to be fuzzed. */
export interface FuzzedInstance {
  readonly operations: readonly Operation[];
  /** Sends a good request for each operation, in an order of its own: the faults of the answers. Call it once. */
  succeed(): Promise<readonly string[]>;
  fuzz(operation: Operation, run: ApiFuzzRun): Promise<OperationReport>;
  /** Finds damage to the instance: unhealthy, unable to sign, or with unexpected lines in its log. */
  aftermath(): Promise<readonly string[]>;
  stop(): Promise<void>;
}

const username = '11144477735';
/** The certificate of the first person's test identity. */
const alias = `ANA LIMA:${username}`;
const otherUsername = '52998224725';
const redirectUri = 'https://portal.example/back';

export async function openFuzzedInstance(): Promise<FuzzedInstance> {
  const home = await mkdtemp(join(tmpdir(), 'sinete-api-fuzz-'));
  const instance = await startRealInstance({ ...settings, logLevel: 'debug' });
  const { port } = instance;
  const { known, good } = await prepare(instance, home);
  const document = await instance.send('GET', '/openapi.json');
  const { operations: all, resolve } = readInterface(document.content);
  // A stream of events does not end by itself; streams have tests of their own.
  const operations = all.filter(({ answers }) => answers.get(200)?.bodies.has('text/event-stream') !== true);
  const samples = [
    Buffer.from('text'),
    writeTextPdf({ title: 'Fuzz', paragraphs: ['A text.'], footer: '' }, new Date(0)),
    Buffer.alloc(150_000, 1),
    Buffer.alloc(0),
  ];
  const context: BodyContext = { known, samples, resolve };
  const { dataFolder } = instance.sinete.core;
  const forbiddenAt = ({ id }: Operation): readonly string[] => [
    process.cwd(),
    'node_modules',
    // The answer to a registration contains the secret, possibly chosen by the client.
    ...(id === 'registerApplication' ? [] : [plantedSecret]),
    // The health check tells the disk of the data folder by its path.
    ...(id === 'checkHealth' ? [] : [dataFolder]),
  ];
  return {
    operations,
    succeed: async () => succeed(operations, good, forbiddenAt),
    fuzz: async (operation, run) =>
      fuzz(port, { operation, operations, context, forbidden: forbiddenAt(operation) }, run),
    aftermath: async () => [...(await healthFaults(instance)), ...(await logFaults(dataFolder, known))],
    stop: async () => {
      await instance.stop();
      await rm(home, { recursive: true });
    },
  };
}

/** Fields of a create request; its answer is the whole transaction with its signatures. */
const kept = { mode: 'sync', return_signature: true };

const settings: Partial<Configuration> = {
  approve: 'all',
  metrics: true,
  signing: { syncTimeout: 1, uploadTimeout: 3600, lifetime: 3600, refuseRevoked: false },
  limits: {
    documentSize: 100_000,
    documents: 20,
    freeSpace: 0,
    databaseCopies: 0,
    jsonBody: 300_000,
    requestTimeout: 15,
  },
};

interface Target {
  readonly operation: Operation;
  readonly operations: Interface['operations'];
  readonly context: BodyContext;
  readonly forbidden: readonly string[];
}

async function fuzz(
  port: number,
  { operation, operations, context, forbidden }: Target,
  { seed, requests, patience }: ApiFuzzRun,
): Promise<OperationReport> {
  const statuses: Record<string, number> = {};
  const shape = (path: string): string => path.replaceAll(/\{\w+\}/g, '*');
  const methods = new Set(
    operations.filter(({ path }) => shape(path) === shape(operation.path)).map((one) => one.method),
  );
  const property = fc.asyncProperty(requestFor(operation, methods, context), async (request) => {
    const answer = await exchange(port, request);
    statuses[answer.status] = (statuses[answer.status] ?? 0) + 1;
    if (isOfAnother(operation, operations, request.target)) return;
    const faults = faultsOf(operation, request, answer, forbidden);
    if (faults.length > 0) throw new Error(faults.join('\n'));
  });
  const details = await fc.check(property, {
    seed,
    numRuns: requests,
    interruptAfterTimeLimit: patience,
    markInterruptAsFailure: false,
    ignoreEqualValues: false,
  });
  // Out of time before the first request is done, there is a failure without an example.
  const hasFailed = details.failed && details.counterexample !== null;
  const failure = hasFailed ? describeFailure(operation, details) : undefined;
  return { operation: operation.id, requests: details.numRuns, statuses, failure };
}

/** Whether a target with an empty last part, `/a/`, is the address of a shorter operation, `/a`. */
function isOfAnother(operation: Operation, operations: readonly Operation[], target: string): boolean {
  const [path = ''] = target.split('?');
  const parts = path.split('/');
  if (parts.at(-1) !== '' || parts.length !== operation.path.split('/').length) return false;
  const shorter = parts.slice(0, -1);
  return operations.some((one) => {
    const names = one.path.split('/');
    return names.length === shorter.length && names.every((name, at) => name.startsWith('{') || name === shorter[at]);
  });
}

function describeFailure({ id }: Operation, details: fc.RunDetails<[FuzzRequest]>): string {
  const smallest = details.counterexample?.[0] ?? {};
  const text = JSON.stringify(smallest, (name, value: unknown) => readable(name, value));
  const { errorInstance: error } = details;
  const why = error instanceof Error ? error.message : String(error);
  return `${id}, seed ${details.seed}, path ${details.counterexamplePath ?? ''}: ${why}\n${text.slice(0, 2000)}`;
}

function readable(_name: string, value: unknown): unknown {
  const { type, data } = (value ?? {}) as { readonly type?: unknown; readonly data?: unknown };
  return type === 'Buffer' ? Buffer.from(data as number[]).toString('latin1') : value;
}

async function succeed(
  operations: readonly Operation[],
  good: GoodParts,
  forbiddenAt: (operation: Operation) => readonly string[],
): Promise<readonly string[]> {
  const requests = goodRequests(good, operations);
  const faults = operations
    .filter(({ id }) => !requests.has(id))
    .map(({ id }) => `${id}: add a good request to test/api-fuzz/good-requests.ts.`);
  for (const [id, send] of requests) {
    const operation = operations.find((one) => one.id === id);
    if (operation === undefined) {
      faults.push(`${id} is no operation.`);
      continue;
    }
    const sent = await send().catch((error: unknown) => String(error));
    if (typeof sent === 'string') {
      faults.push(`${id}, asked well: ${sent}`);
      continue;
    }
    const [request, answer] = sent;
    const asked = { ...request, isOtherMethod: false, isBrokenOnTheWire: false };
    const wrong = faultsOf(operation, asked, answer, forbiddenAt(operation));
    const remedy = 'Show a request that succeeds, or add one to test/api-fuzz/good-requests.ts.';
    const success = isSuccess(operation, answer.status)
      ? []
      : [`${answer.status} ${answer.body.slice(0, 300)} ${remedy}`];
    faults.push(...[...wrong, ...success].map((fault) => `${id}, asked well: ${fault}`));
  }
  return faults;
}

/** Values known to a client, by field name, for good requests. */
interface Prepared {
  readonly known: KnownValues;
  readonly good: GoodParts;
}

async function prepare(instance: RealInstance, home: string): Promise<Prepared> {
  const { core } = instance.sinete;
  await core.testIdentities.make({ name: 'ANA LIMA', cpf: username });
  const [firstCode = '', secondCode = '', ...moreCodes] = await instance.enrol('Ana Lima', username);
  const [otherCode = ''] = await instance.enrol('Bia Souza', otherUsername);
  const application = { name: 'Portal', comments: 'x', email: 'a@b.example', redirectUris: [redirectUri] };
  const registered = await core.applications.register(application);
  const { clientId } = registered.application;
  const { clientSecret } = registered;
  const grant = { username, clientId, scopes: ['certificate_info', 'signature_session'], lifetime: 3600 } as const;
  const { accessToken } = await core.authorization.issueToken(grant);
  const source = join(home, 'source.txt');
  await writeFile(source, 'content');
  const signed = await create(instance, { documents_source: 'DATA_URL', documents: ['data:,signed'], ...kept });
  const waiting = await Promise.all(Array.from({ length: 14 }, async () => create(instance, {})));
  const [one = '', two = '', three = '', four = '', ...others] = waiting;
  const known: KnownValues = {
    tcn: [signed, signed, ...others, 'AAAAAAAAAAAAAAAAAAAAAAAAAA'],
    document_id: ['0', '1'],
    signature_setting: ['default', 'other', ''],
    eot: ['eot', 'continue'],
    documents_source: ['DATA_URL', 'DATA_URL', 'DATA_URL', 'FILE_PATH', 'UPLOAD_REFERENCE', 'STORE_A_S3'],
    // Every path sent is inside this folder or cannot be written beside, because results go beside their source.
    data: ['data:,text', `data:text/plain;base64,${Buffer.from('x').toString('base64')}`, source, home, '/dev/zero'],
    destination_file_name: [join(home, 'result.p7s'), 'result.p7s', join(home, 'no', 'folder')],
    certificate_alias: [alias, 'ANA LIMA', 'nobody'],
    notification_callback: ['http://127.0.0.1:9/hook', 'http://10.0.0.1/', 'ftp://x', 'https://u:p@127.0.0.1:9/'],
    // Values to forget soon.
    wait: ['0', '0.2', '-1', '61', '1e3', ''],
    id: ['1', '2', '99999999999999999999'],
    client_id: [clientId, 'nobody'],
    username: [username, '1'],
    redirect_uri: [redirectUri, 'https://other.example/'],
    access_token: [accessToken],
    // One-time passwords of the first person; each works for a single authentication.
    password: moreCodes,
    client_secret: [clientSecret],
    grant_type: ['client_credentials', 'password'],
    redirect_uris: [redirectUri],
    email: ['help@portal.example'],
    policy: ['none', 'B-B', 'AD-RB', 'B-T'],
    scope: ['certificate_info', 'signature_session x', ''],
  };
  const people = [
    { username, code: firstCode },
    { username: otherUsername, code: otherCode },
  ] as const;
  const added = { fields: { username, password: secondCode } };
  if ((await instance.send('POST', '/user', added)).status !== 201) throw new Error('Nobody could be added.');
  const client = { id: clientId, secret: clientSecret, redirectUri };
  const approval = await prepareApproval(instance, client);
  return {
    known,
    good: { instance, client, accessToken, approval, people, signed, waiting: [one, two, three, four] },
  };
}

/**
 * A transaction of the application waiting for a person, and a token of the person, given by the authorize page. The
 * instance approves every transaction by itself, so the store is told of an approval needed here.
 */
async function prepareApproval(
  instance: RealInstance,
  { id, secret }: GoodParts['client'],
): Promise<GoodParts['approval']> {
  const { authorization, storage } = instance.sinete.core;
  const Authorization = `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`;
  const transaction = await create(instance, { certificate_alias: alias }, { Authorization });
  const change = storage.database.updateTable('transactions').set({ approval: 'required' });
  await change.where('tcn', '=', transaction).execute();
  const content = new FormData();
  content.set('document', new Blob(['text']), 'a.txt');
  const address = `http://127.0.0.1:${instance.port}/file-transfer/${transaction}/eot/default`;
  const uploaded = await fetch(address, { method: 'POST', body: content });
  if (!uploaded.ok) throw new Error(`A transaction could not be prepared: ${await uploaded.text()}`);
  const grant = {
    clientId: id,
    username,
    redirectUri,
    redirectUriGiven: false,
    scopes: ['single_signature'] as const,
    codeChallenge: undefined,
    lifetime: undefined,
  };
  const ofHashes = { ...grant, scopes: ['signature_session'] as const, hashes: { most: 100 } };
  const tokens: string[] = [];
  for (const asked of [grant, ofHashes]) {
    const code = await authorization.issueCode(asked);
    await authorization.spendCode(code);
    tokens.push((await authorization.issueForCode(code, asked)).accessToken);
  }
  const [accessToken = '', hashToken = ''] = tokens;
  return { accessToken, hashToken, transaction };
}

async function create(instance: RealInstance, fields: object, headers = {}): Promise<string> {
  const json = { type: 'CAdES-detached', documents_source: 'UPLOAD_REFERENCE', ...fields };
  const answer = await instance.send('POST', '/signature-service', { json, headers });
  if (answer.status !== 201) throw new Error(`A transaction could not be prepared: ${answer.body}`);
  return String(answer.content.tcn);
}

async function healthFaults(instance: RealInstance): Promise<readonly string[]> {
  const health = await instance.send('GET', '/health-check?full=true');
  const signing = { type: 'CAdES-attached', documents_source: 'DATA_URL', documents: ['data:,after'], mode: 'sync' };
  const answer = await instance.send('POST', '/signature-service', { json: signing });
  const tcn = String(answer.content.tcn);
  const view = await instance.sinete.core.transactions.query(tcn, { waitSeconds: 20 });
  return [
    ...(health.status === 200 ? [] : [`The instance is not well: ${health.body}`]),
    ...(view.status === 'SIGNED' ? [] : [`Signing does not work afterwards: ${answer.body}`]),
    ...(Object.hasOwn(Object.prototype, 'isAdmin') ? ['The prototype of all objects was changed.'] : []),
  ];
}

async function logFaults(dataFolder: string, known: KnownValues): Promise<readonly string[]> {
  const log = await readFile(join(dataFolder, 'sinete.log'), 'utf8');
  const named = ['access_token', 'tcn', 'password', 'client_secret'].flatMap((name) => known[name] ?? []);
  const secrets = [plantedSecret, username, otherUsername, ...named];
  const lines = log.split('\n');
  const shown = lines.filter((line) => secrets.some((secret) => line.includes(secret)));
  const failures = lines.filter((line) => line.includes('"level":50'));
  return [
    ...shown.slice(0, 3).map((line) => `The log shows a secret: ${line.slice(0, 300)}`),
    ...failures.slice(0, 3).map((line) => `The log tells of a failure: ${line.slice(0, 800)}`),
  ];
}
