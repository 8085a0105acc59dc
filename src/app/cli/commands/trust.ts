import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Command } from 'commander';
import type { CallInput, TrustImport, TrustView } from '../../../ui-contract/ui-contract.ts';
import { AppError } from '../../app-error.ts';
import type { CoreClient } from '../core-client.ts';
import { answeredAsJson, printLine, printNote, printTable, tellDone } from '../print.ts';
import { callCore, withClient, withCommonOptions, type CommonOptions } from '../with-client.ts';

interface ImportOptions extends CommonOptions {
  readonly fingerprint?: string;
  readonly test?: boolean;
  readonly timeStampsOnly?: boolean;
}

/** `trust …`: the trusted roots of chains. */
export function addTrustCommands(program: Command): void {
  const group = program.command('trust').description('trust anchors');
  withCommonOptions(group.command('list', { isDefault: true }).description('list the trust anchors'))
    .option('--authorities', 'list the authorities below them as well')
    .action(list);
  withCommonOptions(
    group
      .command('import <source>')
      .description(
        'take the certificates or policies of a file, a folder, a ZIP archive or an address; roots only when pinned',
      ),
  )
    .option('--fingerprint <sha256>', 'SHA-256 of a root of your own that is to be trusted', readFingerprint)
    .option('--test', 'the root of --fingerprint is for trying out (homologation), without legal value')
    .option('--time-stamps-only', 'trust the root of --fingerprint for time stamps and for nothing else')
    .action(importFrom);
  withCommonOptions(
    group
      .command('update')
      .description('fetch the certificates, and the policies for AD-RA in PDFs, that ICP-Brasil publishes'),
  ).action(update);
  withCommonOptions(
    group
      .command('remove <sha256>')
      .description('trust a root no longer, or refuse an authority, by the first digits of its SHA-256'),
  ).action(remove);
  withCommonOptions(
    group
      .command('accept <sha256>')
      .description('accept a refused root or authority again, by the first digits of its SHA-256'),
  ).action(accept);
}

interface ListOptions extends CommonOptions {
  readonly authorities?: boolean;
}

async function list(options: ListOptions): Promise<void> {
  const wanted = options.authorities === true ? { authorities: true } : {};
  const trust = await callCore(options, 'trust.list', wanted);
  if (answeredAsJson(options, trust)) return;
  printTrust(trust);
}

function printTrust(trust: TrustView): void {
  if (trust.anchors.length === 0) {
    printLine('Nothing is trusted yet. "sinete trust update" fetches the roots of ICP-Brasil.');
  } else printAnchors(trust);
  if (trust.refused.length > 0) {
    printLine('Refused; "sinete trust accept" accepts them again:');
    printTable(authorityHeadings, trust.refused.map(authorityRow));
  }
  for (const sentence of trust.stale ?? []) printNote(`  ${sentence}`);
}

const authorityHeadings = ['Authority', 'Issued by', 'Until', 'SHA-256'];

const authorityRow = ({ name, issuer, notAfter, fingerprint }: TrustView['refused'][number]): readonly string[] => [
  name,
  issuer,
  notAfter.slice(0, 10),
  fingerprint,
];

function printAnchors(trust: TrustView): void {
  const rows = trust.anchors.map((anchor) => [
    anchor.name,
    describeTrust(anchor),
    anchor.notAfter.slice(0, 10),
    anchor.fingerprint,
  ]);
  printTable(['Root', 'Hierarchy', 'Until', 'SHA-256'], rows);
  printLine(`${trust.intermediates} authorities below them are known.`);
  if (trust.authorities !== undefined) {
    printTable(authorityHeadings, trust.authorities.map(authorityRow));
  }
}

/** `ICP-Brasil`, `test, no legal value`, `other, for time stamps only`. */
const describeTrust = ({ hierarchy, timeStampsOnly }: TrustImport['anchors'][number]): string =>
  [hierarchy === 'test' ? 'test, no legal value' : hierarchy, ...(timeStampsOnly ? ['for time stamps only'] : [])].join(
    ', ',
  );

async function importFrom(source: string, options: ImportOptions): Promise<void> {
  if (options.test === true && options.fingerprint === undefined) {
    throw new AppError(2, 'Name the root for trying out by --fingerprint.');
  }
  if (options.timeStampsOnly === true && options.fingerprint === undefined) {
    throw new AppError(2, 'Name the root for time stamps only by --fingerprint.');
  }
  const choice = {
    fingerprint: options.fingerprint,
    ...(options.test === true ? { isTest: true } : {}),
    ...(options.timeStampsOnly === true ? { timeStampsOnly: true } : {}),
  };
  const isAddress = /^https?:\/\//i.test(source);
  const isFolder = !isAddress && (await isDirectory(source));
  const files = isAddress ? [] : await readFiles(source);
  const results = await withClient(options, async (client) => {
    if (isAddress) return [await client.call('trust.import', { url: source, ...choice })];
    if (!isFolder) return [await client.call('trust.import', { file: toBase64(files[0]), ...choice })];
    return [await importFolder(client, files, choice)];
  });
  report(results, options);
}

type Choice = Omit<CallInput<'trust.import'>, 'file' | 'url'>;

const toBase64 = (file: SourceFile | undefined): string => (file?.content ?? Buffer.alloc(0)).toString('base64');

/** Maximum number of files that get a line each when all of them are skipped for the same reason. */
const fewFiles = 3;

