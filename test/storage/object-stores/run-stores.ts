/**
 * `npm run stores`: holds the object stores to emulators from npm (s3rver, firebase-tools), with the tests that
 * `npm test` runs against stand-ins, and to OpenStack Swift with its S3 layer, from Debian's packages. Both are more than
 * `npm test` should install (680 packages of npm and 70 of Debian), so this is a command of its own.
 */
import { spawnSync } from 'node:child_process';
import { installSuite } from '../../setup/install-suite.ts';
import { npmTool } from '../../setup/npm-tool.ts';
import { ensureSystemPackages } from '../../setup/system-packages.ts';

function runStores(): number {
  installSuite('test/storage/object-stores');
  if (!ensureSystemPackages('stores')) return 1;
  const config = 'test/storage/object-stores/stores.config.ts';
  return spawnSync(process.execPath, [npmTool('vitest'), 'run', '--config', config], { stdio: 'inherit' }).status ?? 1;
}

process.exitCode = runStores();
