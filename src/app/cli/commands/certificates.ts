import { readFile } from 'node:fs/promises';
import { Option, type Command } from 'commander';
import type { CallInput, CertificateDetails, CertificateView } from '../../../ui-contract/ui-contract.ts';
import { AppError } from '../../app-error.ts';
import { isCertificateFile, looksLikeFile, printStatus, showFile } from '../show-certificate.ts';
import type { CoreClient } from '../core-client.ts';
import { confirmRemoval, withRemovalOptions, type RemovalOptions } from '../confirm-removal.ts';
import { answeredAsJson, printJson, printLine, printLines, printNote, printTable, tellDone } from '../print.ts';
import { readYears } from '../read-options.ts';
import { readPin, readSecret } from '../secret-input.ts';
import { callCore, withClient, withCommonOptions, type CommonOptions } from '../with-client.ts';

/** `certificates …`: the functions of the window's certificates page. */
export function addCertificateCommands(program: Command): void {
  const group = program.command('certificates').description('certificates with a key that can sign');
  withCommonOptions(group.command('list', { isDefault: true }).description('list the certificates')).action(list);
  withCommonOptions(
    group
      .command('show <alias>')
      .description('show a certificate and its state: of a key here, or of a .cer, .crt, .der, .pem or .p7b file'),
  ).action(show);
  withCommonOptions(group.command('add <file>').description('import the keys of a PKCS#12 file (.p12, .pfx)'))
    .option('--password-file <path>', 'file that holds the password, instead of being asked')
    .option('--label <text>', 'name of the key in lists')
    .action(add);
  withRemovalOptions(group.command('remove <alias>').description('remove an imported key for good')).action(remove);
  withCommonOptions(group.command('unlock <alias>').description('open the token of a certificate with its PIN'))
    .option('--pin-file <path>', 'file that holds the PIN, instead of being asked')
    .action(unlock);
  withCommonOptions(group.command('lock <alias>').description('log out of the token of a certificate')).action(lock);
  withCommonOptions(
    group.command('set-default <alias>').description('choose the certificate that signs when none is named'),
  ).action(setDefault);
  withCommonOptions(group.command('test-identity').description('make a test certificate, which has no legal value'))
    .requiredOption('--name <name>', 'name of the person or of the company')
    .requiredOption('--cpf <number>', 'CPF of the person, or of the person responsible for the company')
    .option('--cnpj <number>', 'makes a certificate of a company; the CNPJ may have letters')
    .option('--responsible <name>', 'name of the person responsible for the company')
    .addOption(new Option('--key <kind>', 'kind of key').choices(Object.keys(keyKinds)).default('rsa'))
    .option('--years <number>', 'years of validity, at most 15', readYears)
    .option('--birth-date <date>', 'YYYY-MM-DD')
    .option('--email <address>', 'e-mail address')
    .option('--nis <number>', 'PIS, PASEP or NIS')
    .option('--rg <number/issuer/state>', 'identity card: 123456789/SSP/SP', readRg)
    .option(
      '--voter-id <number/zone/section/municipality/state>',
      "voter's card: 12345678/012/0345/SAO PAULO/SP",
      readVoterId,
    )
    .action(makeTestIdentity);
}

async function list(options: CommonOptions): Promise<void> {
  const certificates = await callCore(options, 'certificates.list', {});
  if (options.json === true) {
    printJson(certificates);
  } else if (certificates.length === 0) {
    printLine('No certificates yet. Add a file, plug in a token, or make a test identity.');
  } else {
    printCertificates(certificates);
  }
}

async function show(alias: string, options: CommonOptions): Promise<void> {
  if (isCertificateFile(alias)) {
    await showFile(alias, options);
    return;
  }
  const { details, inspected } = await withClient(options, async (client) => ({
    details: await client.call('certificates.describe', { alias }).catch(noSuchFile(alias)),
    inspected: await client.call('certificates.inspect', { alias }),
  }));
  const [inspection] = inspected;
  if (
    answeredAsJson(options, {
      ...details,
      ...(inspection && { detail: inspection.detail, certificate: inspection.certificate }),
    })
  )
    return;
  printDetails(details);
  if (inspection !== undefined) printStatus(inspection);
}

