/**
 * `npm run windows`: the product on Windows, as far as Wine is Windows. Runs the usual tests without Debian's programs,
 * then `*.windows.ts` of this folder. `-- --clean` removes everything kept between runs; `-- FILTER…` runs only the
 * test files with any of the words in their path.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { globSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { ensureSystemPackages } from '../setup/system-packages.ts';
import { root } from '../setup/runs.ts';
import { countUncommitted } from '../fresh/workspace.ts';
import { chooseUnitTests } from './unit-tests.ts';
import { cacheFolder, closeAll, product, removeCache, WineMachine } from './wine-machine.ts';

const tell = (step: string): void => console.log(step);

/** Exit codes: 0 passed, 1 a test failed, 2 wrong use, 3 not possible on this machine, 130 interrupted. */
async function runWindows(words: readonly string[]): Promise<number> {
  let filters: readonly string[];
  let isClean: boolean;
  try {
    const { values, positionals } = parseArgs({
      args: [...words],
      options: { clean: { type: 'boolean', default: false } },
      allowPositionals: true,
    });
    [filters, isClean] = [positionals, values.clean];
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    return 2;
  }
  if (process.platform !== 'linux' || process.getuid?.() !== 0) {
    console.error(
      'npm run windows builds a Debian root and enters its namespaces: run it as root, on Debian or Ubuntu.',
    );
    return 3;
  }
  if (!ensureSystemPackages('windows')) return 3;
  if (isClean) {
    await removeCache();
    console.log(`Removed: ${cacheFolder()}`);
    return 0;
  }
  const uncommitted = await countUncommitted();
  if (uncommitted > 0) console.log(`Not in the clone: ${uncommitted} files that are changed and not committed.`);
  return runTests(filters);
}

async function runTests(filters: readonly string[]): Promise<number> {
  const machine = await WineMachine.open(tell);
  try {
    await machine.install(tell);
    await makeDrivers(machine);
    const { run, left } = chooseUnitTests();
    for (const [reason, files] of left) console.log(`${files.length} test files are left out: ${reason}.`);
    const own = globSync('test/windows/*.windows.ts', { cwd: root });
    const isChosen = (file: string): boolean => filters.length === 0 || filters.some((word) => file.includes(word));
    const files = [...run, ...own].filter(isChosen);
    machine.write('windows-tests.json', JSON.stringify(files));
    const { code, output } = await machine.runNode(
      ['node_modules/vitest/vitest.mjs', 'run', '--config', 'test/windows/windows.config.ts'],
      { CI: 'true', SINETE_WINDOWS_TESTS: `${product.windows}\\windows-tests.json` },
    );
    writeFileSync(join(cacheFolder(), 'tests.log'), output);
    console.log(output);
    return code === 0 ? 0 : 1;
  } finally {
    await machine.close();
  }
}

/** The driver of the tests, and another in need of a missing library. */
async function makeDrivers(machine: WineMachine): Promise<void> {
  await machine.compile('test/windows/driver.c', 'test/windows/driver.dll');
  await machine.compile('-DNEEDED test/windows/needing.c', 'test/windows/needed.dll');
  await machine.compile('test/windows/needing.c', 'test/windows/needing.dll', ['test/windows/needed.dll']);
  machine.remove('test/windows/needed.dll');
}

const close = (): void => {
  console.error('Interrupted.');
  void closeAll().finally(() => process.exit(130));
};
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, close);

process.exitCode = await runWindows(process.argv.slice(2));
