/**
 * `npm run bench [-- name …]`: runs `test/bench/*.bench.ts` in sequence, each in its own process, and prints the lines
 * whose bound is missed. Ends with 1 then, for a benchmark that failed, and for a line that could not be judged because
 * the machine was disturbed. A word selects the files with the word in their names.
 *
 * - `--table` prints every line.
 * - `--quick` asks for fewer rounds and smaller forms, and ends within six minutes: each file has a minute, and those
 *   that were not measured are named.
 * - `--json FILE` adds the figures to the file, as a line.
 * - `compare A B` shows how the last figures of the file B differ from those of the file A.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, globSync, readFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { installSuite } from '../setup/install-suite.ts';
import { ensureSystemPackages } from '../setup/system-packages.ts';
import { compareHistories, lineText, verdictOf, type BenchLine, type BenchReport } from './harness.ts';

const folder = fileURLToPath(new URL('.', import.meta.url));
/** Milliseconds of one file, and of all, with `--quick`. */
const [QUICK_FILE, QUICK_ALL] = [60_000, 330_000];

const { values, positionals: names } = parseArgs({
  options: { quick: { type: 'boolean' }, table: { type: 'boolean' }, json: { type: 'string' } },
  allowPositionals: true,
});
const isQuick = values.quick === true;

/**
 * Compiled code is kept between processes, like in `app/sinete.js`: without, a quarter of the memory of a short run is
 * Node's compiler of TypeScript. The first process only fills the cache.
 */
const environment = {
  ...process.env,
  NODE_COMPILE_CACHE: join(tmpdir(), 'sinete-bench-compile-cache'),
  BENCH_QUICK: isQuick ? '1' : '0',
};

async function runFile(path: string, patience?: number): Promise<BenchReport> {
  await runChild([path, 'load-only']);
  const report = await runChild([path, ...(isQuick ? ['short'] : [])], patience);
  if (report === undefined) throw new Error(`${basename(path)} told nothing.`);
  return report;
}

/** Runs a child process, for at most `patience` milliseconds. */
async function runChild(words: readonly string[], patience?: number): Promise<BenchReport | undefined> {
  const stdio = ['ignore', 'inherit', 'inherit', 'ipc'] as const;
  // A group of its own, so that the end of the time ends its children too.
  const child = fork(`${folder}run-one.ts`, [...words], { stdio: [...stdio], env: environment, detached: true });
  const end = (): void => {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
  };
  const timer = patience === undefined ? undefined : setTimeout(end, patience);
  let report: BenchReport | undefined;
  child.on('message', (message) => (report = message as BenchReport));
  const [code, signal] = (await once(child, 'exit')) as [number | null, string | null];
  clearTimeout(timer);
  if (signal === 'SIGKILL' && patience !== undefined) throw new OutOfTime();
  if (code !== 0) throw new Error(`${basename(words[0] ?? '')} ended with ${code ?? signal ?? 'nothing'}.`);
  return report;
}

class OutOfTime extends Error {}

/** The memory bound is a line like the others. */
function memoryLine({ peakMegabytes, peakMegabytesAtMost }: BenchReport): BenchLine {
  return {
    what: 'peak memory, MB',
    ratio: peakMegabytes,
    bound: peakMegabytesAtMost === undefined ? undefined : { atMost: peakMegabytesAtMost },
    detail: 'maximum resident set of the whole process',
  };
}

/** Prints the lines that need attention, or all. Answers the numbers of lines with a bound, and of those in need. */
function printReport(report: BenchReport): { readonly judged: number; readonly wrong: number } {
  const lines = [...report.lines, memoryLine(report)];
  const wrong = lines.filter((line) => ['MISS', 'NOISY'].includes(verdictOf(line)));
  const shown = values.table === true ? lines : wrong;
  const width = Math.max(0, ...shown.map(({ what }) => what.length));
  if (shown.length > 0) console.log(`\n${report.name}`);
  for (const line of shown) console.log(lineText(line, width));
  return { judged: lines.filter(({ bound }) => bound !== undefined).length, wrong: wrong.length };
}

async function runAll(files: readonly string[]): Promise<boolean> {
  const reports: BenchReport[] = [];
  const unmeasured: string[] = [];
  let [judged, wrong, failed] = [0, 0, 0];
  const start = performance.now();
  for (const path of files) {
    const left = isQuick ? Math.min(QUICK_FILE, QUICK_ALL - (performance.now() - start)) : undefined;
    try {
      if (left !== undefined && left <= 0) throw new OutOfTime();
      const report = await runFile(path, left);
      reports.push(report);
      const counts = printReport(report);
      judged += counts.judged;
      wrong += counts.wrong;
    } catch (error) {
      if (error instanceof OutOfTime) unmeasured.push(basename(path, '.bench.ts'));
      else {
        console.error(error);
        failed++;
      }
    }
  }
  if (values.json !== undefined) {
    const about = { at: new Date(), node: process.version, processor: cpus()[0]?.model, cores: cpus().length };
    appendFileSync(values.json, `${JSON.stringify({ ...about, isQuick, reports })}\n`);
  }
  if (unmeasured.length > 0) console.log(`\nNot measured for lack of time: ${unmeasured.join(', ')}.`);
  console.log(`\n${judged - wrong} of ${judged} bounds hold${failed > 0 ? `; ${failed} benchmarks failed` : ''}.`);
  return wrong === 0 && failed === 0;
}

/** The last run of a file of figures. */
const lastRun = (path: string): readonly BenchReport[] => {
  const line = readFileSync(path, 'utf8').trimEnd().split('\n').at(-1) ?? '';
  return (JSON.parse(line) as { readonly reports: readonly BenchReport[] }).reports;
};

if (names[0] === 'compare') {
  const [, before, after] = names;
  if (before === undefined || after === undefined) throw new Error('Name two files: compare BEFORE AFTER.');
  console.log(compareHistories(lastRun(before), lastRun(after)).join('\n'));
} else {
  const files = globSync(`${folder}*.bench.ts`)
    .filter((path) => names.length === 0 || names.some((name) => basename(path).includes(name)))
    .sort();
  if (files.length === 0) throw new Error(`No benchmark is called ${names.join(' or ')}.`);
  if (!ensureSystemPackages('bench')) process.exit(1);
  installSuite('test/bench');
  process.exitCode = (await runAll(files)) ? 0 : 1;
}
