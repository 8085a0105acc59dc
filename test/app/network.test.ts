import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openNetwork } from '../../src/app/compose/network.ts';

let services: Server;
let port: number;
beforeAll(async () => {
  services = createServer((_request, response) => response.end('ok'));
  await new Promise<void>((resolve) => services.listen(0, '127.0.0.1', resolve));
  ({ port } = services.address() as AddressInfo);
});
afterAll(() => services.close());

const settings = { allow: [], noProxy: [], certificateAuthorities: [] };
const ask = (at: number) => ({
  method: 'GET' as const,
  url: `http://127.0.0.1:${at}/crl`,
  timeout: 5000,
  maxBytes: 1000,
});

describe('an address of the test services', () => {
  it('is refused with their starting command, while the services are stopped', async () => {
    const network = openNetwork({ network: settings, testServicesPort: port }, async () => Promise.resolve(undefined));
    await expect(network.send(ask(port))).rejects.toMatchObject({
      code: 'NETWORK_REFUSED',
      message: expect.stringContaining('sinete test-services') as string,
    });
    await expect(network.send(ask(port + 1))).rejects.toMatchObject({
      code: 'NETWORK_REFUSED',
      message: expect.stringContaining('list of allowed hosts') as string,
    });
    await network.close();
  });

  it('is reached while the services run', async () => {
    const origin = `http://127.0.0.1:${port}`;
    const network = openNetwork({ network: settings, testServicesPort: port }, async () => Promise.resolve(origin));
    expect((await network.send(ask(port))).status).toBe(200);
    await network.close();
  });
});
