/**
 * Connections with half a message, or nothing. Such connections are closed within the limit for headers, 15 seconds.
 */
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../http/start-test-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(async () => server.stop());

describe.concurrent('a connection with half a request', () => {
  it.each([
    ['nothing at all', '', ''],
    ['blank lines without an end', '\r\n', '\r\n'],
    ['a header without an end', 'GET /health-check HTTP/1.1\r\nHost: x\r\nX-A: ', 'a'],
    ['headers without an end', 'GET /signature-service/T?wait=60 HTTP/1.1\r\n', 'X-A: a\r\n'],
    ['the start of TLS', '\x16\x03\x01\x02\x00', ''],
  ])('is closed, however slow its progress: %s', async (_what, start, more) => {
    const socket = connect(server.port, '127.0.0.1').on('error', () => undefined);
    const going = setInterval(() => socket.write(more), 1000);
    socket.resume().write(start);
    await new Promise((resolve) => socket.once('close', resolve));
    clearInterval(going);
    expect(socket.destroyed).toBe(true);
  });
});
