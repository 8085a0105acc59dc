import type { Command } from 'commander';
import type { ApplicationSecretsView } from '../../../ui-contract/identity-calls.ts';
import { AppError } from '../../app-error.ts';
import { answer, answerList, answeredAsJson, printLine, printNote, tellDone } from '../print.ts';
import { callCore, withCommonOptions, type CommonOptions } from '../with-client.ts';

interface AddOptions extends CommonOptions {
  readonly redirect: readonly string[];
  readonly email?: string;
  readonly comments?: string;
  readonly public?: boolean;
}

/** `applications …`: OAuth2 clients for tokens of people. */
export function addApplicationCommands(program: Command): void {
  const group = program.command('applications').description('applications that may ask people for tokens (OAuth2)');
  withCommonOptions(group.command('list', { isDefault: true }).description('list the applications')).action(list);
  withCommonOptions(group.command('add <name>').description('register an application; its secrets are shown once'))
    .option('--redirect <uri>', 'address to which people return; may be repeated', gather, [])
    .option('--email <address>', 'support contact')
    .option('--comments <text>', 'usage notes')
    .option('--public', 'without a secret: it has to use PKCE')
    .action(add);
  withCommonOptions(group.command('rename <clientId> <name>').description('give an application another name')).action(
    rename,
  );
  withLimits(
    withCommonOptions(
      group
        .command('limit <clientId>')
        .description('change the limits of an application; limits that are left out end'),
    ),
  ).action(limit);
  withCommonOptions(
    group
      .command('raw <clientId> <permission>')
      .description('allow or forbid an application to ask for raw signatures of hashes, which can be anything'),
  ).action(raw);
  withCommonOptions(
    group.command('rotate <clientId>').description('make new secrets; the old ones and all tokens end'),
  ).action(rotate);
  withCommonOptions(group.command('remove <clientId>').description('remove an application with its tokens')).action(
    remove,
  );
}

function gather(uri: string, earlier: readonly string[]): readonly string[] {
  return [...earlier, uri];
}

async function list(options: CommonOptions): Promise<void> {
  const applications = await callCore(options, 'applications.list', {});
  answerList(options, applications, {
    none: 'No application is registered. Register one with "sinete applications add NAME --redirect URI".',
    headings: ['Client id', 'Name', 'Returns to', 'Kind', 'Last used'],
    row: ({ clientId, name, redirectUris, isPublic, lastUsedAt }) => [
      clientId,
      name,
      redirectUris.join(' '),
      isPublic ? 'public' : 'confidential',
      lastUsedAt ?? 'never',
    ],
  });
}

async function add(name: string, options: AddOptions): Promise<void> {
  const { redirect, email = '', comments = '' } = options;
  if (redirect.length === 0) throw new AppError(2, 'Give at least one address with --redirect.');
  const wanted = { name, comments, email, redirectUris: [...redirect], isPublic: options.public === true };
  const added = await callCore(options, 'applications.add', wanted);
  const { clientId } = added.application;
  if (!answeredAsJson(options, { clientId, ...added.secrets })) printSecrets(clientId, added.secrets);
}

/** Limits of an application, as the registry has them. */
interface LimitOptions extends CommonOptions {
  readonly documentsPerDay?: number;
  readonly documentSize?: number;
  readonly hours?: string;
}

function withLimits(command: Command): Command {
  return command
    .option('--documents-per-day <number>', 'most documents of a day, local time', readCount)
    .option('--document-size <bytes>', 'most bytes of a document', readCount)
    .option('--hours <times>', 'hours in which it may ask: 08:00-18:00');
}

function readCount(text: string): number {
  const count = Number(text);
  if (Number.isSafeInteger(count) && count > 0) return count;
  throw new AppError(2, `"${text}" is not a number above 0.`);
}

async function limit(clientId: string, options: LimitOptions): Promise<void> {
  const { documentsPerDay, documentSize, hours } = options;
  const limits = { documentsPerDay, documentSize, hours };
  const changed = await callCore(options, 'applications.change', { clientId, limits });
  if (answeredAsJson(options, changed)) return;
  const told = [
    ...(documentsPerDay === undefined ? [] : [`${documentsPerDay} documents a day`]),
    ...(documentSize === undefined ? [] : [`${documentSize} bytes a document`]),
    ...(hours === undefined ? [] : [`hours ${hours}`]),
  ];
  printLine(`Limits of ${changed.clientId}: ${told.length === 0 ? 'none' : told.join(', ')}.`);
}

async function raw(clientId: string, permission: string, options: CommonOptions): Promise<void> {
  if (permission !== 'allow' && permission !== 'forbid') {
    throw new AppError(2, `"${permission}" is not a permission: use allow or forbid.`);
  }
  const changed = await callCore(options, 'applications.change', { clientId, signsRaw: permission === 'allow' });
  const verb = changed.signsRaw ? 'may' : 'may not';
  answer(options, changed, () => `${changed.clientId} ${verb} ask for raw signatures. Each is approved in the window.`);
}

async function rename(clientId: string, name: string, options: CommonOptions): Promise<void> {
  const changed = await callCore(options, 'applications.change', { clientId, name });
  answer(options, changed, () => `Renamed: ${changed.clientId} is now "${changed.name}".`);
}

async function rotate(clientId: string, options: CommonOptions): Promise<void> {
  const secrets = await callCore(options, 'applications.rotate', { clientId });
  if (!answeredAsJson(options, { clientId, ...secrets })) printSecrets(clientId, secrets);
}

async function remove(clientId: string, options: CommonOptions): Promise<void> {
  await callCore(options, 'applications.remove', { clientId });
  tellDone(options, `Removed: ${clientId}`);
}

function printSecrets(clientId: string, { clientSecret, webhookSecret }: ApplicationSecretsView): void {
  printLine(`Client id:       ${clientId}`);
  if (clientSecret !== null) printLine(`Client secret:   ${clientSecret}`);
  printLine(`Webhook secret:  ${webhookSecret}`);
  printNote('These are shown this once. Keep them where only the application reads them.');
}
