import type { Command } from 'commander';
import { AppError } from '../app-error.ts';
import type { CoreClient } from './core-client.ts';
import { printNote } from './print.ts';
import { confirmHere } from './secret-input.ts';
import { withCommonOptions, type CommonOptions } from './with-client.ts';

/** Options of commands that delete permanently. */
export interface RemovalOptions extends CommonOptions {
  readonly yes?: boolean;
}

/** Adds the common options and `--yes`. */
export function withRemovalOptions(command: Command): Command {
  return withCommonOptions(command).option('--yes', 'remove without asking');
}

/**
 * Asks before a permanent deletion, with the name of the object and its data folder. Rejects with `AppError` if the
 * user declines, or if there is no terminal and `--yes` is missing.
 */
export async function confirmRemoval(
  client: CoreClient,
  { yes }: RemovalOptions,
  facts: readonly (readonly [label: string, value: string])[],
): Promise<void> {
  if (yes === true) return;
  const { dataFolder } = await client.call('home.read', {});
  printNote('This is removed for good:');
  for (const [label, value] of [...facts, ['Data folder', dataFolder] as const]) {
    printNote(`  ${label.padEnd(12)} ${value}`);
  }
  const isAgreed = await confirmHere('Remove it?', 'add --yes to remove it without being asked');
  if (!isAgreed) throw new AppError(1, 'Nothing was removed.');
}
