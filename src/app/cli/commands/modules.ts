import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { ModuleTest } from '../../../ui-contract/ui-contract.ts';
import { printJson, printLine, printTable } from '../print.ts';
import { withClient, withCommonOptions, type CommonOptions } from '../with-client.ts';

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
  const tokens = await withClient(options, async (client) => client.call('tokens.list', {}));
  if (options.json === true) {
    printJson(tokens);
    return;
  }
  if (tokens.length === 0) printLine('No token is plugged in, or no driver was added (see "sinete modules").');
  else {
    const rows = tokens.map((one) => [
      one.label,
      one.serialNumber,
      one.module,
      one.loggedIn ? 'unlocked' : 'locked',
      one.pinAttempts,
    ]);
    printTable(['Label', 'Serial number', 'Driver', 'State', 'PIN attempts'], rows);
  }
}

async function listModules(options: CommonOptions): Promise<void> {
  const { added, found } = await withClient(options, async (client) => ({
    added: await client.call('modules.list', {}),
    found: await client.call('modules.suggest', {}),
  }));
  if (options.json === true) {
    printJson([...added, ...found]);
    return;
  }
  const rows = [...added, ...found].map((one) => [one.id, one.product, one.state, one.path, one.detail ?? '']);
  if (rows.length === 0) printLine('No driver was added or found. Add one with "sinete modules add PATH".');
  else printTable(['Id', 'Product', 'State', 'Path', ''], rows);
}

async function addModule(path: string, options: CommonOptions): Promise<void> {
  report(await withClient(options, async (client) => client.call('modules.add', { path: resolve(path) })), options);
}

async function testModule(path: string, options: CommonOptions): Promise<void> {
  report(await withClient(options, async (client) => client.call('modules.test', { path: resolve(path) })), options);
}

async function removeModule(id: string, options: CommonOptions): Promise<void> {
  await withClient(options, async (client) => client.call('modules.remove', { id }));
  if (options.json !== true) printLine(`Removed: ${id}`);
}

async function retryModule(id: string, options: CommonOptions): Promise<void> {
  const module = await withClient(options, async (client) => client.call('modules.retry', { id }));
  if (module.state !== 'ok') process.exitCode = 1;
  if (options.json === true) printJson(module);
  else printLine(`${module.state === 'ok' ? '✔' : '✘'} ${module.path}: ${module.detail ?? module.state}`);
}

function report(test: ModuleTest, options: CommonOptions): void {
  if (!test.works) process.exitCode = 1;
  if (options.json === true) {
    printJson(test);
    return;
  }
  printLine(`${test.works ? '✔' : '✘'} ${test.path}: ${test.detail}`);
  if (test.library !== null) printLine(`  ${test.library}`);
  for (const token of test.tokens) printLine(`  Token ${token.label} (${token.serialNumber})`);
}
