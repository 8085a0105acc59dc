/**
 * `npm run bench [-- name … --short]`: runs `test/bench/*.bench.ts` in sequence, each in its own process, and prints a
 * table. Ends with 1 when a bound is missed or a benchmark fails. A word selects the files with the word in their
 * names. `--short` asks for a smaller form, to try a benchmark; benchmarks without a smaller form ignore the request.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { globSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { installSuite } from '../setup/install-suite.ts';
import { ensureSystemPackages } from '../setup/system-packages.ts';
import { keepsBound, lineText, type BenchLine, type BenchReport } from './harness.ts';

const folder = fileURLToPath(new URL('.', import.meta.url));

/**
 * Compiled code is kept between processes, like in `app/sinete.js`: without, a quarter of the memory of a short run is
 * Node's compiler of TypeScript. The first process only fills the cache.
 */
const environment = { ...process.env, NODE_COMPILE_CACHE: join(tmpdir(), 'sinete-bench-compile-cache') };

async function runFile(path: string): Promise<BenchReport> {
  await runChild([path, 'load-only']);
  const report = await runChild([path, ...(isShort ? ['short'] : [])]);
  if (report === undefined) throw new Error(`${basename(path)} told nothing.`);
  return report;
}

async function runChild(words: readonly string[]): Promise<BenchReport | undefined> {
  const stdio = ['ignore', 'inherit', 'inherit', 'ipc'] as const;
  const child = fork(`${folder}run-one.ts`, [...words], { stdio: [...stdio], env: environment });
  let report: BenchReport | undefined;
  child.on('message', (message) => (report = message as BenchReport));
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) throw new Error(`${basename(words[0] ?? '')} ended with ${code ?? 'a signal'}.`);
  return report;
}

/** The memory bound is a line like the others. */
function memoryLine({ peakMegabytes, peakMegabytesAtMost }: BenchReport): BenchLine {
  return {
    what: 'peak memory, MB',
    ratio: peakMegabytes,
    bound: peakMegabytesAtMost === undefined ? undefined : { atMost: peakMegabytesAtMost },
    detail: 'maximum resident set of the whole process',
  };
}

function printReport(report: BenchReport): boolean {
  const lines = [...report.lines, memoryLine(report)];
  const width = Math.max(...lines.map(({ what }) => what.length));
  console.log(`\n${report.name}`);
  for (const line of lines) console.log(lineText(line, width));
  return lines.every(keepsBound);
}

const { values, positionals: names } = parseArgs({ options: { short: { type: 'boolean' } }, allowPositionals: true });
const isShort = values.short === true;
const files = globSync(`${folder}*.bench.ts`)
  .filter((path) => names.length === 0 || names.some((name) => basename(path).includes(name)))
  .sort();
if (files.length === 0) throw new Error(`No benchmark is called ${names.join(' or ')}.`);

if (!ensureSystemPackages('bench')) process.exit(1);
installSuite('test/bench');

let kept = true;
for (const path of files) {
  try {
    kept = printReport(await runFile(path)) && kept;
  } catch (error) {
    console.error(error);
    kept = false;
  }
}
process.exitCode = kept ? 0 : 1;
