/** Renews signatures in place before their protection ends: `extend --due`. */
import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { RenewalOutcomeView } from '../../ui-contract/renewal-calls.ts';
import { AppError } from '../app-error.ts';
import { recordBeside } from '../evidence/document-beside.ts';
import { asAppError, problemOfFile } from './file-problems.ts';
import { readOpeningSecrets, type OpeningOptions } from './opening-options.ts';
import { answeredAsJson, printLine, printNote, printTable } from './print.ts';
import { writeReport } from './result-file.ts';
import { withClient, type CommonOptions } from './with-client.ts';

export interface DueOptions extends CommonOptions, OpeningOptions {
  /** Seconds; by default 90 days. */
  readonly within?: number;
  readonly dryRun?: boolean;
  readonly report?: string;
  readonly tsa?: string;
}

const DAY = 24 * 60 * 60;
const DEFAULT_WITHIN = 90 * DAY;
/** States that need a person; each of them sets exit code 1. */
const FAILURES: ReadonlySet<RenewalOutcomeView['state']> = new Set([
  'failed',
  'content-missing',
  'file-missing',
  'locked',
]);

/**
 * Renews the signatures that are due, prints a row for each file, and writes the report. Exit code 1 if one was not
 * renewed.
 */
export async function renewDue(paths: readonly string[], options: DueOptions): Promise<void> {
  const { report: reportPath, dryRun = false, tsa: timestampServer, within = DEFAULT_WITHIN } = options;
  if (reportPath !== undefined && !/\.json$/i.test(reportPath)) {
    throw new AppError(2, 'The report of --due is a .json file.');
  }
  const files = await findFiles(paths);
  const opening = await readOpeningSecrets(options);
  const begun = new Date();
  const outcomes = await withClient(options, async (client) => {
    const finished: RenewalOutcomeView[] = [];
    for (const path of files) {
      const request = { path, within, dryRun, timestampServer, ...opening };
      finished.push(await client.call('renewals.renew', request));
    }
    return finished;
  });
  const rows = outcomes.map(reportRow);
  const report = { made_at: begun.toISOString(), within_days: Math.round(within / DAY), files: rows };
  if (reportPath !== undefined) await writeReport(reportPath, `${JSON.stringify(report, undefined, 2)}\n`);
  if (outcomes.some(({ state }) => FAILURES.has(state))) process.exitCode = 1;
  if (!answeredAsJson(options, report)) printOutcomes(outcomes, reportPath);
}

function printOutcomes(outcomes: readonly RenewalOutcomeView[], report: string | undefined): void {
  const table = outcomes.map((one) => [one.path, one.state, one.protectedUntil?.slice(0, 10) ?? '', one.detail]);
  printTable(['File', 'State', 'Protected until', ''], table);
  for (const { path, warnings } of outcomes) {
    for (const { detail } of warnings) printLine(`! ${path}: ${detail}`);
  }
  if (report !== undefined) printNote(`Report: ${report}`);
}

/** A file in the report, with the proven time and the time stamps of each signature. */
function reportRow(outcome: RenewalOutcomeView): object {
  const { path, state, detail, sha256, sha256Before, protectedUntil, signatures, documentTimestamps } = outcome;
  const isRenewed = sha256Before !== null;
  return {
    file: path,
    state,
    detail,
    sha256,
    protected_until: protectedUntil,
    ...(isRenewed ? { sha256_before: sha256Before, protected_until_before: outcome.protectedUntilBefore } : {}),
    signatures: signatures.map(({ signer, levelProven, provenTime, timestamps }) => ({
      signer,
      level_proven: levelProven,
      proven_time: provenTime,
      time_stamps: timestamps,
    })),
    document_time_stamps: documentTimestamps,
    ...(outcome.warnings.length === 0 ? {} : { warnings: outcome.warnings }),
  };
}

/** The file, and the evidence record in the same folder. */
function withEvidenceRecord(path: string): readonly string[] {
  const record = recordBeside(path);
  return record === undefined ? [path] : [record, path];
}

/**
 * The named files, and the signed files of named folders. Temporary files of the core are skipped: a job may still use
 * them.
 */
async function findFiles(paths: readonly string[]): Promise<readonly string[]> {
  const { findSignedFiles } = await import('../../service/renewals/index.ts');
  const found: string[] = [];
  for (const path of paths.map((one) => resolve(one))) {
    const isFolder = (await stat(path).catch(() => undefined))?.isDirectory() === true;
    const problem = isFolder ? undefined : await problemOfFile(path);
    if (problem === undefined) {
      found.push(...(isFolder ? await findSignedFiles(path) : withEvidenceRecord(path)));
      continue;
    }
    if (paths.length === 1) throw asAppError(problem, path);
    printNote(`${path}: ${problem.detail}`);
    process.exitCode = 1;
  }
  // A record comes before the file that it protects.
  const rank = (path: string): number => Number(!/\.er$/i.test(path));
  return [...new Set(found)].toSorted().toSorted((left, right) => rank(left) - rank(right));
}
