import { randomBytes } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { buildServers, type HttpDependencies, type HttpLimits, type Servers } from '../../http/build-server.ts';
import type { Life } from '../../http/life.ts';
import { InstanceProof } from '../../http/peer/instance-proof.ts';
import { connectionLimits, readDescriptorLimit } from '../../http/peer/limit-connections.ts';
import { openPeerUser } from '../../http/peer/peer-user.ts';
import { answerCall, callError, isCallName, linkOf } from '../../http/ui/bridge.ts';
import { UiSessions, type UiCaller } from '../../http/ui/sessions.ts';
import { PushedRequests } from '../../service/authorization/index.ts';
import type { CallHandlers, CallResult, UiEvent } from '../../ui-contract/ui-contract.ts';
import { closeServer, endInOrder, OpenRequests } from './drain.ts';
import { ApiPause, Drain, readinessOf } from './readiness.ts';
import { AppError } from '../app-error.ts';
import { compareClock } from '../doctor/gather-facts.ts';
import { healthBody } from '../doctor/health.ts';
import { readStaleTrust } from '../evidence/evidence.ts';
import { removeInstanceFile, writeInstanceFile, type InstanceFile } from './instance-file.ts';
import { openChannel, type OpenChannel } from './channel.ts';
import { identifyFolder, type FolderIdentity } from './folder-identity.ts';
import { asStartFailure, isDiskFull } from './start-failure.ts';
import { openCore, requesters, type Core } from '../compose/open-core.ts';
import type { CoreOptions } from '../compose/open-ground.ts';
import { checkExposure, openListeners, type OpenListener } from './listeners.ts';
import { product } from '../product.ts';
import { buildUiCalls } from '../calls/ui-calls.ts';
import { findPortOwners } from '../doctor/port-owners.ts';
import { digestOfVariables } from '../config/variables.ts';
import { portsToTry } from '../config/usual-ports.ts';
import { sendLocalDocument, type LocalDocument } from '../calls/ui-documents.ts';

/** The folder of the built GUI. */
export const rendererFolder = fileURLToPath(new URL('../../../renderer/dist', import.meta.url));

/** The folder of the built client for web pages. */
export const clientFolder = fileURLToPath(new URL('../../client/dist', import.meta.url));

/** The folders of the documentation. A packaged product has the pages only. */
const docsFolder = fileURLToPath(new URL('../../../docs', import.meta.url));
const guide = { pages: docsFolder, site: join(docsFolder, '../build/site') };

/** A running instance. */
export interface Sinete {
  readonly core: Core;
  /** `http://127.0.0.1:17171`: all four addresses of the interface. */
  readonly baseUrl: string;
  /** The further listeners of the configuration. */
  readonly listeners: readonly OpenListener[];
  /** The table of calls, shared by both bridges. */
  readonly handlers: Readonly<Record<UiCaller, CallHandlers>>;
  /** Controls whether programs and sites are answered. */
  readonly pause: ApiPause;
  /** Runs a call of the desktop's window through its bridge: input is checked, errors are values. */
  callUi(name: string, input: unknown): Promise<CallResult<unknown>>;
  /** Adds a file to a transaction of the desktop's window; errors are values. */
  sendDocument(document: LocalDocument): Promise<CallResult<{ readonly documentId: string }>>;
  /** Uploads a file of the desktop's window for a later call, which names the file by the answer; errors are values. */
  giveFile(name: string, content: Uint8Array): Promise<CallResult<{ readonly upload: string }>>;
  onEvent(listener: (event: UiEvent) => void): () => void;
  /** A link that opens the window once, within ten minutes. */
  issueLink(): string;
  /**
   * Refuses new work, lets signatures and transfers finish within `shutdown_timeout`, and releases the data folder.
   * Answers false if signatures were still running: the data folder stays locked until the process ends, and the next
   * start continues.
   */
  stop(): Promise<boolean>;
}

/** Options for starting an instance. */
export interface StartOptions extends CoreOptions {
  /** Folder of a built GUI to serve instead of the product's own. */
  readonly rendererFolder?: string;
  /** True: a process of root may listen beyond loopback (`--allow-root`). Default: false. */
  readonly allowRoot?: boolean;
  /** Absolute path of the configuration file outside of the data folder, if one was given. */
  readonly configFile?: string;
}

/**
 * Opens the data folder and serves the interface on loopback. A started instance has opened its database, its master
 * key and its port. Rejects with `AppError` or `StorageError`; nothing stays open or bound then.
 */
export async function startSinete(options: StartOptions): Promise<Sinete> {
  try {
    checkExposure(options.configuration, process.geteuid?.() === 0, options.allowRoot ?? false);
    const core = await openCore(options);
    try {
      await core.checkMasterKey();
      core.time.askWhenDoubted(async () => {
        const compared = await compareClock(core);
        if (compared !== undefined) core.time.observe(new Date(Date.now() - compared.ahead));
      });
      return await serve(core, options);
    } catch (error) {
      await core.close();
      throw error;
    }
  } catch (error) {
    throw asStartFailure(error);
  }
}

