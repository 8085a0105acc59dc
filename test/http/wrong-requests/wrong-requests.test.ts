import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startRealInstance, type RealInstance } from '../../interface/real-instance.ts';
import { wrongRequests, type WrongRequest } from './rows.ts';

let instance: RealInstance;
/** Values of the words in the rows that begin with `$`. */
const values: Record<string, string> = {};

beforeAll(async () => {
  instance = await startRealInstance({ approve: 'all' });
  await instance.sinete.core.testIdentities.make({ name: 'ANA LIMA', cpf: '11144477735' });
  for (const name of ['OPEN', 'BROKEN', 'WAITING']) {
    const json = { type: 'CMS', documents_source: 'UPLOAD_REFERENCE' };
    values[name] = await create(name === 'WAITING' ? { ...json, documents: [{ id: '0' }] } : json);
  }
  const json = { type: 'CMS', documents_source: 'DATA_URL', documents: 'data:text/plain,a', mode: 'sync' };
  values.CLOSED = await create(json);
  const { headers } = await instance.send('HEAD', `/file-transfer/${values.CLOSED}/0`);
  values.ETAG = String(headers.etag);
});
afterAll(async () => instance.stop());

async function create(json: object): Promise<string> {
  return String((await instance.send('POST', '/signature-service', { json })).content.tcn);
}

const filled = (text: string): string => text.replaceAll(/\$([A-Z]+)/g, (word, name: string) => values[name] ?? word);

/** The bytes of a request that is given by its lines; the length is added where the lines tell none. */
function bytesOf({ request, body = '' }: WrongRequest): Uint8Array {
  if (!Array.isArray(request)) return Buffer.from(request as string);
  const [first = '', ...headers] = request as readonly string[];
  const content = typeof body === 'string' ? Buffer.from(filled(body)) : body;
  const tellsLength = headers.some((line) => /^(content-length|transfer-encoding):/i.test(line));
  const more = tellsLength || content.length === 0 ? [] : [`Content-Length: ${content.length}`];
  const own = [`Host: 127.0.0.1:${instance.port}`, 'Connection: close', ...more];
  const lines = [`${first} HTTP/1.1`, ...own, ...headers, '', ''].map(filled);
  return Buffer.concat([Buffer.from(lines.join('\r\n')), content]);
}

/** The whole answer to some bytes, on a new connection, with the sentences of its fields behind it. */
async function answerTo(bytes: Uint8Array): Promise<string> {
  const text = await new Promise<string>((resolve) => {
    const socket = connect({ host: '127.0.0.1', port: instance.port });
    const chunks: Buffer[] = [];
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(Buffer.concat(chunks).toString()));
    // The server closes: a closing socket has no user the guard could identify.
    socket.write(bytes);
  });
  return [text, ...sentencesOf(text)].join('\n');
}

function sentencesOf(answer: string): readonly string[] {
  if (!/^Content-Type: application\/problem\+json/im.test(answer)) return [];
  // From the first brace to the last: a short answer may come in chunks.
  const { detail, errors = [] } = JSON.parse(answer.slice(answer.indexOf('{'), answer.lastIndexOf('}') + 1)) as {
    readonly detail: string;
    readonly errors?: readonly { readonly field: string; readonly detail: string }[];
  };
  return [detail, ...errors.map((one) => `${one.field}: ${one.detail}`)];
}

describe.each(Object.entries(wrongRequests))('%s', (_kind, requests) => {
  it.each(requests)('is answered with the field or the remedy: $title', async (row) => {
    const answer = await answerTo(bytesOf(row));
    expect(Number(answer.slice(9, 12)), answer).toBe(row.status);
    expect(answer).toContain(filled(row.says));
  });
});

describe('all wrong requests', () => {
  it('are 111 of nine kinds', () => {
    const counts = Object.values(wrongRequests).map((requests) => requests.length);
    expect(counts).toEqual([20, 7, 4, 11, 9, 19, 13, 6, 22]);
  });

  it('leave no document in the transaction of the broken uploads', async () => {
    const { content } = await instance.send('GET', `/signature-service/${values.BROKEN ?? ''}`);
    expect(content).toMatchObject({ status: 'WAITING', documents: [] });
  });
});
