import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ResultLine, TestedMutant } from './result-reporter.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const stryker = join(root, 'test/mutants/node_modules/@stryker-mutator/core/bin/stryker.js');

/** The outcome of the mutants of a single source file. */
export interface FileResult {
  /** Relative to the repository, with slashes. */
  readonly file: string;
  readonly mutants: readonly TestedMutant[];
  /** Mutants planned and not tested when the time was over. */
  readonly cutOff: number;
  readonly seconds: number;
}

/** How the tests run: so many mutants at a time, in threads or in processes of their own. */
interface Way {
  readonly concurrency: number;
  readonly pool: 'threads' | 'forks';
}

/**
 * Mutates one file in a copy of the repository and runs `tests` (globs, relative to the repository) for each mutant
 * reached. Ends after `minutes` at the latest. Throws when Stryker fails, for example by a failing test without any
 * mutant.
 */
export async function runStryker(
  file: string,
  tests: readonly string[],
  { minutes, ...way }: Way & { readonly minutes: number },
): Promise<FileResult> {
  mkdirSync(join(root, 'test/.work'), { recursive: true });
  const work = mkdtempSync(join(root, 'test/.work/mutants-'));
  const started = Date.now();
  try {
    const results = join(work, 'results.ndjson');
    const ended = await runWithin(minutes, writeConfiguration(work, file, way), {
      SINETE_MUTANT_RESULTS: results,
      SINETE_MUTANT_TESTS: JSON.stringify(tests),
      NODE_COMPILE_CACHE: join(work, 'compiled'),
    });
    const { planned, mutants } = readResults(results);
    if (ended !== 'over' && (ended !== 0 || planned === undefined)) {
      throw new Error(`Stryker ended with ${String(ended)} for ${file}: its output stands above.`);
    }
    const seconds = (Date.now() - started) / 1000;
    if (planned === undefined)
      throw new Error(`The tests of ${file} took longer than ${minutes} min without any mutant.`);
    return { file, mutants, cutOff: planned - mutants.length, seconds };
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** Writes Stryker's configuration into `work` and returns its path. */
function writeConfiguration(work: string, file: string, { concurrency, pool }: Way): string {
  const path = join(work, 'stryker.json');
  const configuration = {
    mutate: [file],
    testRunner: 'vitest',
    plugins: ['@stryker-mutator/vitest-runner', join(root, 'test/mutants/result-reporter.ts')],
    reporters: ['results'],
    vitest: { configFile: 'test/mutants/vitest.config.ts', related: false, pool },
    coverageAnalysis: 'perTest',
    // Texts are not behaviour: the words of a message are a matter for the tests of the message.
    mutator: { excludedMutations: ['StringLiteral'] },
    concurrency,
    disableTypeChecks: false,
    ignorePatterns: ['/test/.work', '/out', '/release', '/renderer/dist', '*.log'],
    tempDirName: relative(root, join(work, 'copy')),
    cleanTempDir: 'always',
    timeoutMS: 15_000,
    allowConsoleColors: false,
    logLevel: 'warn',
    // The result is judged here.
    thresholds: { break: null },
  };
  writeFileSync(path, JSON.stringify(configuration, null, 2));
  return path;
}

/** Stryker's exit code, or `over` when ended after its time. */
async function runWithin(
  minutes: number,
  configuration: string,
  variables: Readonly<Record<string, string>>,
): Promise<number | NodeJS.Signals | 'over'> {
  // A group of its own: the processes running tests end with the group.
  const child = spawn(process.execPath, [stryker, 'run', configuration], {
    cwd: root,
    env: { ...process.env, ...variables },
    stdio: ['ignore', 2, 2],
    detached: true,
  });
  const endGroup = (signal: NodeJS.Signals): void => {
    if (child.pid !== undefined && child.exitCode === null && child.signalCode === null)
      process.kill(-child.pid, signal);
  };
  const interrupted = (): void => {
    endGroup('SIGKILL');
    process.exit(130);
  };
  process.once('SIGINT', interrupted).once('SIGTERM', interrupted);
  let isOver = false;
  const timer = setTimeout(() => {
    isOver = true;
    endGroup('SIGKILL');
  }, minutes * 60_000);
  try {
    return await new Promise((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (code, signal) => {
        resolve(isOver ? 'over' : (code ?? signal ?? 1));
      });
    });
  } finally {
    clearTimeout(timer);
    process.off('SIGINT', interrupted).off('SIGTERM', interrupted);
  }
}

function readResults(path: string): {
  readonly planned: number | undefined;
  readonly mutants: readonly TestedMutant[];
} {
  const text = existsSync(path) ? readFileSync(path, 'utf8') : '';
  // The last line may be cut off in the middle.
  const whole = text.slice(0, text.lastIndexOf('\n') + 1);
  const lines = whole
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as ResultLine);
  const planned = lines.find((line) => line.kind === 'planned')?.count;
  return { planned, mutants: lines.filter((line) => line.kind === 'tested').map(({ mutant }) => mutant) };
}
