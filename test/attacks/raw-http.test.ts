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

/** Sends these lines as a request and answers the status line; `HOST` stands for the server's own host. */
async function send(...lines: readonly string[]): Promise<string> {
  const socket = connect(server.port, '127.0.0.1');
  const text = [...lines, 'Connection: close', '', ''].join('\r\n').replaceAll('HOST', `127.0.0.1:${server.port}`);
  socket.write(text);
  let answer = '';
  socket.on('data', (chunk: Buffer) => (answer += chunk.toString()));
  socket.on('error', () => undefined);
  await new Promise((resolve) => socket.once('close', resolve));
  return answer.split('\r\n', 1)[0] ?? '';
}

describe('a hand-made HTTP request', () => {
  it.each([
    [
      '134, S9: with two Host headers is refused',
      ['GET /dashboard HTTP/1.1', 'Host: HOST', 'Host: evil.example'],
      '400',
    ],
    ['134, S9: with our Host twice is refused', ['GET /dashboard HTTP/1.1', 'Host: HOST', 'host: HOST'], '400'],
    ['134: without a Host is refused', ['GET /dashboard HTTP/1.1'], '400'],
    [
      '134, S9: for an absolute target elsewhere is refused',
      ['GET http://evil.example/dashboard HTTP/1.1', 'Host: HOST'],
      '421',
    ],
    [
      '134, S9: for our own absolute target is answered',
      ['GET http://HOST/dashboard HTTP/1.1', 'Host: evil.example'],
      '200',
    ],
    ['134: for an authority is refused', ['GET evil.example:80 HTTP/1.1', 'Host: HOST'], '400'],
    [
      '134: with Content-Length and Transfer-Encoding is refused',
      ['POST /signature-service HTTP/1.1', 'Host: HOST', 'Content-Length: 4', 'Transfer-Encoding: chunked'],
      '400',
    ],
    [
      '134: with two Origins is refused',
      ['GET /dashboard HTTP/1.1', 'Host: HOST', 'Origin: http://HOST', 'Origin: https://x.example'],
      '403',
    ],
    ['134: with TRACE is refused', ['TRACE /dashboard HTTP/1.1', 'Host: HOST'], '405'],
    [
      '134: that overrides its method is taken by its real method',
      ['GET /dashboard HTTP/1.1', 'Host: HOST', 'X-HTTP-Method-Override: DELETE'],
      '200',
    ],
  ])('%s', async (_name, lines, status) => {
    expect((await send(...lines)).split(' ')[1]).toBe(status);
  });
});
