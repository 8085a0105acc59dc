/** Emulators of object stores from the package beside this file, which `npm run stores` installs. */
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type RequestListener, type Server } from 'node:http';
// eslint-disable-next-line no-restricted-imports -- the emulator is reached by paths inside of its package
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { close, listen, type ObjectServer } from './object-servers.ts';

const load = createRequire(import.meta.url);

type S3rver = new (options: object) => {
  readonly httpServer: Server;
  run(): Promise<AddressInfo>;
  close(): Promise<void>;
};

/** An S3 server (s3rver) with empty buckets. */
export async function startS3Emulator(buckets: readonly string[]): Promise<ObjectServer> {
  const Server = load('s3rver') as S3rver;
  const directory = await mkdtemp(join(tmpdir(), `s3-${randomUUID().slice(0, 8)}-`));
  const configureBuckets = buckets.map((name) => ({ name }));
  const server = new Server({ port: 0, address: '127.0.0.1', silent: true, directory, configureBuckets });
  const { port } = await server.run();
  return {
    url: `http://127.0.0.1:${port}`,
    stop: async () => {
      // A normal end would wait for clients keeping a connection open.
      server.httpServer.closeAllConnections();
      await server.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

interface Emulator {
  readonly storageLayer: unknown;
  stop(): Promise<void>;
}

/** The emulator of cloud storage inside firebase-tools, in this process: its launcher would want Java. */
export async function startGcsEmulator(): Promise<ObjectServer> {
  const root = join(dirname(load.resolve('firebase-tools/package.json')), 'lib', 'emulator');
  const { StorageEmulator } = load(join(root, 'storage', 'index.js')) as {
    StorageEmulator: new (options: object) => Emulator;
  };
  const { createApp } = load(join(root, 'storage', 'server.js')) as {
    createApp: (project: string, emulator: Emulator) => Promise<RequestListener>;
  };
  const { EmulatorRegistry } = load(join(root, 'registry.js')) as {
    EmulatorRegistry: { readonly INSTANCES: Map<string, Emulator> };
  };
  const server = createServer();
  await listen(server);
  const { port } = server.address() as AddressInfo;
  const rules = { name: 'none', content: '' };
  const emulator = new StorageEmulator({ projectId: 'demo', host: '127.0.0.1', port, rules });
  EmulatorRegistry.INSTANCES.set('storage', emulator);
  server.on('request', await createApp('demo', emulator));
  return { url: `http://127.0.0.1:${port}`, stop: async () => close(server) };
}
