import type { TransactionContext } from '../dependencies.ts';
import { expireTransactions } from './expire.ts';

/**
 * Continues the work of an earlier process: removes files without a row, removes expired data, and signs documents that
 * wait only for this application, or for a PIN that may not be needed any more.
 */
export async function resumeTransactions(context: TransactionContext): Promise<void> {
  const { transactions, documents, smallDocuments, runner, log } = context;
  const removed = await documents.removeUnneeded(await transactions.neededFiles());
  const removedSmall = await smallDocuments.removeUnneeded();
  await expireTransactions(context);
  const toSign = await transactions.list({ kind: 'to-be-signed' });
  const locked = await transactions.list({ kind: 'waiting-for-pin' });
  for (const { tcn } of [...toSign, ...locked]) runner.start(tcn);
  log.info({ removedFiles: removed, removedSmall, resumed: toSign.length + locked.length }, 'resumed');
}