/** An alias may look like a file name. If there is no such alias, the message mentions the missing file too. */
function noSuchFile(alias: string): (error: unknown) => never {
  return (error) => {
    if (!looksLikeFile(alias)) throw error;
    throw new AppError(2, `There is no such file, and no certificate of this name: ${alias}`, { cause: error });
  };
}

async function add(
  file: string,
  options: CommonOptions & { readonly passwordFile?: string; readonly label?: string },
): Promise<void> {
  const bytes = await readFile(file).catch((cause: unknown) => {
    throw new AppError(2, `The file ${file} cannot be read.`, { cause });
  });
  const password = await readSecret(`Password of ${file}: `, options.passwordFile);
  const added = await withClient(options, async (client) => {
    await refuseForgettingStore(client);
    const label = { label: options.label };
    return client.call('certificates.import', { file: bytes.toString('base64'), password, ...label });
  });
  report(options, added, 'Added:');
}

/** Names of the kinds of keys on the command line. */
const keyKinds = {
  rsa: 'rsa-2048',
  'rsa-3072': 'rsa-3072',
  'rsa-4096': 'rsa-4096',
  'rsa-pss': 'rsa-pss',
  p256: 'ec-p256',
  p384: 'ec-p384',
  p521: 'ec-p521',
  brainpool: 'brainpool',
  ed25519: 'ed25519',
  ed448: 'ed448',
} as const satisfies Record<string, CallInput<'certificates.makeTestIdentity'>['keyKind']>;

type TestIdentityOptions = CommonOptions &
  Omit<CallInput<'certificates.makeTestIdentity'>, 'keyKind'> & { readonly key: keyof typeof keyKinds };

async function makeTestIdentity(options: TestIdentityOptions): Promise<void> {
  const { name, cpf, cnpj, responsible, key, years, birthDate, email, nis, rg, voterId } = options;
  const made = await withClient(options, async (client) => {
    await refuseForgettingStore(client);
    const keyKind = keyKinds[key];
    const input = { name, cpf, cnpj, responsible, keyKind, years, birthDate, email, nis, rg, voterId };
    return client.call('certificates.makeTestIdentity', input);
  });
  report(options, [made], 'Made, for tests only, without legal value:');
}

/** `number/issuer/state` of an identity card. */
function readRg(text: string): NonNullable<TestIdentityOptions['rg']> {
  const [number, issuer, state] = splitParts(text, 3, 'number/issuer/state');
  return { number, issuer, state };
}

/** `number/zone/section/municipality/state` of a voter's card. */
function readVoterId(text: string): NonNullable<TestIdentityOptions['voterId']> {
  const [number, zone, section, municipality, state] = splitParts(text, 5, 'number/zone/section/municipality/state');
  return { number, zone, section, municipality, state };
}

function splitParts(text: string, count: 3, form: string): [string, string, string];
function splitParts(text: string, count: 5, form: string): [string, string, string, string, string];
function splitParts(text: string, count: number, form: string): string[] {
  const parts = text.split('/').map((part) => part.trim());
  if (parts.length !== count || parts.includes('')) throw new AppError(2, `"${text}" is not of the form ${form}.`);
  return parts;
}

async function remove(alias: string, options: RemovalOptions): Promise<void> {
  await withClient(options, async (client) => {
    const { holder, fingerprint } = await client.call('certificates.describe', { alias });
    await confirmRemoval(client, options, [
      ['Key', alias],
      ['Holder', holder],
      ['SHA-256', fingerprint],
    ]);
    await client.call('certificates.remove', { alias });
  });
  tellDone(options, `Removed: ${alias}`);
}

