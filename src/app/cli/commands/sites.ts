import type { Command } from 'commander';
import type { GrantScopeView, SiteView } from '../../../ui-contract/site-calls.ts';
import { grantScope } from '../../../ui-contract/site-calls.ts';
import { AppError } from '../../app-error.ts';
import { formatTable, printJson, printLine } from '../print.ts';
import { withClient, withCommonOptions, type CommonOptions } from '../with-client.ts';

interface AllowOptions extends CommonOptions {
  readonly scope?: readonly GrantScopeView[];
  readonly days?: number;
}

/** The needs of a page that signs; the computer's secret is given only by name. */
const usualScopes: readonly GrantScopeView[] = ['user:read', 'user:write', 'certificates:read', 'sign'];

/** `sites …`: web sites with permission to call this instance, and their permissions. */
export function addSiteCommands(program: Command): void {
  const group = program.command('sites').description('web sites that may use this instance');
  withCommonOptions(group.command('list', { isDefault: true }).description('list them')).action(list);
  withCommonOptions(group.command('allow <origin>').description('let a site in, or change what it may do'))
    .option(
      '--scope <scope>',
      `what it may do, may be repeated: ${grantScope.options.join(', ')} (default: all but the last)`,
      readScope,
    )
    .option('--days <number>', 'for how many days (default: until revoked)', readDays)
    .action(allow);
  withCommonOptions(group.command('revoke <origin>').description('let a site in no longer')).action(revoke);
}

async function list(options: CommonOptions): Promise<void> {
  const sites = await withClient(options, async (client) => client.call('sites.list', {}));
  if (options.json === true) {
    printJson(sites);
    return;
  }
  if (sites.length === 0) printLine('No web site may use this instance.');
  else printLine(formatTable(['Site', 'May', 'Until', 'Last used', 'Uses', ''], sites.map(rowOf)));
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
  const site = await withClient(options, async (client) => client.call('sites.change', { origin, scopes, days }));
  if (options.json === true) printJson(site);
  else printLine(`Let in: ${site.origin}, for ${site.scopes.join(', ')}.`);
}

async function revoke(origin: string, options: CommonOptions): Promise<void> {
  await withClient(options, async (client) => client.call('sites.revoke', { origin }));
  if (options.json !== true) printLine(`No longer let in: ${origin}`);
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
