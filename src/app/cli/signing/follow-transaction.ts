import { setTimeout as sleep } from 'node:timers/promises';
import type { UiTransaction } from '../../../ui-contract/ui-contract.ts';
import { AppError } from '../../app-error.ts';
import type { CoreClient } from '../core-client.ts';
import { printNote, showProgress } from '../print.ts';
import { readPin } from '../secret-input.ts';

/** Options for following a transaction. */
export interface FollowOptions {
  /** No progress bar. */
  readonly quiet: boolean;
  readonly pinFile?: string;
}

/** Milliseconds between two queries. */
const interval = 150;

/** Follows a transaction until its end, shows progress, and asks for the PIN once if needed. */
export async function followTransaction(
  client: CoreClient,
  tcn: string,
  options: FollowOptions,
): Promise<UiTransaction> {
  let askedForPin = false;
  for (;;) {
    const transaction = await client.call('transactions.read', { tcn });
    const done = transaction.documents.filter(({ status }) => status !== 'WAITING').length;
    if (!options.quiet) showProgress(done, transaction.documents.length);
    if (transaction.status !== 'WAITING') return transaction;
    if (transaction.waitingFor === 'pin') {
      if (askedForPin) await waitForPin(client);
      else await unlock(client, transaction, options);
      askedForPin = true;
    }
    await sleep(interval);
  }
}

async function unlock(client: CoreClient, { certificateAlias }: UiTransaction, options: FollowOptions): Promise<void> {
  if (options.pinFile === undefined && !process.stdin.isTTY) {
    await waitForPin(client);
    printNote('The token is locked: give its PIN in the window of Sinete…');
    return;
  }
  const pin = await readPin(`PIN for ${certificateAlias}: `, options.pinFile);
  await client.call('certificates.unlock', { alias: certificateAlias, pin });
}

/** Waits for the PIN in a window; only a running instance can have one. */
async function waitForPin(client: CoreClient): Promise<void> {
  if (!client.remote) throw new AppError(3, 'The token is locked: give its PIN in a terminal or with --pin-file.');
  await sleep(interval);
}
