/**
 * `npm run dist [-- options of electron-builder]`: checks an application that is packed around a stand-in for Electron's
 * runtime, then makes the installers for this system in `release/`. With `-- --check` it only checks.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { installSuite } from '../setup/install-suite.ts';
import { writeChecksums } from './checksums.ts';

const root = join(import.meta.dirname, '../..');

function run(program: string, ...words: string[]): boolean {
  const { status, error } = spawnSync(process.execPath, [join(root, program), ...words], {
    cwd: root,
    stdio: 'inherit',
  });
  if (error !== undefined) console.error(error.message);
  return status === 0;
}

function makeInstallers(words: readonly string[]): boolean {
  return (
    run('node_modules/vite/bin/vite.js', 'build', 'renderer') &&
    run('src/app/build-client.ts') &&
    run('node_modules/electron-vite/bin/electron-vite.js', 'build', '--logLevel', 'warn') &&
    run('test/dist/node_modules/electron-builder/cli.js', '--publish', 'never', ...words)
  );
}

async function runDist(words: readonly string[]): Promise<boolean> {
  installSuite('test/dist');
  if (!run('node_modules/vitest/vitest.mjs', 'run', '--config', 'test/dist/dist.config.ts')) return false;
  if (words.includes('--check')) return true;
  if (!makeInstallers(words)) return false;
  await writeChecksums(join(root, 'release'));
  return true;
}

process.exitCode = (await runDist(process.argv.slice(2))) ? 0 : 1;
