import { readFile } from 'node:fs/promises';
import type { Command } from 'commander';
import type { CallInput } from '../../../ui-contract/ui-contract.ts';
import { AppError } from '../../app-error.ts';
import { answer, answerList, tellDone } from '../print.ts';
import { readSecret } from '../secret-input.ts';
import { readTimestampHash } from '../read-options.ts';
import { callCore, withCommonOptions, type CommonOptions } from '../with-client.ts';

interface AddOptions extends CommonOptions {
  readonly hash: CallInput<'tsa.add'>['digest'];
  readonly policy?: string;
  readonly user?: string;
  readonly passwordFile?: string;
  readonly bearer?: boolean;
  readonly tokenFile?: string;
  readonly clientCertificate?: string;
  readonly clientKey?: string;
}

/** `tsa …`: time stamp servers (RFC 3161), in the order of requests. */
export function addTimestampCommands(program: Command): void {
  const group = program.command('tsa').description('time-stamp servers');
  withCommonOptions(
    group.command('list', { isDefault: true }).description('list the servers in the order in which they are asked'),
  ).action(list);
  withCommonOptions(group.command('add <id> <url>').description('add a server, or change the one with this id'))
    .option('--hash <name>', 'hash of the stamped digest: SHA256, SHA512, SHA3-256 …', readTimestampHash, 'sha256')
    .option('--policy <oid>', 'policy to ask for')
    .option('--user <name>', 'Basic authentication; the password is asked')
    .option('--password-file <path>', 'file that holds the password, instead of being asked')
    .option('--bearer', 'Bearer authentication; the token is asked')
    .option('--token-file <path>', 'file that holds the token, instead of being asked')
    .option('--client-certificate <path>', 'TLS client certificate, PEM')
    .option('--client-key <path>', 'its private key, PEM, unencrypted')
    .action(add);
  withCommonOptions(group.command('remove <id>').description('remove a server')).action(remove);
  withCommonOptions(group.command('test <id>').description('ask a server for a stamp and check the stamp')).action(
    test,
  );
}

async function list(options: CommonOptions): Promise<void> {
  const servers = await callCore(options, 'tsa.list', {});
  answerList(options, servers, {
    none: 'No time-stamp server yet. Add one with "sinete tsa add", or run "sinete test-services".',
    headings: ['Id', 'Address', 'Hash', 'Authentication', ''],
    row: ({ id, url, digest, authentication, isTest }) => [
      id,
      url,
      digest.toUpperCase(),
      authentication,
      isTest ? 'test, no legal value' : '',
    ],
  });
}

async function add(id: string, url: string, options: AddOptions): Promise<void> {
  const authentication = await readAuthentication(options);
  await callCore(options, 'tsa.add', { id, url, digest: options.hash, authentication, policy: options.policy });
  tellDone(options, `Added: ${id}. Try it with "sinete tsa test ${id}".`);
}

async function readAuthentication(options: AddOptions): Promise<CallInput<'tsa.add'>['authentication']> {
  const { user, bearer, tokenFile, clientCertificate, clientKey } = options;
  if (user !== undefined) {
    return { kind: 'basic', user, password: await readSecret(`Password of ${user}: `, options.passwordFile) };
  }
  if (bearer === true || tokenFile !== undefined) {
    return { kind: 'bearer', token: await readSecret('Token: ', tokenFile) };
  }
  if (clientCertificate === undefined && clientKey === undefined) return { kind: 'none' };
  if (clientCertificate === undefined || clientKey === undefined) {
    throw new AppError(2, 'Give --client-certificate together with --client-key.');
  }
  return {
    kind: 'client-certificate',
    certificate: await readPem(clientCertificate),
    privateKey: await readPem(clientKey),
  };
}

async function readPem(path: string): Promise<string> {
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    throw new AppError(2, `The file ${path} cannot be read.`, { cause });
  });
  if (!text.includes('-----BEGIN ')) throw new AppError(2, `The file ${path} is not PEM.`);
  return text;
}

async function remove(id: string, options: CommonOptions): Promise<void> {
  await callCore(options, 'tsa.remove', { id });
  tellDone(options, `Removed: ${id}`);
}

async function test(id: string, options: CommonOptions): Promise<void> {
  const stamp = await callCore(options, 'tsa.test', { id });
  answer(
    options,
    stamp,
    () => `✔ ${id}: ${stamp.time}, by ${stamp.authority ?? 'an unnamed authority'}, policy ${stamp.policy}`,
  );
}
