/**
 * Child process of `connections.bench.ts`: a server of `node:http` with bare answers; holds every long poll. Sends its
 * address as soon as listening, and ends with the parent.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const server = createServer(({ url = '' }, response) => {
  if (!url.includes('wait=')) response.end('{}');
});
server.listen(0, '127.0.0.1', () => {
  process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
process.once('disconnect', () => process.exit());
