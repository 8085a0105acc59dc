import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { FileAccessView, FileGrantView, GrantScopeView, SiteView } from '../../../ui-contract/site-calls.ts';
import { fileAccess, grantScope } from '../../../ui-contract/site-calls.ts';
import { AppError } from '../../app-error.ts';
import {
  answer,
  answeredAsJson,
  answerList,
  type ListTable,
  printLine,
  printNote,
  printTable,
  tellDone,
} from '../print.ts';
import { callCore, withClient, withCommonOptions, type CommonOptions } from '../with-client.ts';

interface AllowOptions extends CommonOptions {
  readonly scope?: readonly GrantScopeView[];
  readonly days?: number;
  readonly insecure?: boolean;
}

interface FolderOptions extends CommonOptions {
  readonly access: FileAccessView;
  readonly days?: number;
}

/** The scopes of a site without `--scope`; further scopes must be named explicitly. */
const usualScopes: readonly GrantScopeView[] = ['sign'];

/** `sites …`: web sites with permission to call this instance, and their permissions. */
export function addSiteCommands(program: Command): void {
  const group = program.command('sites').description('web sites that may use this instance');
  withCommonOptions(group.command('list', { isDefault: true }).description('list the sites')).action(list);
  withCommonOptions(
    group
      .command('allow <origin>')
      .description(
        'let a site in, or change what it may do; an extension or an application by its exact origin (chrome-extension://…, moz-extension://…, app://…)',
      ),
  )
    .option(
      '--scope <scope>',
      `what it may do, may be repeated: ${grantScope.options.join(', ')} (default: sign)`,
      readScope,
    )
    .option('--days <number>', 'for how many days (default: until revoked)', readDays)
    .option('--insecure', 'let in a plain http site, for signatures through the bridge window alone')
    .action(allow);
  withCommonOptions(group.command('folders').description('list the folders and stores opened to callers')).action(
    listFolders,
  );
  withCommonOptions(
    group
      .command('allow-folder <caller> <folder>')
      .description('open a folder, or a prefix of a store (s3://, gs://), to a site or to a client id'),
  )
    .option('--access <access>', `${fileAccess.options.join(', ')}: what the caller may do there`, readAccess, 'read')
    .option('--days <number>', 'for how many days (default: until taken back)', readDays)
    .action(allowFolder);
  withCommonOptions(
    group.command('revoke-folder <caller> <folder>').description('take a folder or a store back from a caller'),
  ).action(revokeFolder);
  withCommonOptions(group.command('revoke <origin>').description('end the permission of a site')).action(revoke);
}

async function list(options: CommonOptions): Promise<void> {
  const [sites, folders] = await withClient(options, async (client) =>
    Promise.all([client.call('sites.list', {}), client.call('sites.files', {})]),
  );
  if (answeredAsJson(options, sites)) return;
  if (sites.length === 0) printLine('No web site may use this instance.');
  else printTable(['Site', 'May', 'Until', 'Last used', 'Uses', ''], sites.map(rowOf));
  if (folders.length > 0) answerList({}, folders, folderTable);
}

async function listFolders(options: CommonOptions): Promise<void> {
  const folders = await callCore(options, 'sites.files', {});
  answerList(options, folders, folderTable);
}

const folderTable: ListTable<FileGrantView> = {
  none: 'No folder and no store is opened to callers.',
  headings: ['Caller', 'Folder', 'Access', 'Until', 'Last used', 'Uses', ''],
  row: ({ caller, root, access, expiresAt, lastUsedAt, uses, source }) => [
    caller,
    root,
    access,
    expiresAt ?? 'taken back',
    lastUsedAt ?? 'never',
    String(uses),
    source === 'configuration' ? 'by configuration' : '',
  ],
};

/** A path is relative to the working directory; a store has its own kind of address. */
const rootOf = (folder: string): string => (folder.includes('://') ? folder : resolve(folder));

async function allowFolder(caller: string, folder: string, options: FolderOptions): Promise<void> {
  const { access, days = null } = options;
  const input = { caller, root: rootOf(folder), access, days };
  const grant = await callCore(options, 'sites.allowFiles', input);
  answer(options, grant, () => `Opened to ${grant.caller}: ${grant.root} (${grant.access}).`);
}

async function revokeFolder(caller: string, folder: string, options: CommonOptions): Promise<void> {
  const input = { caller, root: rootOf(folder) };
  await callCore(options, 'sites.revokeFiles', input);
  tellDone(options, `No longer open to ${caller}: ${input.root}`);
}

function readAccess(text: string): FileAccessView {
  const access = fileAccess.safeParse(text);
  if (access.success) return access.data;
  throw new AppError(2, `"${text}" is no access: use ${fileAccess.options.join(', ')}.`);
}

function rowOf(site: SiteView): string[] {
  const { origin, scopes, expiresAt, lastUsedAt, uses, source } = site;
  return [
    origin,
    scopes.join(', '),
    expiresAt ?? 'revoked',
    lastUsedAt ?? 'never',
    String(uses),
    source === 'configuration' ? 'by configuration' : '',
  ];
}

async function allow(origin: string, options: AllowOptions): Promise<void> {
  const scopes = [...(options.scope ?? usualScopes)];
  const days = options.days ?? null;
  const { insecure } = options;
  if (insecure === true && origin.trim().startsWith('http://')) {
    printNote(
      'Warning: anybody on the network of a plain http site can speak in its name. You are asked for each signature.',
    );
  }
  const site = await callCore(options, 'sites.change', { origin, scopes, days, insecure });
  answer(options, site, () => `Let in: ${site.origin}, for ${site.scopes.join(', ')}.`);
}

async function revoke(origin: string, options: CommonOptions): Promise<void> {
  await callCore(options, 'sites.revoke', { origin });
  tellDone(options, `No longer let in: ${origin}`);
}

function readScope(text: string, earlier: readonly GrantScopeView[] = []): readonly GrantScopeView[] {
  const scope = grantScope.safeParse(text);
  if (scope.success) return [...earlier, scope.data];
  throw new AppError(2, `"${text}" is no permission: use ${grantScope.options.join(', ')}.`);
}

function readDays(text: string): number {
  const days = Number(text);
  if (Number.isInteger(days) && days >= 1 && days <= 3650) return days;
  throw new AppError(2, `"${text}" is not a number of days from 1 to 3650.`);
}
