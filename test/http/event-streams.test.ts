import { request, type IncomingMessage } from 'node:http';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestServer, type TestServer } from './start-test-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(async () => server.stop());

/** Opens a stream, and answers when its first event has come. */
async function openStream(path: string): Promise<{ readonly ended: Promise<void> }> {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    request({ port: server.port, path }, resolve).once('error', reject).end();
  });
  expect(response.statusCode).toBe(200);
  const ended = new Promise<void>((resolve) => response.once('end', resolve));
  await new Promise<void>((resolve) => {
    let text = '';
    response.setEncoding('utf8').on('data', (part: string) => {
      text += part;
      if (text.includes('event: transaction')) resolve();
    });
  });
  return { ended };
}

it('ends an event stream after possibly missed changes of other nodes, and lets its client begin again', async () => {
  const { tcn } = server.transactions.view;
  const { ended } = await openStream(`/signature-service/${tcn}/events`);
  server.transactions.miss();
  await ended;
});
