/** Servers speaking like object stores, each on a port of its own on loopback. */
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { standInGcs } from './stand-in-gcs.ts';
import { standInS3 } from './stand-in-s3.ts';

/** The key known to s3rver. */
export const s3Keys = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' } as const;

export interface ObjectServer {
  /** Origin. */
  readonly url: string;
  stop(): Promise<void>;
}

/** Set by `npm run stores`: the same tests, run against emulators. */
const isEmulated = process.env['SINETE_TEST_OBJECT_STORES'] === 'emulators';

/** An S3 server with empty buckets. */
export async function startS3(buckets: readonly string[]): Promise<ObjectServer> {
  if (isEmulated) return (await import('./emulators.ts')).startS3Emulator(buckets);
  return startFaulty(standInS3(buckets));
}

/** A server of cloud storage, with any bucket. */
export async function startGcs(): Promise<ObjectServer> {
  if (isEmulated) return (await import('./emulators.ts')).startGcsEmulator();
  return startFaulty(standInGcs());
}

/** A server with answers chosen by a test. */
export async function startFaulty(answer: RequestListener): Promise<ObjectServer> {
  const server = createServer(answer);
  await listen(server);
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, stop: async () => close(server) };
}

export async function listen(server: Server): Promise<void> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
}

export async function close(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}
