/**
 * `npm run stores`: holds the object stores to emulators from npm (s3rver, firebase-tools), with the tests that
 * `npm test` runs against stand-ins, and to OpenStack Swift with its S3 layer, from Debian's packages. Both are more than
 * `npm test` should install (680 packages of npm and 70 of Debian), so this is a command of its own.
 */
import { spawnSync } from 'node:child_process';
import { installSuite } from '../../setup/install-suite.ts';
import { ensureSystemPackages, type SystemPackage } from '../../setup/system-packages.ts';

const packages: readonly SystemPackage[] = [
  { name: 'swift-proxy', proof: ['/usr/bin/swift-proxy-server'], why: 'an S3 server that checks signatures' },
  { name: 'swift-account', proof: ['/usr/bin/swift-account-server'], why: 'keeps its accounts' },
  { name: 'swift-container', proof: ['/usr/bin/swift-container-server'], why: 'keeps its buckets' },
  { name: 'swift-object', proof: ['/usr/bin/swift-object-server'], why: 'keeps its objects' },
];

function runStores(): number {
  installSuite('test/storage/object-stores');
  if (!ensureSystemPackages(packages)) return 1;
  const config = 'test/storage/object-stores/stores.config.ts';
  return spawnSync('vitest', ['run', '--config', config], { stdio: 'inherit' }).status ?? 1;
}

process.exitCode = runStores();
