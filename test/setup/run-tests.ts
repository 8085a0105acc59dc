/**
 * `npm test`, and `npm run test:all` with `--long`: makes the machine ready, builds the GUI, then runs the tests. Other
 * parameters go on to Vitest.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { refreshClient } from './built-client.ts';
import { builtWindow, refreshProductWindow } from './built-window.ts';
import { COUNTED_BEFORE, RUN_RECORD, type RunRecord } from './closing-line.ts';
import { npmTool } from './npm-tool.ts';
import { makeRunFolder } from './run-folder.ts';
import { compiledCode } from './runs.ts';
import { ensureSystemPackages } from './system-packages.ts';

/** The end of a run of Vitest. The first run has no record where Vitest itself has crashed. */
interface Outcome {
  readonly code: number;
  readonly signal: NodeJS.Signals | null;
  readonly record: RunRecord | undefined;
}

/** Signals to end a run: Vitest ends first, and then the folder of the run can be removed. */
const endings = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Runs Vitest to its end, with its temporary files in a folder. A run adding the counts of an earlier run, `before`,
 * leaves no record.
 */
async function runVitest(
  config: string,
  filters: readonly string[],
  folder: string,
  before?: RunRecord,
): Promise<Outcome> {
  const recordFile = join(folder, 'record');
  const child = spawn(process.execPath, [npmTool('vitest'), 'run', '--config', config, ...filters], {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: {
      ...withoutSession(process.env),
      TMPDIR: folder,
      ...(before === undefined ? { [RUN_RECORD]: recordFile } : { [COUNTED_BEFORE]: JSON.stringify(before.counts) }),
    },
  });
  const pass = (signal: NodeJS.Signals): boolean => child.kill(signal);
  for (const signal of endings) process.on(signal, pass);
  const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
  for (const ending of endings) process.off(ending, pass);
  return { code: code ?? 1, signal, record: readRecord(recordFile) };
}

/** The tests are no session of a person: they find no certificates in the developer's browsers. */
function withoutSession(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const session = ['DISPLAY', 'WAYLAND_DISPLAY', 'XDG_SESSION_ID'];
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !session.includes(name)));
}

function readRecord(file: string): RunRecord | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as RunRecord;
  } catch {
    return undefined;
  }
}

const closingLine = fileURLToPath(new URL('closing-line.ts', import.meta.url));

/**
 * The reporters named by the parameters of Vitest, as parameters, with the closing line in addition. Vitest leaves the
 * reporters of its configuration out as soon as a parameter names another. Empty: no parameter names a reporter.
 */
function reportersOf(words: readonly string[]): readonly string[] {
  const names = words.flatMap((word, index) => {
    if (word.startsWith('--reporter=')) return [word.slice('--reporter='.length)];
    return words[index - 1] === '--reporter' ? [word] : [];
  });
  return names.length === 0 ? [] : [...names, closingLine].map((name) => `--reporter=${name}`);
}

/** The parameters without reporters. */
const withoutReporters = (words: readonly string[]): readonly string[] =>
  words.filter((word, index) => !/^--reporter(=|$)/.test(word) && words[index - 1] !== '--reporter');

/**
 * Runs the tests of a configuration, and once more the tests cut off by a crash of V8. Answers the exit code.
 * `inMemory`: temporary files are kept in memory where there is room.
 */
export async function runAndRepeat(config: string, words: readonly string[], inMemory = false): Promise<number> {
  const reporters = reportersOf(words);
  const filters = [...withoutReporters(words), ...reporters];
  const folder = makeRunFolder(inMemory);
  try {
    let first = await runVitest(config, filters, folder);
    if (first.signal === 'SIGTRAP') {
      console.log('V8 ended the test runner (SIGTRAP). All tests run once more.');
      first = await runVitest(config, filters, folder);
    }
    const { record } = first;
    if (record === undefined || record.cutOff.length === 0) return first.code;
    console.log(`V8 ended a test process (SIGTRAP). What it was running runs once more: ${record.cutOff.join(', ')}`);
    const second = await runVitest(config, [...record.cutOff, ...reporters], folder, record);
    return second.code === 0 && record.counts.failed === 0 ? 0 : 1;
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

/**
 * Compiles the code of the product's threads, and so no thread of a test needs WebAssembly for stripping types: V8 has
 * ended processes with short-lived threads using WebAssembly (SIGTRAP and SIGSEGV, nodejs/node issue 64500).
 */
async function compileThreads(): Promise<void> {
  const programs = [
    { path: 'signing/workers/worker-main.ts', workerData: undefined },
    // Neither file exists: the answer is a failure, and the code is compiled.
    { path: 'storage/sqlite/reader-main.ts', workerData: { path: 'absent.db' } },
    { path: 'storage/backup/copy-thread-main.ts', workerData: { kind: 'contents', path: 'absent.db' } },
  ];
  for (const { path, workerData } of programs) {
    const thread = new Worker(new URL(`../../src/${path}`, import.meta.url), {
      workerData,
      env: { NODE_COMPILE_CACHE: compiledCode },
      execArgv: ['--disable-warning=ExperimentalWarning'],
    });
    const answered = once(thread, 'message');
    thread.postMessage({ id: 1, sql: 'select 1', parameters: [] });
    await answered;
    await thread.terminate();
  }
}

async function runTests(words: readonly string[]): Promise<number> {
  const isLong = words.includes('--long');
  const filters = words.filter((word) => word !== '--long');
  if (!ensureSystemPackages(isLong ? 'test:all' : 'test')) return 1;
  await refreshProductWindow();
  await refreshClient();
  // If only some tests are selected, the first test in need of the window builds the window.
  if (withoutReporters(filters).length === 0) await builtWindow(isLong ? 'development' : 'production');
  await compileThreads();
  return runAndRepeat(`test/setup/vitest.${isLong ? 'long.' : ''}config.ts`, filters, !isLong);
}

if (import.meta.main) process.exitCode = await runTests(process.argv.slice(2));
