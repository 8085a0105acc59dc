import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../http/start-test-server.ts';

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});

afterAll(async () => {
  await server.stop();
});

/** Sends this text and answers everything coming back; `HOST` and `PORT` stand for the server's own. */
async function exchange(text: string): Promise<string> {
  const socket = connect(server.port, '127.0.0.1');
  const named = text.replaceAll('HOST', `127.0.0.1:${server.port}`).replaceAll('PORT', String(server.port));
  socket.write(Buffer.from(named, 'latin1'));
  let answer = '';
  socket.on('data', (chunk: Buffer) => (answer += chunk.toString('latin1')));
  socket.on('error', () => undefined);
  await new Promise((resolve) => socket.once('close', resolve));
  return answer;
}

/** Sends these lines as a request and answers the status line. */
async function send(...lines: readonly string[]): Promise<string> {
  const answer = await exchange([...lines, 'Connection: close', '', ''].join('\r\n'));
  return answer.split('\r\n', 1)[0] ?? '';
}

/** The statuses of all answers of a connection. */
const statusesOf = (answer: string): readonly string[] =>
  [...answer.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status = '']) => status);

describe('a hand-made HTTP request', () => {
  it.each([
    ['with two Host headers is refused', ['GET /dashboard HTTP/1.1', 'Host: HOST', 'Host: evil.example'], '400'],
    ['with our Host twice is refused', ['GET /dashboard HTTP/1.1', 'Host: HOST', 'host: HOST'], '400'],
    ['without a Host is refused', ['GET /dashboard HTTP/1.1'], '400'],
    [
      'for an absolute target elsewhere is refused',
      ['GET http://evil.example/dashboard HTTP/1.1', 'Host: HOST'],
      '421',
    ],
    ['for our own absolute target is answered', ['GET http://HOST/dashboard HTTP/1.1', 'Host: evil.example'], '200'],
    ['for an authority is refused', ['GET evil.example:80 HTTP/1.1', 'Host: HOST'], '400'],
    [
      'with Content-Length and Transfer-Encoding is refused',
      ['POST /signature-service HTTP/1.1', 'Host: HOST', 'Content-Length: 4', 'Transfer-Encoding: chunked'],
      '400',
    ],
    [
      'with two Origins is refused',
      ['GET /dashboard HTTP/1.1', 'Host: HOST', 'Origin: http://HOST', 'Origin: https://x.example'],
      '403',
    ],
    ['with TRACE is refused', ['TRACE /dashboard HTTP/1.1', 'Host: HOST'], '405'],
    [
      'that overrides its method is taken by its real method',
      ['GET /dashboard HTTP/1.1', 'Host: HOST', 'X-HTTP-Method-Override: DELETE'],
      '200',
    ],
  ])('%s', async (_name, lines, status) => {
    expect((await send(...lines)).split(' ')[1]).toBe(status);
  });
});

describe('a request whose length has two readings', () => {
  const post = [
    'POST /signature-service HTTP/1.1',
    'Host: HOST',
    'Content-Type: application/json',
    'Connection: close',
  ];
  it.each([
    ['Transfer-Encoding: xchunked', '{}'],
    ['Transfer-Encoding: chunked, identity', '{}'],
    ['Transfer-Encoding: identity', '{}'],
    ['Transfer-Encoding: chunked\r\nTransfer-Encoding: identity', '0\r\n\r\n'],
    ['Content-Length: +2', '{}'],
    ['Content-Length: -2', '{}'],
    ['Content-Length: 0x2', '{}'],
    ['Content-Length: 2, 2', '{}'],
    ['Content-Length: 2\r\nContent-Length: 0', '{}'],
    ['Content-Length: 99999999999999999999', '{}'],
    ['Transfer-Encoding: chunked', '-2\r\n{}\r\n0\r\n\r\n'],
    ['Transfer-Encoding: chunked', 'ffffffffffffffffff\r\n{}\r\n0\r\n\r\n'],
    ['Transfer-Encoding: chunked', '2\n{}\n0\n\n'],
    ['Transfer-Encoding: chunked', `2;${'a'.repeat(20_000)}\r\n{}\r\n0\r\n\r\n`],
  ])('is refused, and its connection closed: %j %#', async (header, body) => {
    // A second request stands where another reading of the length would look for one.
    const second = 'GET /dashboard HTTP/1.1\r\nHost: HOST\r\nConnection: close\r\n\r\n';
    const answer = await exchange(`${[...post, header].join('\r\n')}\r\n\r\n${body}${second}`);
    expect(statusesOf(answer)).toEqual(['400']);
  });

  it('brings no second request in the body of a refused one', async () => {
    const hidden = 'GET /dashboard HTTP/1.1\r\nHost: HOST\r\n\r\n';
    const length = hidden.replace('HOST', `127.0.0.1:${server.port}`).length;
    const refused = `POST /user HTTP/1.1\r\nHost: evil.example\r\nContent-Length: ${length}\r\nConnection: close\r\n\r\n`;
    expect(statusesOf(await exchange(`${refused}${hidden}`))).toEqual(['421']);
  });

  it('gives no weight to headers behind the body', async () => {
    const trailers = 'Origin: https://evil.example\r\nAuthorization: Bearer x\r\nIdempotency-Key: x\r\n';
    const head = [...post, 'Transfer-Encoding: chunked', 'Trailer: Origin'].join('\r\n');
    const answer = await exchange(`${head}\r\n\r\n2\r\n{}\r\n0\r\n${trailers}\r\n`);
    expect(statusesOf(answer)).toEqual(['422']);
  });
});

