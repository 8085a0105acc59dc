import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/** Globs of the tests that `npm run mutants` chose for the file it mutates. */
const tests = JSON.parse(process.env['SINETE_MUTANT_TESTS'] ?? '[]') as string[];

/**
 * Node loads the sources itself, as it does in the product: each mutant is tried in a fresh worker, and handing the
 * worker hundreds of modules one by a single would take most of the time. A mutant that never answers fails a test after
 * `testTimeout`.
 */
export default defineConfig({
  root: fileURLToPath(new URL('../..', import.meta.url)),
  test: {
    include: tests,
    server: { deps: { external: [/\/src\/.*\.ts$/] } },
    testTimeout: 10_000,
    hookTimeout: 20_000,
    allowOnly: false,
  },
});
