import type { Command } from 'commander';
import { AppError } from '../app-error.ts';
import type { CoreClient } from './core-client.ts';
import { printNote } from './print.ts';
import { confirmHere } from './secret-input.ts';
import { withCommonOptions, type CommonOptions } from './with-client.ts';

/** Options of commands that remove for good. */
export interface RemovalOptions extends CommonOptions {
  readonly yes?: boolean;
}

/** Adds the common options and `--yes`. */
export function withRemovalOptions(command: Command): Command {
  return withCommonOptions(command).option('--yes', 'remove without asking');
}

/**
 * Asks before something is removed for good, and names it with the data folder in which it is removed. Rejects with
 * `AppError` when the user declines, or when nobody can be asked and `--yes` is missing.
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
