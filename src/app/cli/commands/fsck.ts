import { resolve } from 'node:path';
import type { Command } from 'commander';
import { describeLoss } from '../../../service/checks/index.ts';
import {
  checkDataFolder,
  SqlKeyVault,
  SqlSettingsStore,
  type FolderCheck,
  type FolderFinding,
} from '../../../storage/index.ts';
import { AppError } from '../../app-error.ts';
import { markPlacesOf, openSecrets } from '../../compose/open-secrets.ts';
import { readConfiguration } from '../../config/config.ts';
import { dataFolder } from '../../config/data-folder.ts';
import { findRunningInstance } from '../core-client.ts';
import { printJson, printLine, printNote } from '../print.ts';
import { passphraseAsker } from '../secret-input.ts';

interface CheckOptions {
  readonly data?: string;
  readonly json?: boolean;
  readonly repair?: boolean;
}

/** `fsck`: checks every row, file, digest and reference of a data folder. */
export function addFsckCommand(program: Command): void {
  program
    .command('fsck')
    .description('check every row, file and digest of a data folder that is not in use')
    .option('--data <folder>', 'data folder')
    .option('--repair', 'count again what follows from other rows; nothing else is changed')
    .option('--json', 'as JSON')
    .action(check);
}

async function check(options: CheckOptions): Promise<void> {
  const folder = resolve(dataFolder(options.data));
  if ((await findRunningInstance(folder)) !== undefined) {
    throw new AppError(3, 'Sinete runs on this data folder: end it first.');
  }
  const { secretStore } = await readConfiguration({ dataFolder: folder, environment: process.env });
  const checked = await checkDataFolder(folder, {
    repair: options.repair === true,
    besideKey: markPlacesOf(secretStore, folder).besideKey,
    onProgress: progressHere(),
    countClosedKeys: async (database) => {
      const asker = passphraseAsker(secretStore);
      const { store } = await openSecrets(secretStore, new SqlSettingsStore(database), asker);
      const vault = new SqlKeyVault(database, store);
      const keys = await vault.list();
      const opened = await Promise.allSettled(keys.map(async ({ id }) => (await vault.readPrivateKey(id)).fill(0)));
      return opened.filter(({ status }) => status === 'rejected').length;
    },
  });
  printCheck(checked, options.json === true);
}

/** Prints the progress of a long check, about every ten thousand documents. */
export function progressHere(): (checked: number, all: number) => void {
  let told = 0;
  return (checked, all) => {
    if (checked - told < 10_000) return;
    told = checked;
    printNote(`Checked ${checked} of ${all} documents…`);
  };
}

/** Prints the findings; exit code 1 when there are any that were not repaired. */
export function printCheck(check: FolderCheck, asJson: boolean): void {
  if (check.findings.some((one) => one.kind !== 'space-miscounted' || !one.repaired)) process.exitCode = 1;
  if (asJson) {
    printJson(check);
    return;
  }
  for (const finding of check.findings) printLine(`✘ ${describe(finding)}`);
  const { transactions, documents, unanswered, findings } = check;
  if (unanswered > 0)
    printLine(`  ${unanswered} documents have no row because their requests ended without an answer.`);
  printLine(
    `${findings.length === 0 ? '✔' : '✘'} ${transactions} transactions with ${documents} documents were checked.`,
  );
}

function describe(finding: FolderFinding): string {
  switch (finding.kind) {
    case 'database-damaged':
      return `The database is damaged: ${finding.detail}.`;
    case 'schema-foreign':
      return `The database has parts that Sinete does not make, and that may act by themselves: ${finding.parts.join(', ')}.`;
    case 'lost-rows':
      return `${describeLoss(finding.problem)} "sinete recover" explains what can be done.`;
    case 'orphan-rows':
      return `${finding.count} rows of the table ${finding.table} refer to a row that is missing.`;
    case 'audit-broken':
      return `The audit log is broken at row ${finding.row}: ${finding.reason}.`;
    case 'result-missing':
      return `The result of document ${finding.documentId} of ${finding.tcn.slice(0, 6)}… is missing.`;
    case 'result-changed':
      return `The result of document ${finding.documentId} of ${finding.tcn.slice(0, 6)}… is damaged.`;
    case 'original-missing':
      return `The original of document ${finding.documentId} of ${finding.tcn.slice(0, 6)}… is missing.`;
    case 'original-changed':
      return `The original of document ${finding.documentId} of ${finding.tcn.slice(0, 6)}… is damaged.`;
    case 'file-without-row':
      return `${finding.count} files in "${finding.folder}" have no row: the next start moves them to "lost+found".`;
    case 'keys-closed':
      return `${finding.count} stored keys do not open under the master key.`;
    case 'in-lost-and-found':
      return `${finding.count} documents are in "lost+found": see "found.jsonl" there.`;
    case 'space-miscounted':
      return `The space of documents was counted as ${finding.counted} instead of ${finding.actual} bytes${finding.repaired ? ', and is right now' : '; --repair counts it again'}.`;
  }
}
