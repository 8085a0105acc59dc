import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './longest-first.ts';

/**
 * Files that change the process they run in, so that each needs a process of its own: they replace the module
 * `electron`. All other files share the processes of the workers, because loading the product's modules once for each
 * file takes as long as many of the tests.
 */
const ownProcess = ['test/desktop/*.test.ts'];
const everything = ['test/**/*.test.ts'];
const nothingOfOurs = ['test/.work/**', '**/node_modules/**'];

export default defineConfig({
  root: fileURLToPath(new URL('../..', import.meta.url)),
  test: {
    projects: [
      { extends: true, test: { name: 'own process', include: ownProcess, exclude: nothingOfOurs } },
      {
        extends: true,
        test: {
          name: 'shared process',
          include: everything,
          exclude: [...nothingOfOurs, ...ownProcess],
          isolate: false,
          // A file leaves nothing behind for the next one in its process.
          unstubEnvs: true,
          unstubGlobals: true,
          restoreMocks: true,
        },
      },
    ],
    pool: 'forks',
    // One more than the two cores that it is made for: browsers and child processes are waited for.
    maxWorkers: 3,
    sequence: { sequencer: LongestFirst },
    // Bounds against what hangs: a test that is right passes them on a machine that is busy with other things too.
    testTimeout: 180_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 30_000 } },
    passWithNoTests: false,
    allowOnly: false,
    globalSetup: [],
  },
});
