import { createSecureContext } from 'node:tls';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readFile, stat } from 'node:fs/promises';
import type { ListenerServer, Servers, TlsFiles } from '../../http/build-server.ts';
import { AddressList, type Listener } from '../../http/listeners/listener.ts';
import { AppError } from '../app-error.ts';
import type { Configuration } from '../config/config.ts';
import type { AddressPlace, ConfiguredListener } from '../config/listen.ts';
import { bindSocket, removeSocket } from './proxy-socket.ts';

/** A listener that is bound. */
export interface OpenListener {
  readonly server: Server;
  /** `https://0.0.0.0:8443` or `unix:/run/sinete/proxy.sock`: the bound address. */
  readonly address: string;
  /** `https://sign.example`; absent for a loopback listener. */
  readonly publicUrl?: string;
  readonly services: readonly string[];
  /** Stops watching the certificate files, and removes a socket. */
  readonly close: () => void;
}

/** The part of the configuration that exposes an instance to other computers. */
type Exposure = Pick<Configuration, 'listen' | 'approve'>;

/** Refuses dangerous settings for an instance that other computers reach. Throws `AppError`. */
export function checkExposure({ listen, approve }: Exposure, isRoot: boolean, allowRoot: boolean): void {
  if (!listen.some(({ remote }) => remote !== undefined)) return;
  if (approve === 'all') {
    throw new AppError(
      2,
      'approve = "all" with a listener of other computers lets strangers sign: use "ask" or "listed".',
    );
  }
  if (isRoot && !allowRoot) {
    const remedy = 'run it as a user of its own, or add --allow-root';
    throw new AppError(
      2,
      `Root does not serve other computers, because one fault would give away this computer: ${remedy}.`,
    );
  }
}

/** Milliseconds between two checks of the certificate files. */
const WATCH_INTERVAL = 10_000;

/** Logs certificates that were loaded or refused while the instance runs. */
interface ListenerLog {
  failure(what: string, error: unknown): void;
}

/**
 * Binds the listeners of the configuration, in order. Rejects with `AppError` (exit code 3) when an address or a
 * certificate cannot be used; then none stays bound.
 */
export async function openListeners(
  servers: Servers,
  configured: readonly ConfiguredListener[],
  log: ListenerLog,
  watchInterval = WATCH_INTERVAL,
): Promise<readonly OpenListener[]> {
  const opened: OpenListener[] = [];
  try {
    for (const one of configured) opened.push(await openListener(servers, one, log, watchInterval));
    return opened;
  } catch (error) {
    for (const { server, close } of opened) {
      close();
      server.close();
    }
    throw error;
  }
}

async function openListener(
  servers: Servers,
  configured: ConfiguredListener,
  log: ListenerLog,
  watchInterval: number,
): Promise<OpenListener> {
  const { tls, remote, services } = configured;
  const files = tls === undefined ? undefined : await readTlsFiles(tls);
  const server = servers.forListener(listenerOf(configured), files);
  const address = await bind(server, configured);
  const watch = tls === undefined ? undefined : watchTlsFiles(server, tls, log, watchInterval);
  return {
    server,
    services,
    address,
    ...(remote === undefined ? {} : { publicUrl: remote.publicUrl }),
    close: () => {
      clearInterval(watch);
      if (configured.socket !== undefined) removeSocket(configured.socket);
    },
  };
}

function listenerOf({ services, remote, socket }: ConfiguredListener): Listener {
  if (remote === undefined) return { services: new Set(services) };
  const { publicUrl, trustedProxies } = remote;
  return {
    services: new Set(services),
    remote: {
      publicUrl,
      ...(trustedProxies === undefined ? {} : { trustedProxies: new AddressList(trustedProxies) }),
      ...(socket === undefined ? {} : { isSocketOfProxy: true }),
    },
  };
}

/** Binds the server, and answers the address. */
async function bind(server: Server, place: ConfiguredListener): Promise<string> {
  if (place.socket !== undefined) {
    await bindSocket(server, place);
    return `unix:${place.socket}`;
  }
  const port = await bindAddress(server, place);
  const literal = place.host.includes(':') ? `[${place.host}]` : place.host;
  return `${place.tls === undefined ? 'http' : 'https'}://${literal}:${port}`;
}

async function bindAddress(server: Server, { host, port }: AddressPlace): Promise<number> {
  return new Promise((resolve, reject) => {
    const refused = (cause: NodeJS.ErrnoException): void => {
      reject(
        new AppError(3, `The address ${host}:${port} of "listen" cannot be bound (${cause.code ?? ''}).`, { cause }),
      );
    };
    server.once('error', refused);
    server.listen(port, host, () => {
      server.off('error', refused);
      resolve((server.address() as AddressInfo).port);
    });
  });
}

type TlsPaths = NonNullable<ConfiguredListener['tls']>;

/** Reads certificate and key, and checks that they belong together. Rejects with `AppError`. */
async function readTlsFiles({ certificate, key }: TlsPaths): Promise<TlsFiles> {
  try {
    const [cert, secret, { mode }] = await Promise.all([readFile(certificate), readFile(key), stat(key)]);
    if (process.platform !== 'win32' && (mode & 0o007) !== 0) {
      throw new AppError(3, `Every user of this computer may use the key ${key}: chmod it to 0600 or 0640.`);
    }
    createSecureContext({ cert, key: secret });
    return { cert, key: secret };
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    const reason = cause instanceof Error ? cause.message.split('\n', 1)[0] : '';
    throw new AppError(3, `The certificate ${certificate} and its key cannot be used: ${reason ?? ''}`, { cause });
  }
}

/**
 * Loads a new certificate and key when their files have changed. If the pair cannot be used, for example between the
 * writing of its two files, the present pair stays in use and the next check tries again.
 */
function watchTlsFiles(server: ListenerServer, paths: TlsPaths, log: ListenerLog, interval: number): NodeJS.Timeout {
  let taken = '';
  let refused = '';
  const look = async (): Promise<void> => {
    const state = await stateOf(paths).catch(() => undefined);
    if (state === undefined || state === taken) return;
    try {
      const files = await readTlsFiles(paths);
      server.setSecureContext?.({ ...files, minVersion: 'TLSv1.2' });
      taken = state;
    } catch (error) {
      if (refused !== state) log.failure('a new certificate cannot be used; the present one stays', error);
      refused = state;
    }
  };
  return setInterval(() => void look(), interval).unref();
}

/** The state of both files, which changes whenever one is written or replaced, also through symbolic links. */
async function stateOf({ certificate, key }: TlsPaths): Promise<string> {
  const found = await Promise.all([certificate, key].map(async (path) => stat(path, { bigint: true })));
  return found.map(({ ino, size, mtimeNs }) => `${ino} ${size} ${mtimeNs}`).join(', ');
}