describe('a request in another protocol', () => {
  it.each([
    ['begins no HTTP/2 by an upgrade', ['GET /dashboard HTTP/1.1', 'Host: HOST', 'Upgrade: h2c', 'HTTP2-Settings: AAMAAABkAAQAAP__'], '200'], // prettier-ignore
    ['opens no WebSocket behind the name of another protocol', ['GET /ui/events HTTP/1.1', 'Host: HOST', 'Upgrade: foo, websocket', 'Origin: https://evil.example', 'Sec-Fetch-Mode: websocket'], '403'], // prettier-ignore
    ['is refused as HTTP/1.2', ['GET /dashboard HTTP/1.2', 'Host: HOST'], '400'],
    ['is refused as HTTP/1.0 without a Host', ['GET /dashboard HTTP/1.0'], '421'],
    ['is refused as HTTP/0.9', ['GET /dashboard'], '421'],
    ['is refused as HTTP/2', ['PRI * HTTP/2.0', '', 'SM'], '400'],
    ['is refused for the whole server', ['OPTIONS * HTTP/1.1', 'Host: HOST'], '421'],
  ])('%s', async (_name, lines, status) => {
    const answer = await exchange([...lines, 'Connection: close', '', ''].join('\r\n'));
    expect(answer).not.toMatch(/HTTP\/1\.1 101/);
    expect(statusesOf(answer)[0]).toBe(status);
  });

  it('opens no tunnel', async () => {
    expect(await exchange('CONNECT 127.0.0.1:PORT HTTP/1.1\r\nHost: HOST\r\n\r\n')).toBe('');
  });
});

describe('headers that are read in two ways', () => {
  const get = ['GET /dashboard HTTP/1.1', 'Host: HOST'];
  const origin = 'Origin: https://evil.example';
  it.each([
    ['a folded line', [...get, 'X-A: b', ` ${origin}`], '400'],
    ['a blank before the colon', [...get, 'Origin : https://evil.example'], '400'],
    ['a line that ends with CR alone', [...get, `X-A: b\r${origin}`], '400'],
    ['a zero byte', [...get, 'X-A: b\0c'], '400'],
    ['lines that end with LF alone', [`GET /dashboard HTTP/1.1\nHost: HOST\n${origin}\n`], '400'],
    ['an Origin behind a hundred others', [...get, ...headers(98), origin], '431'],
    ['an Origin as the last of a hundred', [...get, ...headers(97), origin], '403'],
    ['an Origin in capitals', [...get, 'ORIGIN: https://evil.example'], '403'],
    ['an empty Origin', [...get, 'Origin:'], '403'],
    ['a list of origins', [...get, 'Origin: http://HOST https://evil.example'], '403'],
  ])('hide no Origin: %s', async (_name, lines, status) => {
    expect((await send(...lines)).split(' ')[1]).toBe(status);
  });

  it.each([
    ['localhost.:PORT', '421'],
    ['127.1:PORT', '421'],
    ['2130706433:PORT', '421'],
    ['0x7f000001:PORT', '421'],
    ['127.0.0.1:0PORT', '421'],
    ['evil@HOST', '421'],
    ['HOST, evil.example', '421'],
    ['HOST/evil.example', '421'],
    ['', '421'],
    ['127.0.0.1', '421'],
    ['[::ffff:127.0.0.1]:PORT', '421'],
    ['LocalHost:PORT', '200'],
  ])('name us by no other Host: %s', async (host, status) => {
    expect((await send('GET /dashboard HTTP/1.1', `Host: ${host}`)).split(' ')[1]).toBe(status);
  });

  it.each([
    ['http://HOST@evil.example/dashboard', '421'],
    ['http://evil.example\\@HOST/dashboard', '400'],
    ['//evil.example/dashboard', '404'],
    ['/x/../dashboard', '404'],
    ['/%64ashboard', '404'],
    ['/dashboard;x=1', '404'],
    ['/dashboard%00', '404'],
    ['/dashboard%2f', '404'],
    ['/signature-service/%zz', '400'],
    ['/signature-service/%c0%ae', '400'],
    ['/ui/assets/..%2f..%2f..%2fpackage.json', '404'],
    ['/ui/assets/..%5c..%5cpackage.json', '404'],
    ['/ui/assets/%252e%252e%252fpackage.json', '404'],
    ['/ui/assets/../../../package.json', '404'],
    ['/ui/assets/constructor', '404'],
    ['/docs/..%2f..%2fpackage.json', '404'],
    ['/docs/__proto__', '404'],
    ['/problems/__proto__', '404'],
    ['/problems/constructor', '404'],
    ['/problems/%3Cscript%3Ealert(1)%3C%2Fscript%3E', '404'],
  ])('reach nothing by another spelling of a path: %s', async (path, status) => {
    const answer = await exchange(`GET ${path} HTTP/1.1\r\nHost: HOST\r\nConnection: close\r\n\r\n`);
    expect(statusesOf(answer)).toEqual([status]);
    expect(answer).not.toMatch(/<script>|"dependencies"/);
  });

  it('say nothing about the address of the answer or its path', async () => {
    const forwarded = ['X-Forwarded-Host: evil.example', 'X-Forwarded-Proto: https', 'Forwarded: host=evil.example', 'X-Original-URL: /user', 'X-Rewrite-URL: /user', 'X-Forwarded-For: 10.0.0.1']; // prettier-ignore
    const answer = await exchange(
      ['GET /.well-known/oauth-authorization-server HTTP/1.1', 'Host: HOST', ...forwarded, 'Connection: close', '', ''].join('\r\n'), // prettier-ignore
    );
    expect(statusesOf(answer)).toEqual(['200']);
    expect(answer).not.toContain('evil.example');
    expect(answer).toContain(`"issuer":"http://127.0.0.1:${server.port}"`);
  });
});

function headers(count: number): readonly string[] {
  return Array.from({ length: count }, (_one, index) => `X-${index}: 1`);
}
