import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Command } from 'commander';
import type { TrustImport } from '../../../ui-contract/ui-contract.ts';
import { AppError } from '../../app-error.ts';
import { formatTable, printJson, printLine, printNote } from '../print.ts';
import { withClient, withCommonOptions, type CommonOptions } from '../with-client.ts';

interface ImportOptions extends CommonOptions {
  readonly fingerprint?: string;
}

/** `trust …`: the trusted roots of chains. */
export function addTrustCommands(program: Command): void {
  const group = program.command('trust').description('trust anchors');
  withCommonOptions(group.command('list', { isDefault: true }).description('list them')).action(list);
  withCommonOptions(
    group
      .command('import <source>')
      .description(
        'take the certificates or policies of a file, a folder, a ZIP archive or an address; roots only when pinned',
      ),
  )
    .option('--fingerprint <sha256>', 'SHA-256 of a root of your own that is to be trusted', readFingerprint)
    .action(importFrom);
  withCommonOptions(
    group
      .command('update')
      .description('fetch the certificates, and the policies for AD-RA in PDFs, that ICP-Brasil publishes'),
  ).action(update);
  withCommonOptions(group.command('remove <sha256>').description('trust a root no longer')).action(remove);
}

async function list(options: CommonOptions): Promise<void> {
  const trust = await withClient(options, async (client) => client.call('trust.list', {}));
  if (options.json === true) {
    printJson(trust);
    return;
  }
  if (trust.anchors.length === 0) {
    printLine('Nothing is trusted yet. "sinete trust update" fetches the roots of ICP-Brasil.');
    return;
  }
  const rows = trust.anchors.map(({ name, hierarchy, notAfter, fingerprint }) => [
    ...[name, hierarchy === 'test' ? 'test, no legal value' : hierarchy, notAfter.slice(0, 10), fingerprint],
  ]);
  printLine(formatTable(['Root', 'Hierarchy', 'Until', 'SHA-256'], rows));
  printLine(`${trust.intermediates} authorities below them are known.`);
}

async function importFrom(source: string, options: ImportOptions): Promise<void> {
  const choice = options.fingerprint === undefined ? {} : { fingerprint: options.fingerprint };
  const isAddress = /^https?:\/\//i.test(source);
  const files = isAddress ? [] : await readFiles(source);
  const results = await withClient(options, async (client) => {
    if (isAddress) return [await client.call('trust.import', { url: source, ...choice })];
    const found: TrustImport[] = [];
    for (const file of files) {
      found.push(await client.call('trust.import', { file: file.toString('base64'), ...choice }));
    }
    return found;
  });
  report(results, options);
}

async function update(options: CommonOptions): Promise<void> {
  report([await withClient(options, async (client) => client.call('trust.update', {}))], options);
}

async function remove(text: string, options: CommonOptions): Promise<void> {
  const fingerprint = readFingerprint(text);
  await withClient(options, async (client) => client.call('trust.remove', { fingerprint }));
  if (options.json !== true) printLine(`Removed: ${fingerprint}`);
}

/** The file, or the files of a folder. */
async function readFiles(source: string): Promise<readonly Buffer[]> {
  try {
    if (!(await stat(source)).isDirectory()) return [await readFile(source)];
    const entries = await readdir(source, { withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile()).map(({ name }) => join(source, name));
    return await Promise.all(files.map(async (path) => readFile(path)));
  } catch (cause) {
    throw new AppError(2, `${source} cannot be read.`, { cause });
  }
}

function report(results: readonly TrustImport[], options: CommonOptions): void {
  if (options.json === true) {
    printJson(results);
    return;
  }
  for (const { anchors, intermediates, policies, skipped } of results) {
    for (const { name, hierarchy } of anchors) printLine(`✔ ${name} (${hierarchy})`);
    for (const name of policies) printLine(`✔ ${name}`);
    if (policies.length === 0) printLine(`${anchors.length} roots and ${intermediates} authorities were taken.`);
    for (const sentence of skipped) printNote(`  left out: ${sentence}`);
  }
}

/** 64 hexadecimal digits, with or without colons. */
function readFingerprint(text: string): string {
  const digits = text.replaceAll(':', '').toLowerCase();
  if (/^[0-9a-f]{64}$/.test(digits)) return digits;
  throw new AppError(2, 'A SHA-256 has 64 hexadecimal digits.');
}
