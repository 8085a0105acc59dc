import { Option, type Command } from 'commander';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { toString as drawQrCode } from 'qrcode';
import type { AccountView, EnrolmentView } from '../../../ui-contract/identity-calls.ts';
import type { CallInput, CallOutput } from '../../../ui-contract/ui-contract.ts';
import { AppError } from '../../app-error.ts';
import type { CoreClient } from '../core-client.ts';
import { confirmRemoval, withRemovalOptions, type RemovalOptions } from '../confirm-removal.ts';
import { answeredAsJson, printLine, printNote, printPicture, printTable, tellDone } from '../print.ts';
import { readSecret } from '../secret-input.ts';
import { callCore, withClient, withCommonOptions, type CommonOptions } from '../with-client.ts';

interface AddOptions extends CommonOptions {
  readonly name: string;
  readonly username: string;
  readonly photo?: string;
  readonly codeFile?: string;
  readonly otpauthFile?: string;
}

/** Attempts at entering the first code in a terminal. */
const codeAttempts = 3;

const mediaTypes: Readonly<Record<string, string>> = {
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.webp': 'image/webp',
};

/** `users …`: people with one-time passwords, and the selected person of this computer. */
export function addUserCommands(program: Command): void {
  const group = program.command('users').description('people who sign here, and their one-time passwords');
  withCommonOptions(group.command('list', { isDefault: true }).description('list the people')).action(list);
  withCommonOptions(group.command('add').description('enrol a person: shows a QR code, asks for a first code'))
    .requiredOption('--name <name>', 'name of the person or company')
    .requiredOption('--username <number>', 'CPF or CNPJ')
    .option('--photo <file>', 'PNG, JPEG or WebP thumbnail')
    .option('--code-file <path>', 'file that holds the first code, instead of being asked')
    .addOption(
      new Option(
        '--otpauth-file <path>',
        'for scripts: a new file for the otpauth address; no code is asked',
      ).conflicts('codeFile'),
    )
    .action(add);
  withRemovalOptions(group.command('remove <username>').description('remove a person with their tokens')).action(
    remove,
  );
  withCommonOptions(
    group.command('select <username>').description('make a user of this computer the active one'),
  ).action(select);
}

async function list(options: CommonOptions): Promise<void> {
  const { accounts, cached } = await withClient(options, async (client) => ({
    accounts: await client.call('users.list', {}),
    cached: await client.call('assistant.users', {}),
  }));
  if (
    answeredAsJson(options, {
      enrolled: accounts,
      ofThisComputer: cached.map(({ id, name, username, selected }) => ({ id, name, username, selected })),
    })
  )
    return;
  if (accounts.length === 0 && cached.length === 0) {
    printLine('Nobody is enrolled. Enrol a person with "sinete users add --name NAME --username CPF".');
    return;
  }
  const usernames = [...new Set([...accounts, ...cached].map(({ username }) => username))];
  const rows = usernames.map((username) => {
    const account = accounts.find((one) => one.username === username);
    const user = cached.find((one) => one.username === username);
    const state = user === undefined ? '' : user.selected ? 'selected' : 'added';
    return [username, account?.name ?? user?.name ?? '', enrolmentOf(account), state];
  });
  printTable(['CPF or CNPJ', 'Name', 'Enrolled here', 'On this computer'], rows);
}

function enrolmentOf(account: AccountView | undefined): string {
  if (account === undefined) return 'no';
  return `yes, ${account.recoveryCodes} recovery codes left`;
}

async function add(options: AddOptions): Promise<void> {
  const { name, username } = options;
  const photo = { photo: options.photo === undefined ? undefined : await readPhoto(options.photo) };
  await withClient(options, async (client) => {
    const { account, recoveryCodes } = await enrol(client, { name, username, ...photo }, options);
    if (answeredAsJson(options, { account, recoveryCodes })) return;
    printLine(`Enrolled: ${account.name}`);
    printLine();
    printLine('Recovery codes. Each works once in place of a one-time password; keep them apart from your telephone:');
    for (const code of recoveryCodes) printLine(`  ${code}`);
    printNote('Add the person to this computer with POST /user or in the window; then "sinete users select".');
  });
}

