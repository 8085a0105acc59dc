/**
 * `npm run postgres`: the tests of the stores, and of the services over them, on Debian's PostgreSQL server instead of
 * SQLite. `npm test` runs the same files on SQLite.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { openPostgres } from '../../../src/storage/postgres/open-postgres.ts';
import { POSTGRES_SERVER } from '../../setup/needs.ts';
import { npmTool } from '../../setup/npm-tool.ts';
import { ensureSystemPackages } from '../../setup/system-packages.ts';
import { startPostgres } from './postgres-server.ts';

async function runPostgres(filters: readonly string[]): Promise<number> {
  if (!ensureSystemPackages('postgres')) return 1;
  const server = await startPostgres();
  try {
    const template = await openPostgres(await server.createDatabase('migrated'));
    await template.close();
    const words = [npmTool('vitest'), 'run', '--config', 'test/storage/postgres/postgres.config.ts', ...filters];
    const run = spawn(process.execPath, words, {
      stdio: ['ignore', 'inherit', 'inherit'],
      env: { ...process.env, [POSTGRES_SERVER]: server.url('DATABASE') },
    });
    const [code] = (await once(run, 'exit')) as [number | null];
    return code ?? 1;
  } finally {
    await server.stop();
  }
}

process.exitCode = await runPostgres(process.argv.slice(2));
