/** HTTP/1.1 as bytes on a socket: without a client between, because clients refuse to send a fuzzer's requests. */
import { connect } from 'node:net';

/** A request in its exact form on the wire. */
export interface RawRequest {
  readonly method: string;
  /** The request target: path and query, each character one byte. */
  readonly target: string;
  /** In order, repeated names allowed; each character one byte. `Host` and `Connection` are added. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Buffer;
  /** The length announced; absent: the true length of a body. */
  readonly announced?: number;
}

/** The received answer. Status 0: the connection ended without an answer. */
export interface RawAnswer {
  readonly status: number;
  /** Names in lower case; the last of repeated names. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

/** Milliseconds until an exchange counts as hung. */
const PATIENCE = 60_000;

/** Sends one request on a connection of its own and reads until the server's close. Rejects after too long a time. */
export async function exchange(port: number, request: RawRequest): Promise<RawAnswer> {
  const bytes = await new Promise<Buffer>((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port });
    const chunks: Buffer[] = [];
    socket.setTimeout(PATIENCE, () => {
      socket.destroy();
      reject(new Error(`No answer after ${PATIENCE} ms.`));
    });
    socket.on('data', (chunk) => chunks.push(chunk));
    // A server refusing early closes while the body is still being sent.
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(Buffer.concat(chunks)));
    socket.write(Buffer.from(headOf(port, request), 'latin1'));
    const isCutOff = request.announced !== undefined && request.announced > request.body.length;
    if (isCutOff) socket.end(request.body);
    else socket.write(request.body);
  });
  return parseAnswer(bytes);
}

function headOf(port: number, { method, target, headers, body, announced }: RawRequest): string {
  const length = announced ?? (body.length > 0 || method === 'POST' || method === 'PUT' ? body.length : undefined);
  const names = new Set(headers.map(([name]) => name.toLowerCase()));
  const lines = [
    `${method} ${target} HTTP/1.1`,
    ...(names.has('host') ? [] : [`Host: 127.0.0.1:${port}`]),
    ...headers.map(([name, value]) => `${name}: ${value}`),
    ...(length === undefined || names.has('transfer-encoding') ? [] : [`Content-Length: ${length}`]),
    'Connection: close',
  ];
  return `${lines.join('\r\n')}\r\n\r\n`;
}

function parseAnswer(bytes: Buffer): RawAnswer {
  const end = bytes.indexOf('\r\n\r\n');
  if (end < 0) return { status: 0, headers: new Map(), body: '' };
  const [first = '', ...lines] = bytes.subarray(0, end).toString('latin1').split('\r\n');
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(first)?.[1] ?? 0);
  const rest = bytes.subarray(end + 4);
  if (status >= 100 && status < 200) return parseAnswer(rest);
  const headers = new Map(
    lines.map((line): [string, string] => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
  const body = headers.get('transfer-encoding') === 'chunked' ? dechunk(rest) : rest;
  return { status, headers, body: body.toString('utf8') };
}

function dechunk(bytes: Buffer): Buffer {
  const chunks: Buffer[] = [];
  for (let offset = 0; ;) {
    const end = bytes.indexOf('\r\n', offset);
    const length = end < 0 ? 0 : Number.parseInt(bytes.toString('latin1', offset, end), 16);
    if (!(length > 0)) return Buffer.concat(chunks);
    chunks.push(bytes.subarray(end + 2, end + 2 + length));
    offset = end + 2 + length + 2;
  }
}
