/** The kinds of run, with the first files of each. `system-packages.test.ts` follows their imports from there. */
import { globSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Run } from './system-packages.ts';

export const root = fileURLToPath(new URL('../..', import.meta.url));

/** The place of compiled code for threads and processes started by tests. */
export const compiledCode = fileURLToPath(new URL('../.work/compiled', import.meta.url));

/** Globs of the first files of a run, relative to the repository. */
export const entriesOfRuns: Readonly<Record<Run, readonly string[]>> = {
  test: ['test/**/*.test.ts', 'test/setup/run-tests.ts'],
  'test:all': ['test/**/*.long.test.ts'],
  bench: ['test/bench/*.bench.ts', 'test/bench/run-*.ts'],
  interop: ['test/interop/run-interop.ts'],
  corpus: ['test/corpus/run-corpus.ts'],
  fuzz: ['test/fuzz/run-fuzz.ts', 'test/fuzz/fuzz-thread.ts'],
  screenshots: ['test/renderer/screenshots/run-screenshots.ts'],
  soak: ['test/soak/run-soak.ts'],
  faults: ['test/faults/run-faults.ts'],
  fresh: ['test/fresh/run-*.ts'],
  windows: ['test/windows/run-windows.ts', 'test/windows/*.windows.ts'],
  vectors: ['test/vectors/run-vectors.ts'],
  cluster: ['test/cluster/run-cluster.ts'],
  postgres: ['test/storage/postgres/run-postgres.ts'],
  stores: ['test/storage/object-stores/*.{stores,test}.ts', 'test/storage/object-stores/{emulators,run-stores}.ts'],
  conformance: ['test/conformance/run-conformance.ts'],
  clients: ['test/clients/run-clients.ts'],
  browsers: ['test/browsers/run-browsers.ts'],
  'preview-gate': ['test/preview-gate/run-preview-gate.ts'],
};

const isForeign = (path: string): boolean => /(^|\/)(node_modules|\.work)(\/|$)/.test(path);

/** The first files of a run, relative to the repository, in order. */
export function entriesOf(run: Run): readonly string[] {
  const found = entriesOfRuns[run].flatMap((pattern) => globSync(pattern, { cwd: root, exclude: isForeign }));
  const isOfAnother = (path: string): boolean => run === 'test' && path.endsWith('.long.test.ts');
  return found.filter((path) => !isOfAnother(path)).sort();
}