async function enrol(
  client: CoreClient,
  person: CallInput<'users.begin'>,
  { codeFile, otpauthFile }: AddOptions,
): Promise<CallOutput<'users.confirm'>> {
  if (otpauthFile === undefined) {
    const offer = await client.call('users.begin', person);
    await showOffer(offer);
    return confirm(client, offer.enrolment, codeFile);
  }
  // The file is created first: a secret that cannot be written would be lost.
  await writeFile(otpauthFile, '', { mode: 0o600, flag: 'wx' }).catch((cause: unknown) => {
    throw new AppError(2, `The file ${otpauthFile} already exists, or cannot be written.`, { cause });
  });
  try {
    const { enrolment, otpauthUri, secret } = await client.call('users.begin', person);
    await writeFile(otpauthFile, `${otpauthUri}\n`);
    return await client.call('users.confirm', { enrolment, code: await earlierCode(secret) });
  } catch (error) {
    await rm(otpauthFile, { force: true });
    throw error;
  }
}

/**
 * The code before the present one. It is accepted too, and leaves the present code unused: each code works once, and a
 * script may need it.
 */
async function earlierCode(secret: string): Promise<string> {
  const { Secret, TOTP } = await import('otpauth');
  const totp = new TOTP({ secret: Secret.fromBase32(secret) });
  return totp.generate({ timestamp: Date.now() - totp.period * 1000 });
}

/** Printed to standard error, so that a piped result contains no authenticator secret. */
async function showOffer({ otpauthUri, secret }: EnrolmentView): Promise<void> {
  printNote('Scan this with an authenticator, or type the secret into it:');
  printPicture(await drawQrCode(otpauthUri, { type: 'terminal', small: true }));
  printNote(otpauthUri);
  printNote(`Secret: ${secret.replaceAll(/(.{4})(?=.)/g, '$1 ')}`);
}

async function confirm(
  client: CoreClient,
  enrolment: string,
  codeFile: string | undefined,
): Promise<CallOutput<'users.confirm'>> {
  const asks = codeFile === undefined && process.stdin.isTTY;
  for (let attempt = 1; ; attempt += 1) {
    const code = await readSecret('Code that the authenticator shows: ', codeFile);
    try {
      return await client.call('users.confirm', { enrolment, code });
    } catch (error) {
      if (!asks || attempt >= codeAttempts || !(error instanceof AppError) || error.exitCode !== 1) throw error;
      printNote(error.message);
    }
  }
}

async function readPhoto(path: string): Promise<string> {
  const mediaType = mediaTypes[extname(path).toLowerCase()];
  if (mediaType === undefined) throw new AppError(2, 'Give the photo as a PNG, JPEG or WebP file.');
  const content = await readFile(path).catch((cause: unknown) => {
    throw new AppError(2, `The file ${path} cannot be read.`, { cause });
  });
  return `data:${mediaType};base64,${content.toString('base64')}`;
}

async function remove(username: string, options: RemovalOptions): Promise<void> {
  await withClient(options, async (client) => {
    const wanted = username.replaceAll(/[\s./-]/g, '').toUpperCase();
    const account = (await client.call('users.list', {})).find((one) => one.username === wanted);
    if (account === undefined) throw new AppError(1, 'Nobody is enrolled with this CPF or CNPJ.');
    await confirmRemoval(client, options, [
      ['Person', account.name],
      ['CPF or CNPJ', account.username],
    ]);
    await client.call('users.remove', { id: account.id });
    tellDone(options, `Removed: ${account.name}`);
  });
}

async function select(username: string, options: CommonOptions): Promise<void> {
  await callCore(options, 'assistant.select', { username });
  tellDone(options, `Selected: ${username}`);
}
