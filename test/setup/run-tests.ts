/** `npm test`: makes the machine ready, builds the GUI, then runs every test. Parameters go on to Vitest. */
import { spawnSync } from 'node:child_process';
import { builtWindow, refreshProductWindow } from './built-window.ts';
import { npmTool } from './npm-tool.ts';
import { ensureSystemPackages } from './system-packages.ts';

function runVitest(...parameters: string[]): number {
  const stdio = ['ignore', 'inherit', 'inherit'] as const;
  const { status, error } = spawnSync(process.execPath, [npmTool('vitest'), ...parameters], { stdio: [...stdio] });
  if (error !== undefined) console.error(error.message);
  return status ?? 1;
}

async function runTests(filters: readonly string[]): Promise<number> {
  if (!ensureSystemPackages('test')) return 1;
  await refreshProductWindow();
  // Where only some tests are asked for, the first that needs the window builds it.
  if (filters.length === 0) await builtWindow();
  return runVitest(
    'run',
    '--config',
    'test/setup/vitest.config.ts',
    '--reporter',
    process.env['CI'] === undefined ? 'default' : 'verbose',
    '--reporter',
    'test/setup/closing-line.ts',
    ...filters,
  );
}

process.exitCode = await runTests(process.argv.slice(2));