async function serve(core: Core, options: StartOptions): Promise<Sinete> {
  const instance = randomBytes(16).toString('hex');
  const proofKey = randomBytes(32);
  const folder = await identifyFolder(core.dataFolder);
  const sessions = new UiSessions(core.now);
  let port = 0;
  const baseUrl = (): string => `http://127.0.0.1:${port}`;
  const handlers = {
    'user-interface': buildUiCalls(core, requesters['user-interface'], baseUrl),
    'command-line': buildUiCalls(core, requesters['command-line'], baseUrl),
  };
  const pause = new ApiPause();
  const drain = new Drain();
  const servers = await buildHttpServers(core, {
    instance,
    sessions,
    handlers,
    life: {
      readiness: readinessOf(core, { pause, drain }),
      onEnd: (listener) => drain.onEnd(listener),
    },
    windowFolder: options.rendererFolder ?? rendererFolder,
    proof: new InstanceProof(proofKey),
    folder,
  });
  const listening = await listenForCallers(servers, core);
  ({ port } = listening);
  const noted = new AbortController();
  try {
    const file = { port, pid: process.pid, instance, proofKey: proofKey.toString('base64url'), folder };
    const { configFile } = options;
    const variables = digestOfVariables(process.env);
    const about = { ...file, channel: listening.channel.path, configFile, variables };
    await noteInstance(core, about, noted.signal);
  } catch (error) {
    await listening.close();
    throw error;
  }
  return {
    core,
    baseUrl: baseUrl(),
    listeners: listening.listeners,
    handlers,
    pause,
    ...windowCalls(core, handlers),
    onEvent: (listener) => core.onEvent(listener),
    issueLink: () => linkOf(baseUrl(), sessions.issueKey()),
    stop: async () => {
      noted.abort();
      drain.begin();
      await removeInstanceFile(core.dataFolder, instance);
      return endInOrder(core, listening, drain);
    },
  };
}

/** Milliseconds between two attempts to write the instance file on a full disk. */
const noteInterval = 2000;

/**
 * Writes the instance file. If the disk is full, the instance serves anyway, and other programs find it once the disk
 * has space.
 */
async function noteInstance(core: Core, file: InstanceFile, signal: AbortSignal): Promise<void> {
  try {
    await writeInstanceFile(core.dataFolder, file);
  } catch (error) {
    if (!isDiskFull(error)) throw error;
    core.log.failure('the instance file could not be written; it is tried again', error);
    const retry = setTimeout(() => {
      noteInstance(core, file, signal).catch((again: unknown) => {
        core.log.failure('the instance file could not be written', again);
      });
    }, noteInterval).unref();
    signal.addEventListener('abort', () => {
      clearTimeout(retry);
    });
  }
}

/** The desktop's bridge: the same table of calls, and documents by their path. */
function windowCalls(core: Core, handlers: Sinete['handlers']): Pick<Sinete, 'callUi' | 'sendDocument' | 'giveFile'> {
  const onFailure = (error: unknown, call: string): void => {
    core.log.failure(call, error);
  };
  return {
    callUi: async (name, input) =>
      isCallName(name)
        ? answerCall({ handlers, onFailure }, 'user-interface', name, input)
        : { ok: false, error: { code: 'INPUT_INVALID', message: 'There is no call of this name.' } },
    sendDocument: async (document) => {
      try {
        return { ok: true, value: await sendLocalDocument(core.transactions, document) };
      } catch (error) {
        return { ok: false, error: callError(error, (unforeseen) => onFailure(unforeseen, 'sendDocument')) };
      }
    },
    giveFile: async (name, content) => {
      try {
        const { upload } = await core.receivedFiles.receive(name, Readable.from([content]));
        return { ok: true, value: { upload } };
      } catch (error) {
        return { ok: false, error: callError(error, (unforeseen) => onFailure(unforeseen, 'giveFile')) };
      }
    },
  };
}

/** The site that created a transaction; undefined for other transactions, and for an unknown TCN. */
async function siteOfTransaction({ transactions }: Core, tcn: string): Promise<string | undefined> {
  const [found] = await transactions.overview([tcn]);
  return found?.requester.kind === 'site' ? found.requester.name : undefined;
}

