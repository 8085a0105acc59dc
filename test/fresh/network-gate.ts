/**
 * The ways out of a root apart from the network: a forward proxy and a package registry of its own. Both listen here on
 * UNIX sockets in a folder visible to the root; `relay.mjs` leads loopback ports inside to these sockets.
 */
import {
  createServer,
  request as httpRequest,
  type IncomingMessage,
  type RequestListener,
  type Server,
} from 'node:http';
import { request as httpsRequest } from 'node:https';
import { connect, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { connect as connectSafely } from 'node:tls';
import { trustedCertificates, type MachineSettings } from './machine-settings.ts';
import { dropUndefined } from '../../src/values/drop-undefined.ts';

/** A running way out. */
export interface Gate {
  /** Served requests and tunnels. */
  readonly served: () => number;
  readonly close: () => Promise<void>;
}

async function listen(server: Server, socket: string, served: () => number): Promise<Gate> {
  const open = new Set<Socket>();
  server.on('connection', (connection: Socket) => {
    open.add(connection);
    connection.once('close', () => open.delete(connection));
  });
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(socket, resolve));
  return {
    served,
    close: async () => {
      for (const connection of open) connection.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The proxy this machine itself has to use; undefined with a direct way to the network. */
function ownProxy(settings: MachineSettings): URL | undefined {
  const { environment } = settings;
  const named = environment['https_proxy'] ?? environment['HTTPS_PROXY'] ?? environment['npm_config_https_proxy'];
  return named === undefined ? undefined : new URL(named);
}

/** A connection to a host, through the machine's own proxy, if any. */
async function openTunnel(target: string, settings: MachineSettings): Promise<Duplex> {
  const proxy = ownProxy(settings);
  if (proxy === undefined) {
    const { hostname, port } = new URL(`http://${target}`);
    const socket = connect({ host: hostname.replace(/^\[|\]$/g, ''), port: Number(port === '' ? 80 : port) });
    await new Promise<void>((resolve, reject) => socket.once('connect', resolve).once('error', reject));
    return socket;
  }
  const name = `${decodeURIComponent(proxy.username)}:${decodeURIComponent(proxy.password)}`;
  const credentials =
    proxy.username === '' ? {} : { 'Proxy-Authorization': `Basic ${Buffer.from(name).toString('base64')}` };
  const asked = httpRequest({
    host: proxy.hostname,
    port: proxy.port === '' ? 80 : proxy.port,
    method: 'CONNECT',
    path: target,
    headers: credentials,
  });
  return new Promise<Duplex>((resolve, reject) => {
    asked.once('error', reject).once('connect', (answer: IncomingMessage, socket: Duplex) => {
      if (answer.statusCode === 200) resolve(socket);
      else reject(new Error(`The proxy of this machine answered ${answer.statusCode ?? 0}.`));
    });
    asked.end();
  });
}

/** A forward proxy: `CONNECT` for https, in npm's way. */
export async function openProxy(socket: string, settings: MachineSettings): Promise<Gate> {
  let served = 0;
  const server = createServer((_request, response) => response.writeHead(405).end());
  server.on('connect', (request: IncomingMessage, client: Duplex, head: Buffer) => {
    client.on('error', () => client.destroy());
    openTunnel(request.url ?? '', settings).then(
      (outside) => {
        served++;
        outside.on('error', () => client.destroy());
        client.on('close', () => outside.destroy());
        client.write('HTTP/1.1 200 Connection established\r\n\r\n');
        outside.write(head);
        outside.pipe(client).pipe(outside);
      },
      () => client.end('HTTP/1.1 502 Bad Gateway\r\n\r\n'),
    );
  });
  return listen(server, socket, () => served);
}

/** The header from npm's settings for this machine's way into its registry. */
function registryCredentials(registry: URL, npmrc: string): Record<string, string> {
  const place = `//${registry.host}${registry.pathname.replace(/\/?$/, '/')}`;
  const lines = npmrc.split('\n').filter((line) => line.startsWith(place));
  const value = (key: string): string | undefined =>
    lines.find((line) => line.startsWith(`${place}:${key}=`))?.slice(`${place}:${key}=`.length);
  const [token, basic] = [value('_authToken'), value('_auth')];
  if (token !== undefined) return { authorization: `Bearer ${token}` };
  return dropUndefined({ authorization: basic === undefined ? undefined : `Basic ${basic}` });
}

/**
 * A private registry: answers at `address` with the packages of this machine's registry, and names itself as the place
 * of their archives.
 */
export async function openRegistry(socket: string, address: string, settings: MachineSettings): Promise<Gate> {
  const registry = new URL(settings.registry.replace(/\/?$/, '/'));
  const archives = new Set<string>();
  let served = 0;
  const answer: RequestListener = (request, response) => {
    void (async () => {
      const path = (request.url ?? '/').slice(1);
      const [, archive] = /^-\/archive\/(.+)\/[^/]+$/.exec(path) ?? [];
      const url = archive === undefined ? new URL(path, registry) : new URL(decodeURIComponent(archive));
      // Addresses outside of the registry are fetched only where named by the registry.
      if (archive !== undefined && !archives.has(url.href)) {
        response.writeHead(404).end();
        return;
      }
      const { status, type, body } = await fetchFrom(url, settings, {
        accept: request.headers.accept ?? '*/*',
        ...(url.host === registry.host ? registryCredentials(registry, settings.npmrc) : {}),
      });
      served++;
      response.writeHead(status, { 'content-type': type });
      response.end(type.includes('json') ? renameArchives(body.toString(), address, archives) : body);
    })().catch(() => response.writeHead(502).end());
  };
  // npm uses its connections again after minutes on a busy machine. A connection ending meanwhile fails the install.
  return listen(createServer({ keepAliveTimeout: 0, requestTimeout: 0 }, answer), socket, () => served);
}

function renameArchives(json: string, address: string, archives: Set<string>): string {
  return json.replaceAll(/"tarball":\s*"([^"]+)"/g, (_match, url: string) => {
    const { href, pathname } = new URL(url);
    archives.add(href);
    return `"tarball":"${address}-/archive/${encodeURIComponent(href)}/${pathname.split('/').at(-1) ?? 'archive.tgz'}"`;
  });
}

interface Fetched {
  readonly status: number;
  readonly type: string;
  readonly body: Buffer;
}

async function fetchFrom(
  url: URL,
  settings: MachineSettings,
  headers: Readonly<Record<string, string>>,
): Promise<Fetched> {
  const isSafe = url.protocol === 'https:';
  const port = url.port === '' ? (isSafe ? '443' : '80') : url.port;
  const tunnel = await openTunnel(`${url.hostname}:${port}`, settings);
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    const ca = [...trustedCertificates(settings)];
    const createConnection = (): Duplex =>
      isSafe ? connectSafely({ socket: tunnel, servername: url.hostname, ca }) : tunnel;
    // No agent: an agent would open a connection of its own.
    const ask = isSafe ? httpsRequest : httpRequest;
    ask(url, { headers, createConnection }, resolve).once('error', reject).end();
  });
  const { location } = answer.headers;
  if (location !== undefined && [301, 302, 307, 308].includes(answer.statusCode ?? 0)) {
    answer.resume();
    return fetchFrom(new URL(location, url), settings, { accept: headers['accept'] ?? '*/*' });
  }
  const chunks: Buffer[] = [];
  for await (const chunk of answer) chunks.push(chunk as Buffer);
  const type = answer.headers['content-type'] ?? 'application/octet-stream';
  return { status: answer.statusCode ?? 502, type, body: Buffer.concat(chunks) };
}
