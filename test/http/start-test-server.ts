import { mkdtemp, rm } from 'node:fs/promises';
import { request as httpRequest, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildServers, type HttpDependencies } from '../../src/http/build-server.ts';
import type { Listener } from '../../src/http/listeners/listener.ts';
import type { RequestEntry } from '../../src/http/request-log.ts';
import { UiSessions } from '../../src/http/ui/sessions.ts';
import type { Webhooks } from '../../src/service/notifications/index.ts';
import type { Assistant } from '../../src/service/assistant/index.ts';
import type { CallHandlers, UiEvent } from '../../src/ui-contract/ui-contract.ts';
import { FakeTransactions } from './fake-transactions.ts';
import { nobody } from './nobody.ts';

const docsFolder = fileURLToPath(new URL('../../docs', import.meta.url));

/** A server with a fake service behind, on a free port. */
export interface TestServer {
  readonly url: string;
  readonly port: number;
  readonly transactions: FakeTransactions;
  readonly sessions: UiSessions;
  readonly requests: RequestEntry[];
  readonly failures: unknown[];
  readonly spoolFolder: string;
  /** The socket of the local channel. */
  readonly channel: string;
  /** Binds a further listener to loopback, and answers its port. */
  readonly listen: (listener: Listener) => Promise<number>;
  emit(event: UiEvent): void;
  listeners(): number;
  /** Connections that came over TCP. */
  connections(): number;
  stop(): Promise<void>;
}

export async function startTestServer(changes: Partial<HttpDependencies> = {}): Promise<TestServer> {
  const transactions = new FakeTransactions();
  const sessions = new UiSessions(() => new Date());
  const spoolFolder = await mkdtemp(join(tmpdir(), 'sinete-spool-'));
  const requests: RequestEntry[] = [];
  const failures: unknown[] = [];
  const listeners = new Set<(event: UiEvent) => void>();
  const handlers = fakeHandlers();
  const { server, channel, forListener } = buildServers({
    transactions,
    readHealth: async () => Promise.resolve({ status: 'OK', messages: ['Everything is well.'] }),
    staleTrust: async () => Promise.resolve([]),
    bridge: {
      sessions,
      handlers: { 'user-interface': handlers, 'command-line': handlers },
      onEvent: (listener) => {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
      onFailure: (error) => failures.push(error),
    },
    receiveUiFile: async () => Promise.reject(new Error('No file is taken here.')),
    peerUser: { identify: async () => Promise.resolve('same-user') },
    consent: noConsent,
    assistant: {} as Assistant,
    validator: { validate: async () => Promise.reject(new Error('Nothing is validated here.')) },
    webhooks: {} as Webhooks,
    identity: nobody(),
    product: { name: 'Sinete', version: '0.1.0', instance: 'test' },
    rendererFolder: join(spoolFolder, 'renderer'),
    clientFolder: join(spoolFolder, 'client'),
    guide: { pages: docsFolder, site: join(spoolFolder, 'site') },
    limits: {
      documentSize: 1_000_000,
      documents: 5,
      spoolFolder,
      jsonBody: 10_000,
      requestTimeout: 60_000,
    },
    log: { request: (entry) => requests.push(entry), failure: (_id, error) => failures.push(error) },
    now: () => new Date('2026-01-02T03:04:05Z'),
    ...changes,
  });
  let connections = 0;
  server.on('connection', () => (connections += 1));
  const port = await listen(server);
  const further: Server[] = [];
  // Apart from the spool folder, expected to be empty by tests.
  const channelFolder = await mkdtemp(join(tmpdir(), 'sinete-channel-'));
  // Windows has named pipes instead of sockets in folders.
  const isWindows = process.platform === 'win32';
  const channelPath = isWindows ? `\\\\.\\pipe\\${basename(channelFolder)}` : join(channelFolder, 'channel.sock');
  await new Promise<void>((resolve, reject) => channel.once('error', reject).listen(channelPath, resolve));
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    transactions,
    sessions,
    requests,
    failures,
    spoolFolder,
    channel: channelPath,
    listen: async (listener) => {
      const one = forListener(listener);
      further.push(one);
      return listen(one);
    },
    emit: (event) => {
      for (const listener of listeners) listener(event);
    },
    listeners: () => listeners.size,
    connections: () => connections,
    stop: async () => {
      const all = [server, channel, ...further];
      for (const one of all) one.closeAllConnections();
      await Promise.all(all.map(async (one) => new Promise((resolve) => one.close(resolve))));
      await Promise.all([spoolFolder, channelFolder].map(async (folder) => rm(folder, { recursive: true })));
    },
  };
}

/** A raw answer, without the additions or omissions of a friendly client. */
export interface PlainAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

/** Sends exactly these headers; `fetch` would choose some headers itself. */
export async function plainRequest(
  server: Pick<TestServer, 'port'>,
  options: {
    readonly method?: string;
    readonly path: string;
    readonly headers?: Readonly<Record<string, string>>;
    readonly body?: string | Buffer;
    /** Through this socket instead of TCP. */
    readonly channel?: string;
  },
): Promise<PlainAnswer> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      {
        ...(options.channel === undefined ? { host: '127.0.0.1', port: server.port } : { socketPath: options.channel }),
        path: options.path,
        method: options.method ?? 'GET',
        headers: options.headers ?? {},
        agent: false,
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const body = Buffer.concat(chunks).toString('utf8');
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body });
        });
      },
    );
    request.on('error', reject);
    request.end(options.body);
  });
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

/** No site is let in, and nobody can be asked. */
const noConsent: HttpDependencies['consent'] = {
  scopesOf: () => undefined,
  grantOf: async () => Promise.resolve(undefined),
  request: async () => Promise.resolve('nobody-to-ask'),
  fileGrants: () => [],
  countFileUse: async () => Promise.resolve(),
};

/** Handlers, only a few needed by a test; the others refuse. */
function fakeHandlers(): CallHandlers {
  const known: Partial<CallHandlers> = {
    'certificates.list': async () => Promise.resolve([]),
    'certificates.remove': async () => Promise.reject(new Error('/home/maria/secret-path')),
  };
  return known as CallHandlers;
}
