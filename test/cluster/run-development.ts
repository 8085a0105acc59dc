/**
 * `npm run dev:cluster -- --nodes 2`: PostgreSQL, nodes and nginx in a temporary folder, to try things by hand. The
 * nodes end with Ctrl-C, and the folder goes too. `--store s3` puts the documents into OpenStack Swift.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ensureSystemPackages } from '../setup/system-packages.ts';
import { PUBLIC_HOST, startCluster } from './start-cluster.ts';

/** No callbacks are expected: nodes may send notifications to this port of this computer. */
const CALLBACKS = 9;

async function run(): Promise<number> {
  const { values } = parseArgs({
    options: { nodes: { type: 'string', default: '2' }, store: { type: 'string', default: 'folder' } },
  });
  const nodes = Number(values.nodes);
  if (!Number.isInteger(nodes) || nodes < 1 || nodes > 9) throw new Error('--nodes is a number from 1 to 9.');
  if (values.store !== 'folder' && values.store !== 's3') throw new Error('--store is folder or s3.');
  if (!ensureSystemPackages('cluster')) return 1;
  const ended = new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => resolve());
  });
  const cluster = await startCluster(nodes, CALLBACKS, values.store);
  const folder = mkdtempSync(join(tmpdir(), 'sinete-cluster-'));
  try {
    await cluster.isReady();
    const credentials = join(folder, 'application.json');
    writeFileSync(credentials, JSON.stringify(cluster.application), { mode: 0o600 });
    console.log(`nginx:        http://127.0.0.1:${cluster.port} (send "Host: ${PUBLIC_HOST}")`);
    for (const [index, port] of cluster.nodePorts.entries()) {
      console.log(`node ${index + 1}:       http://127.0.0.1:${port}`);
    }
    console.log(`PostgreSQL:   ${cluster.database.url('cluster')}`);
    console.log(`Application:  ${credentials}`);
    console.log('Ready. Ctrl-C ends everything.');
    await ended;
  } finally {
    await cluster.stop();
    rmSync(folder, { recursive: true });
  }
  return 0;
}

process.exitCode = await run();
