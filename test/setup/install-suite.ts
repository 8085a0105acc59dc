import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

/**
 * Installs the packages of a single suite from the lock file in its own folder (`test/mutants`, …; relative to the
 * repository). Tools of a single command stay out of `npm ci` this way. Does nothing while `node_modules` was installed
 * from the same lock by the same Node. Throws when npm fails; the output of npm is on stderr then.
 */
export function installSuite(folder: string): void {
  const place = join(root, folder);
  const proof = join(place, 'node_modules/.sinete-suite');
  const wanted = fingerprintOf(place);
  if (readIfThere(proof) === wanted) return;
  console.log(`Installing the packages of ${folder} (npm ci).`);
  rmSync(proof, { force: true });
  const { status, error } = spawnSync('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: place,
    // `npm run` tells its children to take the repository for the project's folder.
    env: { ...process.env, npm_config_local_prefix: place },
    // Standard output belongs to the command needing the suite.
    stdio: ['ignore', 2, 2],
    shell: process.platform === 'win32',
  });
  if (status !== 0) {
    throw new Error(`npm ci failed in ${folder}${error === undefined ? '' : `: ${error.message}`}.`);
  }
  writeFileSync(proof, wanted);
}

/** SHA-256 of the files deciding on npm's installation, and of the Node behind native packages. */
function fingerprintOf(place: string): string {
  const hash = createHash('sha256').update(`${process.version} ${process.platform} ${process.arch}`);
  for (const name of ['package.json', 'package-lock.json', '.npmrc']) {
    hash.update(`\n${name}\n${readIfThere(join(place, name)) ?? ''}`);
  }
  return hash.digest('hex');
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
