/**
 * `npm run mutants [-- [--concurrency N] [--tests GLOB]… [GROUP | FILE]…]`: changes the sources in small ways and counts
 * the changes that no test notices. Without parameters it measures all groups. Ends with 1 below the limit of a group,
 * and for a row of the table of survivors that is out of date.
 */
import { globSync } from 'node:fs';
import { matchesGlob } from 'node:path';
import { parseArgs } from 'node:util';
import { installSuite } from '../setup/install-suite.ts';
import { mutantGroups, type MutantGroup } from './groups.ts';
import {
  countMutants,
  livingMutants,
  scoreOf,
  staleSurvivors,
  sumCounts,
  unexplained,
  type MutantCounts,
} from './judge.ts';
import { runStryker, type FileResult } from './run-stryker.ts';
import { survivors } from './survivors.ts';

/** Time limit for a file. Mutants without a result by then count as not killed. */
const minutesPerFile = 20;

/** Files measured and judged together. */
interface Measurement {
  readonly name: string;
  readonly files: readonly { readonly file: string; readonly tests: readonly string[] }[];
  /** Percent; undefined: only some files of a group, or none of its files, were asked for. */
  readonly limit: number | undefined;
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { concurrency: { type: 'string', default: '2' }, tests: { type: 'string', multiple: true, default: [] } },
});

function filesOf({ files }: MutantGroup): readonly string[] {
  return globSync([...files])
    .map((file) => file.replaceAll('\\', '/'))
    .sort();
}

/** Globs of the tests of a source; throws when there are none. */
function testsOf(file: string): readonly string[] {
  if (values.tests.length > 0) return values.tests;
  const rows = mutantGroups.filter((group) => filesOf(group).includes(file)).flatMap(({ tests }) => tests);
  const found = rows.find((row) => matchesGlob(file, row.file))?.run ?? mirrored(file);
  if (globSync([...found]).length > 0) return found;
  throw new Error(`No tests are known for ${file}: name them with --tests GLOB, or in test/mutants/groups.ts.`);
}

const poolOf = (file: string): 'threads' | 'forks' =>
  mutantGroups.find((group) => filesOf(group).includes(file))?.pool ?? 'threads';

/** `src/http/x/y.ts` → the tests of its name, else of its folder, below `test/http/x`. */
function mirrored(file: string): readonly string[] {
  const [folder, name] = [file.slice('src/'.length, file.lastIndexOf('/')), file.slice(file.lastIndexOf('/') + 1, -3)];
  const ofItsName = `test/${folder}/${name}.test.ts`;
  return globSync(ofItsName).length > 0 ? [ofItsName] : [`test/${folder}/*.test.ts`];
}

function measurements(): readonly Measurement[] {
  const named = positionals.length === 0 ? mutantGroups.map(({ name }) => name) : positionals;
  const groups = mutantGroups.filter(({ name }) => named.includes(name));
  const others = named.filter((name) => !groups.some((group) => group.name === name));
  const missing = others.filter((file) => globSync(file).length === 0);
  if (missing.length > 0) {
    const names = mutantGroups.map(({ name }) => name).join(', ');
    throw new Error(`There is no file or group ${missing.join(', ')}. Groups: ${names}.`);
  }
  const all = groups.map((group) => ({ name: group.name, limit: group.limit, files: filesOf(group) }));
  if (others.length > 0) all.push({ name: 'files', limit: 0, files: others });
  return all.map(({ name, limit, files }) => ({
    name,
    limit: name === 'files' ? undefined : limit,
    files: files.map((file) => ({ file, tests: testsOf(file) })),
  }));
}

const columns = ['killed', 'timeouts', 'survived', 'noCoverage', 'cutOff'] as const;

function tell(name: string, counts: MutantCounts, seconds?: number): void {
  const numbers = columns.map((column) => `${String(counts[column]).padStart(5)} ${column}`).join('');
  const time = seconds === undefined ? '' : `  ${seconds.toFixed(0)} s`;
  console.log(`${scoreOf(counts).toFixed(1).padStart(5)} %${numbers}  ${name}${time}`);
}

/** Measures files one after the other and answers how many things are wrong. */
async function measure({ name, files, limit }: Measurement): Promise<number> {
  console.log(`\n${name}`);
  const results: FileResult[] = [];
  for (const { file, tests } of files) {
    const concurrency = Number(values.concurrency);
    const result = await runStryker(file, tests, { minutes: minutesPerFile, concurrency, pool: poolOf(file) });
    tell(file, countMutants(result), result.seconds);
    results.push(result);
  }
  const living = results.flatMap((result) => livingMutants(result));
  for (const one of unexplained(survivors, living)) {
    const how = one.isCovered ? 'survives' : 'is not reached';
    console.log(`  ${one.file}:${one.line} ${how}: ${one.original} → ${one.replacement} (${one.mutator})`);
  }
  const complete = results.filter(({ cutOff }) => cutOff === 0).map(({ file }) => file);
  const stale = staleSurvivors(survivors, complete, living);
  for (const { file, original, replacement } of stale) {
    console.log(`  out of date in test/mutants/survivors.ts: ${file}: ${original} → ${replacement}`);
  }
  const counts = sumCounts(results.map(countMutants));
  tell(`together${limit === undefined ? '' : ` (limit ${limit} %)`}`, counts);
  const isBelow = limit !== undefined && scoreOf(counts) < limit;
  if (isBelow) console.log(`  ${name} is below its limit of ${limit} %.`);
  return stale.length + Number(isBelow);
}

async function runMutants(): Promise<number> {
  const all = measurements();
  installSuite('test/mutants');
  let wrong = 0;
  for (const measurement of all) wrong += await measure(measurement);
  return wrong === 0 ? 0 : 1;
}

try {
  process.exitCode = await runMutants();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
