import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { ModuleTest, TokenView } from '../../../ui-contract/ui-contract.ts';
import { answer, answeredAsJson, answerList, printLine, tellDone } from '../print.ts';
import { callCore, withClient, withCommonOptions, type CommonOptions } from '../with-client.ts';

/** `tokens …` and `modules …`: PKCS#11 drivers and their tokens. */
export function addModuleCommands(program: Command): void {
  const tokens = program.command('tokens').description('tokens and cards that are plugged in');
  withCommonOptions(tokens.command('list', { isDefault: true }).description('list the tokens and cards')).action(
    listTokens,
  );
  const modules = program.command('modules').description('PKCS#11 drivers');
  withCommonOptions(
    modules
      .command('list', { isDefault: true })
      .description('list the drivers that are used and those that were found'),
  ).action(listModules);
  withCommonOptions(modules.command('add <path>').description('test a driver and use it')).action(addModule);
  withCommonOptions(modules.command('remove <id>').description('remove a driver from use')).action(removeModule);
  withCommonOptions(
    modules.command('retry <id>').description('try a driver again that crashed and is not used now'),
  ).action(retryModule);
  withCommonOptions(modules.command('test <path>').description('try a driver out')).action(testModule);
}

async function listTokens(options: CommonOptions): Promise<void> {
  const tokens = await callCore(options, 'tokens.list', {});
  answerList(options, tokens, {
    none: 'No token is plugged in, or no driver was added (see "sinete modules").',
    headings: ['Label', 'Serial number', 'Driver', 'State', 'PIN attempts'],
    row: (one) => [one.label, one.serialNumber, one.module, stateOf(one), one.pinAttempts],
  });
}

function stateOf({ loginRequired, loggedIn }: TokenView): string {
  if (!loginRequired) return 'needs no PIN';
  return loggedIn ? 'unlocked' : 'locked';
}

async function listModules(options: CommonOptions): Promise<void> {
  const { added, found } = await withClient(options, async (client) => ({
    added: await client.call('modules.list', {}),
    found: await client.call('modules.suggest', {}),
  }));
  answerList(options, [...added, ...found], {
    none: 'No driver was added or found. Add one with "sinete modules add PATH".',
    headings: ['Id', 'Product', 'State', 'Path', ''],
    row: (one) => [one.id, one.product, one.state, one.path, one.detail ?? ''],
  });
}

async function addModule(path: string, options: CommonOptions): Promise<void> {
  report(await callCore(options, 'modules.add', { path: resolve(path) }), options);
}

async function testModule(path: string, options: CommonOptions): Promise<void> {
  report(await callCore(options, 'modules.test', { path: resolve(path) }), options);
}

async function removeModule(id: string, options: CommonOptions): Promise<void> {
  await callCore(options, 'modules.remove', { id });
  tellDone(options, `Removed: ${id}`);
}

async function retryModule(id: string, options: CommonOptions): Promise<void> {
  const module = await callCore(options, 'modules.retry', { id });
  if (module.state !== 'ok') process.exitCode = 1;
  answer(
    options,
    module,
    () => `${module.state === 'ok' ? '✔' : '✘'} ${module.path}: ${module.detail ?? module.state}`,
  );
}

function report(test: ModuleTest, options: CommonOptions): void {
  if (!test.works) process.exitCode = 1;
  if (answeredAsJson(options, test)) return;
  printLine(`${test.works ? '✔' : '✘'} ${test.path}: ${test.detail}`);
  if (test.library !== null) printLine(`  ${test.library}`);
  for (const token of test.tokens) printLine(`  Token ${token.label} (${token.serialNumber})`);
}