async function buildHttpServers(
  core: Core,
  parts: {
    readonly instance: string;
    readonly sessions: UiSessions;
    readonly proof: InstanceProof;
    readonly folder: FolderIdentity;
    readonly handlers: Readonly<Record<UiCaller, CallHandlers>>;
    readonly life: Life;
    readonly windowFolder: string;
  },
): Promise<Servers> {
  const spoolFolder = join(core.dataFolder, 'uploads');
  await rm(spoolFolder, { recursive: true, force: true });
  await mkdir(spoolFolder, { mode: 0o700 });
  return buildServers({
    transactions: core.transactions,
    consent: core.consent,
    siteOfTransaction: async (tcn) => siteOfTransaction(core, tcn),
    noteVisit: (origin, userAgent, outcome) => {
      core.visits.note(origin, userAgent, outcome);
    },
    assistant: core.assistant,
    validator: core.validator,
    webhooks: core.webhooks,
    identity: identityServices(core),
    readHealth: async (full) => healthBody(core, full),
    staleTrust: async () => readStaleTrust(core, core.now()),
    bridge: {
      sessions: parts.sessions,
      handlers: parts.handlers,
      onEvent: (listener) => core.onEvent(listener),
      onFailure: (error, call) => {
        core.log.failure(call, error);
      },
    },
    receiveUiFile: async (name, content) => core.receivedFiles.receive(name, content),
    administrators: core.administrators,
    peerUser: openPeerUser(),
    proof: parts.proof,
    product: { ...product, instance: parts.instance, folder: parts.folder },
    rendererFolder: parts.windowFolder,
    clientFolder,
    guide,
    limits: { ...httpLimits(core), spoolFolder },
    log: core.log.http,
    metrics: core.metrics,
    nodes: core.storage.sharedWith?.signals,
    tracing: requestTracing(core),
    now: core.now,
    life: parts.life,
  });
}

/** How requests are traced; undefined without traces. */
function requestTracing({ configuration, tracing: { tracer } }: Core): HttpDependencies['tracing'] {
  return configuration.tracing && { tracer, callers: configuration.tracing.callers };
}

/** The services behind tokens, sessions and the authorize page. */
function identityServices(core: Core): HttpDependencies['identity'] {
  return {
    accounts: core.accounts,
    applications: core.applications,
    authorization: core.authorization,
    now: core.now,
    requests: core.authorizationRequests,
    pushed: new PushedRequests(core.storage.shortLived, core.now),
    certificates: core.certificateInformation,
    hashCalls: core.hashCalls,
    oneTimePasswordApproves: core.configuration.approval.oneTimePassword,
    selectedUser: async () => core.assistant.selectedUser(),
    onFault: (error) => {
      core.log.failure('authorization', error);
    },
  };
}

function httpLimits({ configuration: { limits }, room }: Core): Omit<HttpLimits, 'spoolFolder'> {
  const { documentSize, documents, jsonBody } = limits;
  return { documentSize, documents, jsonBody, requestTimeout: limits.requestTimeout * 1000, room };
}

/** Both servers, listening. */
interface OpenServers {
  readonly port: number;
  readonly channel: OpenChannel;
  readonly listeners: readonly OpenListener[];
  readonly requests: OpenRequests;
  close(): Promise<void>;
}

/** Below this number of file descriptors there are so few connections that a warning is logged. */
const FEW_DESCRIPTORS = 256;

/** Binds the first free port, the local channel and the configured listeners; none stays bound when one fails. */
async function listenForCallers(servers: Servers, core: Core): Promise<OpenServers> {
  const { server, channel } = servers;
  const { listen } = core.configuration;
  const descriptors = readDescriptorLimit();
  if (descriptors < FEW_DESCRIPTORS) {
    const { all: connections } = connectionLimits(descriptors);
    core.log.service.warn({ descriptors, connections }, 'few files may be open at once: connections are limited');
  }
  const port = await listenOnFirst(server, portsToTry(core.configuration));
  try {
    const opened = await openChannel(channel, core.dataFolder);
    const listeners = await openListeners(servers, listen, core.log).catch(async (error: unknown) => {
      await closeServer(channel);
      await opened.remove();
      throw error;
    });
    const all = [server, channel, ...listeners.map((one) => one.server)];
    return {
      port,
      channel: opened,
      listeners,
      requests: new OpenRequests(all),
      close: async () => {
        for (const one of listeners) one.close();
        await Promise.all(all.map(closeServer));
        await opened.remove();
      },
    };
  } catch (error) {
    await closeServer(server);
    throw error;
  }
}

/** Binds the first free port, on loopback only. Port 0 is any free port. */
async function listenOnFirst(server: Server, ports: readonly number[]): Promise<number> {
  for (const port of ports) {
    if (await listens(server, port)) return (server.address() as AddressInfo).port;
  }
  const owners = await findPortOwners(ports);
  const taken = ports.map((port) => {
    const program = owners.find((owner) => owner.port === port)?.program;
    return program === undefined ? String(port) : `${port} (${program})`;
  });
  throw new AppError(3, `No port is free: ${taken.join(', ')}. Choose another one with --port.`);
}

async function listens(server: Server, port: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const refused = (error: NodeJS.ErrnoException): void => {
      if (error.code === 'EADDRINUSE' || error.code === 'EACCES') resolve(false);
      else reject(error);
    };
    server.once('error', refused);
    server.listen(port, '127.0.0.1', () => {
      server.off('error', refused);
      resolve(true);
    });
  });
}
