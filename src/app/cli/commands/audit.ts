import { open } from 'node:fs/promises';
import type { Command } from 'commander';
import type { AuditVerdictView } from '../../../ui-contract/audit-calls.ts';
import { AppError } from '../../app-error.ts';
import type { CoreClient } from '../core-client.ts';
import { answeredAsJson, printJson, printLine, printNote, printTable } from '../print.ts';
import { callCore, withClient, withCommonOptions, type CommonOptions } from '../with-client.ts';

interface ListOptions extends CommonOptions {
  readonly limit: number;
  readonly transaction?: string;
}

const rowsAtOnce = 1000;

/** `audit …`: the events of this instance, and the integrity of the log. */
export function addAuditCommands(program: Command): void {
  const group = program.command('audit').description('the log of what was done here');
  withCommonOptions(group.command('list', { isDefault: true }).description('show the last rows'))
    .option('--limit <number>', 'how many rows', readLimit, 20)
    .option('--transaction <tcn>', 'only the rows of one transaction')
    .action(list);
  withCommonOptions(group.command('verify').description('check that no row was changed, removed or added')).action(
    verify,
  );
  withCommonOptions(
    group.command('export <file>').description('write all rows to a file, one JSON object on each line, oldest first'),
  ).action(exportRows);
}

async function list({ limit, transaction, ...options }: ListOptions): Promise<void> {
  const input = { limit, tcn: transaction };
  const rows = await callCore(options, 'audit.list', input);
  if (answeredAsJson(options, rows)) return;
  const cells = rows.map(({ sequence, at, kind, subject, detail }) => [
    String(sequence),
    at,
    kind,
    subject ?? '',
    detail.length > 60 ? `${detail.slice(0, 59)}…` : detail,
  ]);
  printTable(['Row', 'When', 'What', 'Of', 'Detail'], cells);
}

async function verify(options: CommonOptions): Promise<void> {
  const verdict = await callCore(options, 'audit.verify', {});
  if (verdict.state === 'broken') process.exitCode = 1;
  if (answeredAsJson(options, verdict)) return;
  for (const line of describe(verdict)) printLine(line);
}

function describe(verdict: AuditVerdictView): readonly string[] {
  if (verdict.state === 'broken') return [`✘ Row ${verdict.row}: ${defects[verdict.reason]}`];
  const { rows, head, mark } = verdict;
  return [
    `✔ ${rows} rows, all of them as they were written.`,
    mark === null
      ? '  Nothing is sealed yet: who may write the database could have made all of it anew.'
      : `  Sealed up to row ${mark.sequence}: nothing up to there was made anew.`,
    `  Head: ${head}`,
    '  Kept elsewhere, this head proves later that nothing up to here was changed.',
  ];
}

const defects: Record<Extract<AuditVerdictView, { state: 'broken' }>['reason'], string> = {
  ROW_CHANGED: 'it was changed after it was written.',
  ROW_MISSING: 'it is missing.',
  CHAIN_BROKEN: 'it does not follow the row before it: rows were swapped, removed or put in.',
  END_MISSING: 'it is missing, with what came after it.',
  HEAD_CHANGED: 'the log says that it ends otherwise.',
  HISTORY_REPLACED: 'it is another row than the one that was sealed: the log was made anew.',
};

async function exportRows(path: string, options: CommonOptions): Promise<void> {
  const count = await withClient(options, async (client) => writeRows(path, client));
  if (options.json === true) printJson({ path, rows: count });
  else printNote(`${count} rows are in ${path}.`);
}

async function writeRows(path: string, client: CoreClient): Promise<number> {
  const file = await open(path, 'wx', 0o600).catch((cause: unknown) => {
    throw new AppError(2, `${path} cannot be written, or already exists.`, { cause });
  });
  let after = 0;
  try {
    for (;;) {
      const rows = await client.call('audit.list', { after, limit: rowsAtOnce });
      await file.writeFile(rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
      after = rows.at(-1)?.sequence ?? after;
      if (rows.length < rowsAtOnce) break;
    }
    await file.sync();
  } finally {
    await file.close();
  }
  return after;
}

function readLimit(text: string): number {
  const limit = Number(text);
  if (!Number.isInteger(limit) || limit < 1 || limit > rowsAtOnce)
    throw new AppError(2, `Give 1 to ${rowsAtOnce} rows.`);
  return limit;
}
