import { spawnSync, type SpawnSyncReturns } from 'node:child_process';
import { delimiter, join, sep } from 'node:path';
import { interleave, median, compared, milliseconds, type Benchmark, type Measure } from './harness.ts';

const root = join(import.meta.dirname, '../..');

/**
 * The environment of a terminal: without the folders put by `npm run` before the search path, and this bench's cache.
 */
function terminal(): NodeJS.ProcessEnv {
  const isOfNpm = (folder: string): boolean => folder.endsWith(`${sep}node_modules${sep}.bin`);
  const path = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => !isOfNpm(folder));
  const entries = Object.entries(process.env).filter(([name]) => !/^(npm_|NODE_|SINETE_)/.test(name));
  return { ...Object.fromEntries(entries), PATH: path.join(delimiter) };
}

const options = { cwd: root, env: terminal(), shell: process.platform === 'win32' };

const timeOf = (run: () => SpawnSyncReturns<Buffer>): Measure => {
  return async () =>
    milliseconds(() => {
      const { status, error } = run();
      if (status !== 0) throw new Error(`A command ended with ${status ?? 'a signal'}.`, { cause: error });
    });
};

export const benchmark: Benchmark = {
  name: 'The version of the command line, in a checkout: the time of npx in relation to the program alone',
  async run() {
    const figures = await interleave({
      npx: timeOf(() => spawnSync('npx', ['sinete', '--version'], options)),
      alone: timeOf(() =>
        spawnSync(process.execPath, ['src/app/sinete.js', '--version'], { ...options, shell: false }),
      ),
    });
    return [
      {
        what: 'npx sinete --version',
        ...compared(figures, 'npx', 'alone'),
        bound: { atMost: 10 },
        detail: `${median(figures.npx).toFixed(0)} ms against ${median(figures.alone).toFixed(0)} ms`,
      },
    ];
  },
};
