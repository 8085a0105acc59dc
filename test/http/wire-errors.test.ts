import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startRealInstance, type RealInstance } from '../interface/real-instance.ts';

/** Bytes without a valid request or form: each answer names the mistake. */

let instance: RealInstance;
beforeAll(async () => {
  instance = await startRealInstance();
});
afterAll(async () => instance.stop());

/** The whole answer to some bytes, on a new connection. */
async function send(bytes: string | Uint8Array): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port: instance.port });
    let text = '';
    socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(text));
    // The server closes: a closing socket has no user the guard could identify.
    socket.write(bytes);
  });
}

interface Refusal {
  readonly status: number;
  readonly code?: string;
  readonly detail?: string;
}

async function refusalOf(bytes: string | Uint8Array): Promise<Refusal> {
  const answer = await send(bytes);
  const body = answer.slice(answer.indexOf('\r\n\r\n') + 4);
  return JSON.parse(body) as Refusal;
}

const hello = Uint8Array.from([0x16, 3, 1, 0, 5, 1, 0, 0, 1, 0]);
const chunked = 'POST /x HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n';

describe('bytes of no HTTP request', () => {
  it.each([
    ['a TLS handshake', hello, 'without TLS'],
    ['a folded header', 'GET / HTTP/1.1\r\nHost: a\r\nX: a\r\n b\r\n\r\n', 'in one line'],
    ['a blank before the colon', 'GET / HTTP/1.1\r\nHost : a\r\n\r\n', 'blank before the colon'],
    ['a zero byte in a header', 'GET / HTTP/1.1\r\nX: a\0b\r\n\r\n', 'control characters'],
    ['two lengths', 'POST / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\na', 'Content-Length comes twice'],
    [
      'a length beside chunks',
      'POST / HTTP/1.1\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      'Content-Length alone',
    ],
    ['a length that is no number', 'POST / HTTP/1.1\r\nContent-Length: one\r\n\r\n', 'not a number'],
    ['an unknown method', 'BREW / HTTP/1.1\r\nHost: a\r\n\r\n', 'The method is unknown'],
    ['a method in small letters', 'get / HTTP/1.1\r\nHost: a\r\n\r\n', 'capital letters'],
    ['an accent in the path', 'GET /file-transfer/T/ação HTTP/1.1\r\nHost: a\r\n\r\n', '%C3%A7'],
    ['a space in the path', 'GET /a b HTTP/1.1\r\nHost: a\r\n\r\n', '%20'],
    ['a later version', 'GET / HTTP/3.1\r\nHost: a\r\n\r\n', 'HTTP/1.1'],
    ['HTTP/2 without negotiation', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 'HTTP/2'],
    ['a chunk without a length', `${chunked}zz\r\nabc\r\n`, 'length of a chunk'],
    ['a chunk whose line has no CR', `${chunked}1\nab`, 'CR LF'],
    [
      'a coding that is not chunked at last',
      'POST / HTTP/1.1\r\nTransfer-Encoding: chunked, gzip\r\n\r\n',
      'chunked as the last',
    ],
  ])('are refused by name: %s', async (_name, bytes, words) => {
    const { status, code, detail } = await refusalOf(bytes);
    expect([status, code]).toEqual([400, 'REQUEST_MALFORMED']);
    expect(detail).toContain(words);
    if (bytes !== hello) expect(detail).not.toContain('TLS');
  });
});

/** A form with the boundary `b` in its body, under a header naming `named`. */
function form(path: string, named: string, { end = '--b--\r\n', preamble = '' } = {}): string {
  const body = `${preamble}--b\r\nContent-Disposition: form-data; name="signature"; filename="a"\r\n\r\ntext\r\n${end}`;
  const head = `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1:${instance.port}\r\nConnection: close\r\n`;
  return `${head}Content-Type: multipart/form-data; boundary=${named}\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
}

describe('a form', () => {
  const notFound = 'The boundary that Content-Type names does not occur';
  let upload: string;
  beforeAll(async () => {
    await instance.sinete.core.testIdentities.make({ name: 'ANA LIMA', cpf: '11144477735' });
    const json = { type: 'CMS', documents_source: 'UPLOAD_REFERENCE' };
    upload = `/file-transfer/${String((await instance.send('POST', '/signature-service', { json })).content.tcn)}`;
  });
  const targets = { upload: () => upload, validator: () => '/validator-service' };

  it.each(['upload', 'validator'] as const)(
    'with another boundary than announced is refused by name: %s',
    async (target) => {
      for (const named of ['other', '"other"', 'bb']) {
        const { status, code, detail } = await refusalOf(form(targets[target](), named));
        expect([named, status, code]).toEqual([named, 400, 'REQUEST_MALFORMED']);
        expect(detail).toContain(notFound);
      }
    },
  );

  it.each(['upload', 'validator'] as const)('with an early end is called incomplete, as before: %s', async (target) => {
    const { code, detail } = await refusalOf(form(targets[target](), 'b', { end: '' }));
    expect([code, detail]).toEqual(['UPLOAD_INCOMPLETE', expect.stringContaining('send it again')]);
  });

  it('is read behind a preamble, and under a boundary in quotation marks', async () => {
    const preamble = `${'x'.repeat(5000)}\r\n`;
    expect((await send(form(upload, 'b', { preamble }))).slice(9, 12)).toBe('200');
    expect((await send(form(upload, '"b"'))).slice(9, 12)).toBe('200');
  });
});
