import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './longest-first.ts';

export default defineConfig({
  root: fileURLToPath(new URL('../..', import.meta.url)),
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/.work/**', '**/node_modules/**'],
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
