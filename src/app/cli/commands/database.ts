import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import type { MovedDatabase } from '../../../storage/index.ts';
import { AppError } from '../../app-error.ts';
import { dataFolder } from '../../config/data-folder.ts';
import { findRunningInstance } from '../core-client.ts';
import { printJson, printLine } from '../print.ts';

interface MoveOptions {
  /** `sqlite`, or the address of a PostgreSQL database. */
  readonly to: string;
  readonly passwordFile?: string;
  readonly data?: string;
  readonly config?: string;
  readonly json?: boolean;
}

/** `database …`: the database of a data folder. */
export function addDatabaseCommands(program: Command): void {
  const database = program.command('database').description('the database of a data folder');
  database
    .command('move')
    .description('move all rows to an empty PostgreSQL database, or back to SQLite; the data folder must not be in use')
    .requiredOption(
      '--to <place>',
      'sqlite, or an address without a password: postgresql://user@host:5432/sinete?sslmode=verify-full',
    )
    .option('--password-file <file>', 'file with the password of the PostgreSQL database of --to')
    .option('--data <folder>', 'data folder')
    .option('--config <file>', 'configuration file')
    .option('--json', 'as JSON')
    .action(move);
}

async function move(options: MoveOptions): Promise<void> {
  const folder = resolve(dataFolder(options.data));
  const { readConfiguration } = await import('../../config/config.ts');
  const file = { file: options.config };
  const configuration = await readConfiguration({ dataFolder: folder, environment: process.env, ...file });
  if ((await findRunningInstance(folder)) !== undefined) {
    throw new AppError(3, 'Sinete runs on this data folder: end it first.');
  }
  const { markPlacesOf } = await import('../../compose/open-secrets.ts');
  const { addressOfDatabase } = await import('../../config/database-url.ts');
  const { moveToPostgres, moveToSqlite } = await import('../../../storage/index.ts');
  const tell = (moved: MovedDatabase, place: string, lines: readonly string[]): void => {
    if (options.json === true) printJson(moved);
    else for (const line of [`✔ ${moved.rows} rows of ${moved.tables} tables are ${place}.`, ...lines]) printLine(line);
  };
  if (options.to === 'sqlite') {
    const address = await addressOfDatabase(configuration);
    if (address === undefined) throw new AppError(2, 'Name the present PostgreSQL database in database.url.');
    tell(await moveToSqlite(folder, address), `in ${join(folder, 'sinete.db')}`, [
      'Take database.url out of the configuration, then start Sinete. The PostgreSQL database is as it was.',
    ]);
    return;
  }
  const url = await checkAddress(options.to);
  const database = { url, passwordFile: options.passwordFile };
  const address = (await addressOfDatabase({ database })) ?? url;
  tell(await moveToPostgres(markPlacesOf(configuration.secretStore, folder), address), 'in PostgreSQL', [
    `Name it in the configuration, then start Sinete: database.url = "${url}"`,
    `${join(folder, 'sinete.db')} is as it was. Remove it when everything works: it holds documents and sealed keys.`,
  ]);
}

async function checkAddress(text: string): Promise<string> {
  const { databaseUrl } = await import('../../config/database-url.ts');
  const checked = databaseUrl.safeParse(text);
  if (checked.success) return checked.data;
  throw new AppError(2, `The address of --to ${checked.error.issues[0]?.message ?? 'is wrong'}.`);
}
