import { extname, resolve } from 'node:path';
import { Option, type Command } from 'commander';
import type { KeptFileView } from '../../../ui-contract/renewal-calls.ts';
import type { CallInput, CallOutput } from '../../../ui-contract/ui-contract.ts';
import { AppError } from '../../app-error.ts';
import { writeReport } from '../result-file.ts';
import { answer, answeredAsJson, printLine, printNote, printTable } from '../print.ts';
import { callCore, withClient, withCommonOptions, type CommonOptions } from '../with-client.ts';

type Format = CallInput<'renewals.report'>['format'];

interface ReportOptions extends CommonOptions {
  readonly language: CallInput<'renewals.report'>['language'];
}

/** `renewals …`: signed files that Sinete keeps valid, as on the page Renewals. */
export function addRenewalCommands(program: Command): void {
  const group = program.command('renewals').description('signed files that are renewed before their protection ends');
  withCommonOptions(
    group.command('list', { isDefault: true }).description('list the files with their dates, files in trouble first'),
  ).action(list);
  withCommonOptions(group.command('folders').description('list the folders that are kept valid')).action(listFolders);
  withCommonOptions(
    group.command('add <folder>').description('keep the signed files of a folder valid, and of the folders below'),
  ).action(addFolder);
  withCommonOptions(
    group.command('remove <folder>').description('keep a folder valid no longer; its files stay as they are'),
  ).action(removeFolder);
  withCommonOptions(group.command('forget <file>').description('keep a file of History valid no longer')).action(
    forget,
  );
  withCommonOptions(group.command('run').description('look at every file whose time has come, now')).action(run);
  withCommonOptions(
    group.command('report <file>').description('write what was proven when, and by whom: .html, .pdf or .json'),
  )
    .addOption(new Option('--language <name>', 'language of the report').choices(['en', 'pt-BR']).default('en'))
    .action(report);
}

/** Maximum number of files in one call. */
const A_PAGE = 500;

async function list(options: CommonOptions): Promise<void> {
  const { files, ...about } = await withClient(options, async (client) => {
    const first = await client.call('renewals.list', { offset: 0, limit: A_PAGE });
    const all: KeptFileView[] = [...first.files];
    while (all.length < first.total) {
      const next = await client.call('renewals.list', { offset: all.length, limit: A_PAGE });
      if (next.files.length === 0) break;
      all.push(...next.files);
    }
    return { ...first, files: all };
  });
  if (answeredAsJson(options, { ...about, files })) return;
  if (files.length === 0) {
    printLine('No file is kept valid yet. Sign with B-T or higher, or name a folder: sinete renewals add FOLDER.');
    return;
  }
  const rows = files.map(({ path, outcome, dueAt, checkedAt }) => [
    path,
    outcome?.state ?? 'new',
    dayOf(outcome?.protectedUntil),
    dayOf(dueAt),
    dayOf(checkedAt),
    outcome?.detail ?? '',
  ]);
  printTable(['File', 'State', 'Protected until', 'Renewed from', 'Checked', ''], rows);
  printNote(modeSentence(about));
}

const dayOf = (time: string | null | undefined): string => time?.slice(0, 10) ?? '';

function modeSentence({ mode, withinDays }: Pick<CallOutput<'renewals.list'>, 'mode' | 'withinDays'>): string {
  switch (mode) {
    case 'automatic':
      return `A running instance renews these files ${withinDays} days before their protection ends.`;
    case 'list':
      return 'The configuration (renewal.mode) has files listed only: renew them with "sinete extend --due".';
    case 'off':
      return 'The configuration (renewal.mode) has switched renewals off.';
  }
}

async function listFolders(options: CommonOptions): Promise<void> {
  const { folders } = await callCore(options, 'renewals.list', { offset: 0, limit: 1 });
  if (answeredAsJson(options, folders)) return;
  if (folders.length === 0) printLine('No folder is kept valid. Name one with "sinete renewals add FOLDER".');
  for (const { path, unreadable } of folders) printLine(unreadable ? `${path}: The folder cannot be read.` : path);
}

async function addFolder(folder: string, options: CommonOptions): Promise<void> {
  const path = resolve(folder);
  await callCore(options, 'renewals.addFolder', { path });
  answer(options, { path }, () => `Kept valid: ${path}`);
}

async function removeFolder(folder: string, options: CommonOptions): Promise<void> {
  const path = resolve(folder);
  await callCore(options, 'renewals.removeFolder', { path });
  answer(options, { path }, () => `Kept valid no longer: ${path}`);
}

async function forget(file: string, options: CommonOptions): Promise<void> {
  const path = resolve(file);
  await callCore(options, 'renewals.forget', { path });
  answer(options, { path }, () => `Kept valid no longer: ${path}`);
}

/** Runs the renewals that are due. Exit code 1 when a file needs a person. */
async function run(options: CommonOptions): Promise<void> {
  const { looked, renewed, counts } = await withClient(options, async (client) => {
    const done = await client.call('renewals.look', {});
    return { ...done, ...(await client.call('renewals.list', { offset: 0, limit: 1 })) };
  });
  const states = ['failed', 'content-missing', 'file-missing', 'locked'] as const;
  const troubled = states.reduce((sum, state) => sum + (counts[state] ?? 0), 0);
  if (troubled > 0) process.exitCode = 1;
  if (answeredAsJson(options, { looked, renewed, troubled })) return;
  printLine(`Files looked at: ${looked}. Renewed: ${renewed}.`);
  if (troubled > 0) printNote(`Files that need you: ${troubled}. "sinete renewals list" has their reasons.`);
}

async function report(path: string, options: ReportOptions): Promise<void> {
  const format = formatOf(path);
  const { language } = options;
  const { data } = await callCore(options, 'renewals.report', { format, language });
  await writeReport(path, Buffer.from(data, 'base64'));
  answer(options, { path: resolve(path) }, () => `Report: ${path}`);
}

const formats: Readonly<Record<string, Format>> = { '.html': 'html', '.htm': 'html', '.pdf': 'pdf', '.json': 'json' };

function formatOf(path: string): Format {
  const format = formats[extname(path).toLowerCase()];
  if (format === undefined) throw new AppError(2, 'A report is an .html, a .pdf or a .json file.');
  return format;
}
