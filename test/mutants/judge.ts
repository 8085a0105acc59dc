import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TestedMutant } from './result-reporter.ts';
import type { FileResult } from './run-stryker.ts';
import type { Survivor } from './survivors.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Counts of mutants. Mutants unable to run (`CompileError`, `RuntimeError`) and excluded mutants are not counted. */
export interface MutantCounts {
  readonly killed: number;
  readonly timeouts: number;
  readonly survived: number;
  readonly noCoverage: number;
  /** Not tested when the time was over. */
  readonly cutOff: number;
}

/** A mutant unnoticed by all tests, with its place for a person and its name in the table of survivors. */
export interface LivingMutant {
  readonly file: string;
  readonly line: number;
  readonly mutator: string;
  readonly original: string;
  readonly replacement: string;
  readonly isCovered: boolean;
}

/** Counts the mutants of a single file. */
export function countMutants({ mutants, cutOff }: Pick<FileResult, 'mutants' | 'cutOff'>): MutantCounts {
  const count = (status: TestedMutant['status']): number => mutants.filter((one) => one.status === status).length;
  return {
    killed: count('Killed'),
    timeouts: count('Timeout'),
    survived: count('Survived'),
    noCoverage: count('NoCoverage'),
    cutOff,
  };
}

/** The counts of several files together. */
export function sumCounts(all: readonly MutantCounts[]): MutantCounts {
  const sum = (of: keyof MutantCounts): number => all.reduce((total, counts) => total + counts[of], 0);
  return {
    killed: sum('killed'),
    timeouts: sum('timeouts'),
    survived: sum('survived'),
    noCoverage: sum('noCoverage'),
    cutOff: sum('cutOff'),
  };
}

/** Percent noticed: killed, or running endlessly. A file without mutants has none to miss: 100. */
export function scoreOf({ killed, timeouts, survived, noCoverage, cutOff }: MutantCounts): number {
  const noticed = killed + timeouts;
  const all = noticed + survived + noCoverage + cutOff;
  return all === 0 ? 100 : (100 * noticed) / all;
}

/** The mutants of a file unnoticed by all tests, with the replaced source of each. */
export function livingMutants(
  { file, mutants }: Pick<FileResult, 'file' | 'mutants'>,
  source: string = readFileSync(join(root, file), 'utf8'),
): readonly LivingMutant[] {
  const lines = source.split('\n');
  return mutants
    .filter(({ status }) => status === 'Survived' || status === 'NoCoverage')
    .map(({ location: { start, end }, mutatorName, replacement, status }) => {
      // Lines and columns count from 1.
      const part = lines.slice(start.line - 1, end.line);
      const last = part.length - 1;
      part[last] = part[last]?.slice(0, end.column - 1) ?? '';
      part[0] = part[0]?.slice(start.column - 1) ?? '';
      return {
        file,
        line: start.line,
        mutator: mutatorName,
        isCovered: status === 'Survived',
        original: singleBlanks(part.join('\n')),
        replacement: singleBlanks(replacement),
      };
    });
}

/** The rows of the table about these files without a fitting living mutant: to be removed. */
export function staleSurvivors(
  table: readonly Survivor[],
  files: readonly string[],
  living: readonly LivingMutant[],
): readonly Survivor[] {
  return table.filter((row) => files.includes(row.file) && !living.some((one) => fits(row, one)));
}

/** The rows with a source no longer in their file: no mutant can fit any more, and nothing has to be measured. */
export function vanishedSurvivors(
  table: readonly Survivor[],
  readSource: (file: string) => string = (file) => readFileSync(join(root, file), 'utf8'),
): readonly Survivor[] {
  return table.filter(({ file, original }) => !singleBlanks(readSource(file)).includes(original));
}

/** The living mutants without a row on their harmlessness. */
export function unexplained(table: readonly Survivor[], living: readonly LivingMutant[]): readonly LivingMutant[] {
  return living.filter((one) => !table.some((row) => fits(row, one)));
}

function fits({ file, original, replacement }: Survivor, mutant: LivingMutant): boolean {
  return file === mutant.file && original === mutant.original && replacement === mutant.replacement;
}

const singleBlanks = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();
