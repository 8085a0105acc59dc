/** OpenStack Swift with its S3 layer, from Debian's packages, on loopback and in a folder of its own. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { systemTool } from '../../setup/system-packages.ts';
import type { ObjectServer } from './object-servers.ts';

const program = fileURLToPath(new URL('swift-server.py', import.meta.url));

/** The packages of these programs bring the Python modules imported by `swift-server.py`. */
const requireServers = (): readonly string[] => [
  systemTool('swift-proxy-server'),
  systemTool('swift-account-server'),
  systemTool('swift-container-server'),
  systemTool('swift-object-server'),
];

/** The account given to Swift at its start. */
export const swiftKeys = { accessKeyId: 'office:signer', secretAccessKey: 'swift-secret' } as const;

/**
 * Starts Swift with empty buckets. Rejects when the server ends before its first answer; its messages stand on standard
 * error.
 */
export async function startSwift(buckets: readonly string[]): Promise<ObjectServer> {
  requireServers();
  const folder = await mkdtemp(join(tmpdir(), 'swift-'));
  const { accessKeyId, secretAccessKey } = swiftKeys;
  const server = spawn(systemTool('python3'), [program, folder, accessKeyId, secretAccessKey, ...buckets], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const ended = once(server, 'exit');
  const stop = async (): Promise<void> => {
    server.stdin.end();
    await ended;
    await rm(folder, { recursive: true });
  };
  const [first] = (await Promise.race([once(createInterface(server.stdout), 'line'), ended])) as [unknown];
  if (typeof first === 'string' && /^\d+$/.test(first)) return { url: `http://127.0.0.1:${first}`, stop };
  await stop();
  throw new Error('OpenStack Swift did not start.');
}
