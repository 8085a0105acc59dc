import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/** Globs of the tests chosen by `npm run mutants` for the mutated file. */
const tests = JSON.parse(process.env['SINETE_MUTANT_TESTS'] ?? '[]') as string[];

/**
 * Node loads the sources itself, as in the product: each mutant is tried in a fresh worker, and handing the worker
 * hundreds of modules singly would take most of the time. A mutant without an answer fails a test after `testTimeout`.
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
