/** The site of the rows: pages of another origin and of a public address, which tell the site how their search ended. */
import { readFile } from 'node:fs/promises';
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { connect, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { clientFolder } from '../../src/app/instance/start-sinete.ts';
import { runTool } from '../oracles/run-program.ts';
import { untilDefined } from '../setup/waits.ts';
import type { Place, Told } from './rows.ts';

/** A told search, with the permission before and after. */
export interface ToldSearch extends Told {
  readonly id: string;
  /** `ready`: the page waits for its click. `searching`: the click has come. Absent: the end of the search. */
  readonly stage?: 'ready' | 'searching';
  readonly message?: string;
  readonly before?: string;
  readonly after?: string;
}

/** A running site, with its own authority for certificates. */
export interface Site {
  readonly securePort: number;
  readonly plainPort: number;
  /** A proxy that leads every name to the site, and addresses to themselves; for browsers that map no names. */
  readonly proxyPort: number;
  /** The certificate of the authority, PEM. */
  readonly authorityFile: string;
  /** The address of the page for a row. */
  address(place: Place, query: Readonly<Record<string, string>>): string;
  /** Waits for a message of the page with this id. */
  told(id: string, stage?: ToldSearch['stage']): Promise<ToldSearch>;
  hasTold(id: string): boolean;
  readonly messages: readonly ToldSearch[];
  /** Serves another file at a path. */
  readonly extra: Map<string, { readonly type: string; readonly content: string | Buffer }>;
  close(): Promise<void>;
}

/** Searches when its button is pressed. */
const searchScript = `
import { Sinete } from '/client.js';
const query = new URLSearchParams(location.search);
const id = query.get('id');
const tell = (told) => fetch('/told', { method: 'POST', body: JSON.stringify({ id, ...told }) });
const permission = async () => {
  try { return (await navigator.permissions.query({ name: 'loopback-network' })).state; } catch { return 'unknown'; }
};
const button = document.querySelector('button');
button.onclick = () => {
  const searching = Sinete.find({ ports: query.get('ports').split(',').map(Number), way: query.get('way') });
  button.textContent = 'Searching';
  void (async () => {
    const before = await permission();
    tell({ stage: 'searching', before });
    const told = await searching.then(
      (sinete) => { sinete.close(); return { found: sinete.way }; },
      ({ code, reason, message }) => ({ code, reason, message }),
    );
    button.textContent = JSON.stringify(told);
    await tell({ ...told, before, after: await permission() });
  })();
};
await tell({ stage: 'ready' });
`;
const searchPage =
  '<!doctype html><html lang="en"><meta charset="utf-8"><title>Search</title><body style="margin:0"><button style="width:100%;height:90vh;font-size:2rem">Find Sinete</button><script type="module" src="/search.js"></script>';

/** Makes an authority and a certificate for every name of the rows. */
async function issue(folder: string): Promise<{ readonly key: string; readonly cert: string }> {
  const at = (name: string): string => join(folder, name);
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  const authority = ['-x509', '-days', '5', '-subj', '/CN=Authority of the rows'];
  await runTool('openssl', ['req', ...curve, ...authority, '-keyout', at('ca-key.pem'), '-out', at('ca.pem')]);
  const names = 'subjectAltName=DNS:portal.example,DNS:outer.example';
  await runTool('openssl', [
    ...['req', ...curve, '-x509', '-days', '5', '-subj', '/CN=portal.example', '-addext', names],
    ...['-addext', 'basicConstraints=critical,CA:FALSE', '-CA', at('ca.pem'), '-CAkey', at('ca-key.pem')],
    ...['-keyout', at('key.pem'), '-out', at('cert.pem')],
  ]);
  return { key: await readFile(at('key.pem'), 'utf8'), cert: await readFile(at('cert.pem'), 'utf8') };
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

/** Starts the site, with its key and authority in a folder. */
export async function startSite(folder: string): Promise<Site> {
  const messages: ToldSearch[] = [];
  const extra: Site['extra'] = new Map();
  const answer: RequestListener = (request, response) => {
    void serve(request, response, messages, extra);
  };
  const secure = createSecureServer(await issue(folder), answer);
  const plain = createServer(answer);
  const [securePort, plainPort] = [await listen(secure), await listen(plain)];
  const proxy = createServer(answer);
  proxy.on('connect', (_request, socket) => {
    const through = connect(securePort, '127.0.0.1', () => socket.write('HTTP/1.1 200 OK\r\n\r\n'));
    through.pipe(socket).pipe(through);
    for (const end of [through, socket]) end.on('error', () => socket.destroy());
  });
  const proxyPort = await listen(proxy);
  const hasTold = (id: string): boolean => messages.some((one) => one.id === id && one.stage === undefined);
  return {
    securePort,
    plainPort,
    proxyPort,
    authorityFile: join(folder, 'ca.pem'),
    messages,
    extra,
    hasTold,
    address: (place, query) => {
      const words = `?${new URLSearchParams(query).toString()}`;
      const secureSite = `https://portal.example:${securePort}`;
      if (place === 'http') return `http://portal.example:${plainPort}/${words}`;
      if (place === 'cut') return `${secureSite}/cut${words}`;
      if (place !== 'frame' && place !== 'allowed-frame') return `${secureSite}/${words}`;
      const framed = encodeURIComponent(`${secureSite}/${words}`);
      return `https://outer.example:${securePort}/${place}?page=${framed}`;
    },
    told: async (id, stage) =>
      untilDefined(
        () => messages.find((one) => one.id === id && one.stage === stage),
        `the page ${id} told ${stage ?? 'the end'}`,
      ),
    close: async () => {
      for (const server of [secure, plain, proxy]) {
        server.closeAllConnections();
        await new Promise((resolve) => server.close(resolve));
      }
    },
  };
}

async function serve(
  request: Parameters<RequestListener>[0],
  response: Parameters<RequestListener>[1],
  messages: ToldSearch[],
  extra: Site['extra'],
): Promise<void> {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://portal.example');
  const send = (type: string, content: string | Buffer): void => {
    response.setHeader('Content-Type', `${type}; charset=utf-8`);
    response.end(content);
  };
  const file = extra.get(pathname);
  if (file !== undefined) {
    send(file.type, file.content);
    return;
  }
  switch (pathname) {
    case '/client.js':
    case '/sinete-sign.js':
      send('text/javascript', await readFile(join(clientFolder, pathname)));
      break;
    case '/sinete-help.html':
      send('text/html', await readFile(join(clientFolder, pathname)));
      break;
    case '/search.js':
      send('text/javascript', searchScript);
      break;
    case '/told': {
      response.setHeader('Access-Control-Allow-Origin', '*');
      const parts: Buffer[] = [];
      for await (const part of request) parts.push(part as Buffer);
      messages.push(JSON.parse(Buffer.concat(parts).toString('utf8')) as ToldSearch);
      send('text/plain', '');
      break;
    }
    case '/frame':
    case '/allowed-frame':
      send('text/html', outerPage(pathname === '/allowed-frame', searchParams.get('page') ?? ''));
      break;
    case '/cut':
      response.setHeader('Cross-Origin-Opener-Policy', 'same-origin');
      send('text/html', searchPage);
      break;
    case '/':
      send('text/html', searchPage);
      break;
    default:
      response.statusCode = 404;
      send('text/plain', '');
  }
}

/** A page of another site around the page, with or without the attribute of the permission. */
function outerPage(isAllowed: boolean, page: string): string {
  const source = page.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
  const attribute = isAllowed ? 'allow="loopback-network"' : '';
  return `<!doctype html><body style="margin:0"><iframe ${attribute} src="${source}" style="width:100%;height:90vh;border:0"></iframe>`;
}
