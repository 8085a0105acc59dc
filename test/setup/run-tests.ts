/** `npm test`: makes the machine ready, builds the GUI, then runs every test. Parameters go on to Vitest. */
import { spawnSync } from 'node:child_process';
import { ensureSystemPackages } from './system-packages.ts';

function run(program: string, ...parameters: string[]): number {
  const { status, error } = spawnSync(program, parameters, { stdio: ['ignore', 'inherit', 'inherit'] });
  if (error !== undefined) console.error(error.message);
  return status ?? 1;
}

function runTests(filters: readonly string[]): number {
  if (!ensureSystemPackages()) return 1;
  const built = run('vite', 'build', 'renderer', '--logLevel', 'warn');
  if (built !== 0) return built;
  return run(
    'vitest',
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

process.exitCode = runTests(process.argv.slice(2));
