import { connect, type Socket } from 'node:net';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { limitPipelining, MOST_UNANSWERED } from '../../../src/http/listeners/limit-pipelining.ts';

const closers: (() => void)[] = [];

afterEach(() => {
  for (const close of closers.splice(0)) close();
});

/** Opens a connection to a server with the limit. */
async function connectTo(handle: RequestListener): Promise<Socket> {
  const server = createServer(limitPipelining(handle));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  closers.push(() => {
    socket.destroy();
    server.closeAllConnections();
    server.close();
  });
  return socket;
}

const requests = (count: number): string => 'GET / HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(count);

describe('a connection with pipelined requests', () => {
  it('is closed when too many wait for their answers, and no further request is handled', async () => {
    let handled = 0;
    const socket = await connectTo(() => (handled += 1));
    socket.on('error', () => undefined).write(requests(20 * MOST_UNANSWERED));
    await new Promise((resolve) => socket.once('close', resolve));
    expect(handled).toBe(MOST_UNANSWERED);
  });

  it('has each request answered as long as answers keep up', async () => {
    const socket = await connectTo((_request, response) => void response.end('.'));
    let answers = 0;
    socket.on('data', (chunk: Buffer) => (answers += chunk.toString().split('HTTP/1.1 200').length - 1));
    for (let round = 1; round <= 5; round += 1) {
      socket.write(requests(MOST_UNANSWERED / 2));
      await expect.poll(() => answers).toBe((round * MOST_UNANSWERED) / 2);
    }
  });
});
