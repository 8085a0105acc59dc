import { appendFileSync } from 'node:fs';

/** The members used of Stryker's `MutantResult` (its packages are installed for this command only). */
export interface TestedMutant {
  readonly id: string;
  /** Absolute path of the original. */
  readonly fileName: string;
  readonly mutatorName: string;
  readonly replacement: string;
  readonly status: MutantStatus;
  readonly statusReason?: string;
  /** Lines and columns count from 1. */
  readonly location: { readonly start: Position; readonly end: Position };
}

interface Position {
  readonly line: number;
  readonly column: number;
}

export type MutantStatus =
  'Killed' | 'Survived' | 'NoCoverage' | 'Timeout' | 'CompileError' | 'RuntimeError' | 'Ignored' | 'Pending';

/** One line of the result file. */
export type ResultLine =
  { readonly kind: 'planned'; readonly count: number } | { readonly kind: 'tested'; readonly mutant: TestedMutant };

interface PlanReady {
  readonly mutantPlans: readonly unknown[];
}

/**
 * Writes each result to a file as soon as it is known, one line of JSON each: Stryker's own reporters write at the end,
 * and a run cut off would leave nothing.
 */
class ResultReporter {
  readonly #path = process.env['SINETE_MUTANT_RESULTS'] ?? '';

  onMutationTestingPlanReady({ mutantPlans }: PlanReady): void {
    this.#write({ kind: 'planned', count: mutantPlans.length });
  }

  onMutantTested(mutant: TestedMutant): void {
    this.#write({ kind: 'tested', mutant });
  }

  #write(line: ResultLine): void {
    appendFileSync(this.#path, `${JSON.stringify(line)}\n`);
  }
}

/** How Stryker finds the plug-ins of a module. */
export const strykerPlugins = [{ kind: 'Reporter', name: 'results', injectableClass: ResultReporter }];
