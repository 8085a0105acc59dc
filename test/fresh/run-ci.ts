/**
 * `.ci/run`: the tests of a clean clone, in a fresh Debian root where this machine can make a root, else directly. The
 * last line of standard output is the closing line of the tests. Imports nothing installed by npm.
 */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { knownWords } from '../setup/shell-text.ts';
import { ensureSystemPackages, systemTool } from '../setup/system-packages.ts';
import { closeAllRoots, superuser, type OpenRoot } from './debian-root.ts';
import { cloneOf, Workspace } from './workspace.ts';

/** Installs the packages, runs the tests and prints their sum. */
const TESTS = ['.ci/run', '--here'] as const;

/** The end without installed packages and without any test run. */
const NOT_INSTALLED = 75;

/** A bound against a silent mirror. Building takes 20 s on an idle machine. */
const BUILD_LIMIT = 10 * 60_000;

/** Opens a root with a way to the package mirror. Answers the reason when any part fails. */
async function openConnectedRoot(workspace: Workspace): Promise<OpenRoot | string> {
  const limit = setTimeout(() => void closeAllRoots(), BUILD_LIMIT);
  try {
    await workspace.buildBase();
    const root = await workspace.open(await workspace.makeRoot([superuser]), 'shared');
    const { code, output } = await root.run('node --version && npm --version && apt-get update -qq');
    return code === 0 ? root : `Node or the package mirror cannot be used in it: ${output.trimEnd()}`;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    clearTimeout(limit);
  }
}

/** The exit code of the tests in a root, or the reason why there is none. */
async function runInRoot(): Promise<number | string> {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'It needs root on Linux.';
  if (!ensureSystemPackages('fresh')) return 'Packages are missing.';
  const workspace = new Workspace();
  const stopWatching = workspace.closeOnSignals();
  const isInterrupted = (): boolean => workspace.isClosing;
  const options = { folder: cloneOf(superuser), environment: { CI: process.env['CI'] ?? 'true' } };
  try {
    const root = await openConnectedRoot(workspace);
    if (isInterrupted()) return 130;
    if (typeof root === 'string') return root;
    console.log('The tests run in a fresh Debian root.');
    const { code } = await root.run(`bash ${TESTS.join(' ')}`, { ...options, shown: true });
    if (isInterrupted()) return 130;
    return code === NOT_INSTALLED ? 'npm ci fails in it.' : (code ?? 1);
  } finally {
    await workspace.close().catch((error: unknown) => console.error(error));
    stopWatching();
  }
}

function runDirectly(reason: string): number {
  console.log(`The tests run directly on this machine, because there is no fresh Debian root. ${reason}`);
  const { status } = spawnSync(systemTool('bash'), knownWords(TESTS), {
    cwd: fileURLToPath(new URL('../..', import.meta.url)),
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  return status ?? 1;
}

const outcome = await runInRoot().catch((error: unknown) => (error instanceof Error ? error.message : String(error)));
process.exitCode = typeof outcome === 'number' ? outcome : runDirectly(outcome);
