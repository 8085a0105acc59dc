import { defineConfig, type ViteUserConfig } from 'vitest/config';
import { LongestFirst } from './longest-first.ts';
import { compiledCode, root } from './runs.ts';

const nothingOfOurs = ['test/.work/**', '**/node_modules/**'];

/** The files of a run, as globs relative to the repository. */
export interface TestFiles {
  readonly files: readonly string[];
  /**
   * The files changing their process, each in need of a process of its own: these replace the module `electron`, or end
   * many threads, and afterwards V8 may end the process. All other files share the processes of the workers, because
   * loading the product's modules once for each file takes as long as many of the tests.
   */
  readonly ownProcess?: readonly string[];
  /** Files belonging to another run. */
  readonly except?: readonly string[];
  /** Added to the environment of the tests. */
  readonly environment?: Readonly<Record<string, string>>;
}

/** The configuration of Vitest for some of the tests. */
export function testConfig({ files, ownProcess = [], except = [], environment = {} }: TestFiles): ViteUserConfig {
  const exclude = [...nothingOfOurs, ...except];
  return defineConfig({
    root,
    test: {
      projects: [
        { extends: true, test: { name: 'own process', include: [...ownProcess], exclude } },
        {
          extends: true,
          test: {
            name: 'shared process',
            include: [...files],
            exclude: [...exclude, ...ownProcess],
            isolate: false,
            // Restored after each file, because the next file shares the process.
            unstubEnvs: true,
            unstubGlobals: true,
            restoreMocks: true,
          },
        },
      ],
      pool: 'forks',
      env: { NODE_COMPILE_CACHE: compiledCode, ...environment },
      // A worker more than the two cores of the usual machine, because tests wait for browsers and child processes.
      maxWorkers: 3,
      sequence: { sequencer: LongestFirst },
      // Time limits for hanging tests; a correct test passes even on a busy machine.
      testTimeout: 180_000,
      hookTimeout: 300_000,
      expect: { poll: { timeout: 60_000 } },
      reporters: [process.env['CI'] === undefined ? 'default' : 'verbose', './test/setup/closing-line.ts'],
      // The closing line fails a run, a file or a group without tests, unless rights missing in the run are needed.
      passWithNoTests: true,
      allowOnly: false,
    },
  });
}