/** A sentence for each skipped file; many files with the same reason share one. */
function leftOut(files: ReadonlyMap<string, readonly string[]>): readonly string[] {
  return [...files].flatMap(([reason, names]) =>
    names.length > fewFiles
      ? [`${names.length} files (${names.join(', ')}): ${reason}`]
      : names.map((name) => `${name}: ${reason}`),
  );
}

/** Imports the files of a folder like those of an archive: a file without usable content is skipped and reported. */
async function importFolder(client: CoreClient, files: readonly SourceFile[], choice: Choice): Promise<TrustImport> {
  const total = {
    anchors: [] as TrustImport['anchors'][number][],
    intermediates: 0,
    policies: [] as string[],
  };
  const skipped = new Map<string, string[]>();
  const skip = (reason: string, name: string): void => void skipped.set(reason, [...(skipped.get(reason) ?? []), name]);
  for (const file of files) {
    try {
      const found = await client.call('trust.import', { file: toBase64(file), ...choice });
      total.anchors.push(...found.anchors);
      total.intermediates += found.intermediates;
      total.policies.push(...found.policies);
      for (const sentence of found.skipped) skip(sentence, file.name);
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'REQUEST_INVALID') throw error;
      skip(error.message, file.name);
    }
  }
  const sentences = leftOut(skipped);
  if (total.anchors.length + total.intermediates + total.policies.length > 0)
    return { ...total, skipped: [...sentences] };
  throw new AppError(2, `Nothing of the folder can be trusted. ${sentences[0] ?? 'It holds no file.'}`);
}

async function update(options: CommonOptions): Promise<void> {
  report([await callCore(options, 'trust.update', {})], options);
}

async function remove(text: string, options: CommonOptions): Promise<void> {
  const digits = readDigits(text);
  const removed = await withClient(options, async (client) => {
    const { anchors, authorities = [] } = await client.call('trust.list', { authorities: true });
    const fingerprint = wholeFingerprint(digits, [...anchors, ...authorities], 'trusted root or authority');
    await client.call('trust.remove', { fingerprint });
    return fingerprint;
  });
  tellDone(options, `Removed: ${removed}`);
}

async function accept(text: string, options: CommonOptions): Promise<void> {
  const digits = readDigits(text);
  const accepted = await withClient(options, async (client) => {
    const { refused } = await client.call('trust.list', {});
    const fingerprint = wholeFingerprint(digits, refused, 'refused root or authority');
    await client.call('trust.accept', { fingerprint });
    return fingerprint;
  });
  tellDone(options, `Accepted: ${accepted}`);
}

/**
 * The SHA-256 of the only certificate whose fingerprint begins with these digits; `kind` completes the error message.
 */
function wholeFingerprint(
  digits: string,
  known: readonly Pick<TrustView['refused'][number], 'name' | 'fingerprint'>[],
  kind: string,
): string {
  const [found, another] = known.filter(({ fingerprint }) => fingerprint.startsWith(digits));
  if (found === undefined) throw new AppError(2, `The SHA-256 of no ${kind} begins with ${digits}.`);
  if (another === undefined) return found.fingerprint;
  throw new AppError(2, `${found.name} and ${another.name} begin with ${digits}. Give more digits.`);
}

interface SourceFile {
  readonly name: string;
  readonly content: Buffer;
}

const isDirectory = async (source: string): Promise<boolean> =>
  stat(source).then(
    (found) => found.isDirectory(),
    () => false,
  );

/** Reads the file, or the files of a folder. */
async function readFiles(source: string): Promise<readonly SourceFile[]> {
  try {
    if (!(await stat(source)).isDirectory()) return [{ name: basename(source), content: await readFile(source) }];
    const entries = await readdir(source, { withFileTypes: true });
    const names = entries.flatMap((entry) => (entry.isFile() ? [entry.name] : [])).toSorted();
    return await Promise.all(names.map(async (name) => ({ name, content: await readFile(join(source, name)) })));
  } catch (cause) {
    throw new AppError(2, `${source} cannot be read.`, { cause });
  }
}

function report(results: readonly TrustImport[], options: CommonOptions): void {
  if (answeredAsJson(options, results)) return;
  for (const { anchors, intermediates, policies, skipped } of results) {
    for (const anchor of anchors) printLine(`✔ ${anchor.name} (${describeTrust(anchor)})`);
    for (const name of policies) printLine(`✔ ${name}`);
    if (policies.length === 0) printLine(`${anchors.length} roots and ${intermediates} authorities were taken.`);
    for (const sentence of skipped) printNote(`  left out: ${sentence}`);
  }
}

/** Eight digits identify a certificate; fewer are probably a typing mistake. */
const fewestDigits = 8;

/** Reads the beginning of a SHA-256, with or without colons. */
function readDigits(text: string): string {
  const digits = text.replaceAll(':', '').toLowerCase();
  if (/^[0-9a-f]{1,64}$/.test(digits) && digits.length >= fewestDigits) return digits;
  throw new AppError(2, `Give the SHA-256, or at least its first ${fewestDigits} hexadecimal digits.`);
}

/** Reads 64 hexadecimal digits, with or without colons. */
function readFingerprint(text: string): string {
  const digits = text.replaceAll(':', '').toLowerCase();
  if (/^[0-9a-f]{64}$/.test(digits)) return digits;
  throw new AppError(2, 'A SHA-256 has 64 hexadecimal digits.');
}
