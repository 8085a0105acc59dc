import type { Command } from 'commander';
import type { CallInput, CallName, CallOutput } from '../../ui-contract/ui-contract.ts';
import { openCoreClient, type ClientOptions, type CoreClient } from './core-client.ts';

/** Common options of all commands for a data folder. */
export interface CommonOptions extends ClientOptions {
  readonly json?: boolean;
}

/** Adds the common options. */
export function withCommonOptions(command: Command): Command {
  return command
    .option('--data <folder>', 'data folder')
    .option('--config <file>', 'configuration file')
    .option('--json', 'answer as JSON');
}

/** Runs `action` with the core of the data folder, in this or another process, and closes the connection afterwards. */
export async function withClient<Result>(
  options: ClientOptions,
  action: (client: CoreClient) => Promise<Result>,
): Promise<Result> {
  const client = await openCoreClient(options);
  try {
    return await action(client);
  } finally {
    await client.close();
  }
}

/** Makes one call to the core of the data folder. */
export const callCore = <Name extends CallName>(
  options: ClientOptions,
  name: Name,
  input: CallInput<Name>,
): Promise<CallOutput<Name>> => withClient(options, async (client) => client.call(name, input));
