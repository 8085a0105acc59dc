/**
 * `npm test`, and `npm run test:all` with `--long`: makes the machine ready, builds the GUI, then runs the tests. Other
 * parameters go on to Vitest.
 */
import { spawnSync } from 'node:child_process';
import { builtWindow, refreshProductWindow } from './built-window.ts';
import { npmTool } from './npm-tool.ts';
import { ensureSystemPackages } from './system-packages.ts';

async function runTests(words: readonly string[]): Promise<number> {
  const isLong = words.includes('--long');
  const filters = words.filter((word) => word !== '--long');
  if (!ensureSystemPackages(isLong ? 'test:all' : 'test')) return 1;
  await refreshProductWindow();
  // Where only some tests are asked for, the first that needs the window builds it.
  if (filters.length === 0) await builtWindow();
  const config = `test/setup/vitest.${isLong ? 'long.' : ''}config.ts`;
  const { status, error } = spawnSync(process.execPath, [npmTool('vitest'), 'run', '--config', config, ...filters], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  if (error !== undefined) console.error(error.message);
  return status ?? 1;
}

process.exitCode = await runTests(process.argv.slice(2));