async function unlock(alias: string, options: CommonOptions & { readonly pinFile?: string }): Promise<void> {
  const pin = await readPin(`PIN for ${alias}: `, options.pinFile);
  const view = await withClient(options, async (client) => {
    if (!client.remote) printNote('Note: no instance is running, so that the token is locked again right away.');
    return client.call('certificates.unlock', { alias, pin });
  });
  report(options, [view], 'Unlocked:');
}

async function lock(alias: string, options: CommonOptions): Promise<void> {
  const view = await callCore(options, 'certificates.lock', { alias });
  report(options, [view], 'Locked:');
}

async function setDefault(alias: string, options: CommonOptions): Promise<void> {
  await callCore(options, 'certificates.setDefault', { alias });
  tellDone(options, `Signs where none is named: ${alias}`);
}

/**
 * Refuses to add a key when the master key is only in memory: the sealed key would be lost at the end of the command.
 */
async function refuseForgettingStore(client: CoreClient): Promise<void> {
  if (client.remote) return;
  const { secretStore } = await client.call('home.read', {});
  if (secretStore.kind !== 'memory') return;
  throw new AppError(
    3,
    'Keys cannot be kept here: no keychain works, and the key would be lost when this command ends. ' +
      'Run "sinete serve" and repeat the command, or set secret_store.mode to "key-file" (SINETE_SECRET_STORE_MODE).',
  );
}

function report(options: CommonOptions, certificates: readonly CertificateView[], heading: string): void {
  if (answeredAsJson(options, certificates)) return;
  printLine(heading);
  printCertificates(certificates);
}

function printCertificates(certificates: readonly CertificateView[]): void {
  const rows = certificates.map((one) => [
    one.isDefault ? '*' : '',
    one.alias,
    one.taxpayerNumber ?? '',
    `${one.source === 'token' ? 'token ' : ''}${one.source === 'file' ? 'file' : one.place}`.trim(),
    one.notAfter.slice(0, 10),
    [
      stateOf(one),
      ...(one.hasKey ? [] : ['no private key']),
      ...(one.locked ? ['locked'] : []),
      ...(one.isTest ? ['test'] : []),
    ].join(', '),
  ]);
  printTable(['', 'Alias', 'CPF/CNPJ', 'Key', 'Until', 'State'], rows);
}

/** The state by the clock, or the revocation that is known here. */
function stateOf({ validity, revocation }: Pick<CertificateView, 'validity' | 'revocation'>): string {
  if (revocation === undefined) return validity;
  return `${revocation.isSuspension ? 'suspended' : 'revoked'} since ${revocation.since.slice(0, 10)}`;
}

function printDetails(details: CertificateDetails): void {
  const name = (parts: CertificateDetails['subject']): string =>
    parts.map(({ type, value }) => `${type}=${value}`).join(', ');
  const rows = [
    ['Alias', details.alias],
    ['Holder', details.holder],
    ['CPF/CNPJ', details.taxpayerNumber ?? ''],
    ['Subject', name(details.subject)],
    ['Issuer', name(details.issuerName)],
    ['Valid', `${details.notBefore} to ${details.notAfter} (${stateOf(details)})`],
    ['Key', `${details.keyAlgorithm}, ${details.source}${details.place === '' ? '' : ` ${details.place}`}`],
    ['Key usage', [...details.keyUsage, ...details.extendedKeyUsage].join(', ')],
    ['Serial number', details.serialNumberHex],
    ['SHA-256', details.fingerprint],
    ['Chain', details.chain.map((one) => one.name).join(' > ')],
    ...(details.isTest ? [['Remark', 'Test certificate: no legal value']] : []),
  ];
  printLines(rows.map(([label = '', value = '']) => `${label.padEnd(14)} ${value}`.trimEnd()));
  printLine();
  printLines(details.pem.trimEnd().split('\n'));
}
