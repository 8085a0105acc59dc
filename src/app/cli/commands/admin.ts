/** Commands for administrators of servers. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { Option, type Command } from 'commander';
import { ADMINISTRATOR_SCOPES, type AdministratorScope } from '../../../service/administration/index.ts';
import { AppError } from '../../app-error.ts';
import { dataFolder } from '../../config/data-folder.ts';
import { findRunningInstance } from '../core-client.ts';
import { answeredAsJson, answerList, printLine, printNote, tellDone } from '../print.ts';
import { callCore, withCommonOptions, type CommonOptions } from '../with-client.ts';

interface AddOptions extends CommonOptions {
  readonly scope: readonly AdministratorScope[];
}

/** `admin tokens …`: tokens for the administration of an instance that other computers reach. */
export function addAdminCommands(program: Command): void {
  const admin = program.command('admin').description('the administration of an instance that other computers reach');
  const group = admin.command('tokens').description("administrators' tokens");
  withCommonOptions(group.command('list', { isDefault: true }).description('list administrators')).action(list);
  withCommonOptions(group.command('add <name>').description('make a token for an administrator; it is shown once'))
    .addOption(
      new Option(
        '--scope <scopes...>',
        'monitor: metrics and details of the health; registry: applications; users: people; or all',
      )
        .choices([...ADMINISTRATOR_SCOPES])
        .makeOptionMandatory(),
    )
    .action(add);
  withCommonOptions(group.command('revoke <name>').description('end the token of an administrator')).action(revoke);
}

async function list(options: CommonOptions): Promise<void> {
  const administrators = await callCore(options, 'administrators.list', {});
  answerList(options, administrators, {
    none: 'There is no administrator. "sinete admin tokens add NAME" makes one.',
    headings: ['Name', 'Scopes', 'Since', 'Last used'],
    row: ({ name, scopes, createdAt, lastUsedAt }) => [name, scopes.join(' '), createdAt, lastUsedAt ?? 'never'],
  });
}

async function add(name: string, options: AddOptions): Promise<void> {
  const wanted = { name, scopes: [...options.scope] };
  const { token, administrator } = await callCore(options, 'administrators.add', wanted);
  if (answeredAsJson(options, { ...administrator, token })) return;
  printLine(token);
  printNote(`The token of ${administrator.name} is shown this once. Send it as: Authorization: Bearer <token>`);
}

async function revoke(name: string, options: CommonOptions): Promise<void> {
  await callCore(options, 'administrators.revoke', { name });
  tellDone(options, `Revoked: ${name}`);
}

/** `master-key …`: the file of a master key, for servers that get it from their administrator, and its change. */
export function addMasterKeyCommands(program: Command): void {
  const masterKey = program.command('master-key').description('make or change the file of a master key for a server');
  masterKey
    .command('make <file>')
    .description('write a fresh master key into a new file that only you can read')
    .action(makeMasterKey);
  masterKey
    .command('rotate <file>')
    .description('seal every stored secret under the master key in another file; the data folder must not be in use')
    .option('--data <folder>', 'data folder')
    .option('--config <file>', 'configuration file')
    .action(rotateMasterKey);
}

interface RotateOptions {
  readonly data?: string;
  readonly config?: string;
}

async function rotateMasterKey(file: string, { data, config }: RotateOptions): Promise<void> {
  const path = resolve(file);
  if (!existsSync(path)) throw new AppError(2, `There is no file ${path}: "sinete master-key make" makes one.`);
  const folder = resolve(dataFolder(data));
  if ((await findRunningInstance(folder)) !== undefined) {
    throw new AppError(3, 'Sinete runs on this data folder: end it first.');
  }
  const { rotateKeyFile } = await import('../../compose/rotate-key-file.ts');
  const sources = { dataFolder: folder, environment: process.env, file: config };
  const count = await rotateKeyFile(sources, path);
  printLine(`${count} secrets are sealed under the key in ${path} now. Start Sinete with it:`);
  printLine('put it in the place of the earlier file, or name it in the configuration. Then make a backup.');
}

async function makeMasterKey(file: string): Promise<void> {
  const path = resolve(file);
  if (existsSync(path)) throw new AppError(2, `The file ${path} already exists: a master key is never replaced.`);
  const { openSecretStore } = await import('../../../storage/index.ts');
  const store = await openSecretStore({ mode: 'key-file', keyFile: path });
  (await store.getMasterKey()).fill(0);
  printLine(`The master key is in ${path}. Name it in SINETE_MASTER_KEY_FILE, and keep a copy apart from the data.`);
}
