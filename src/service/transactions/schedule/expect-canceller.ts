import { applicationOfCaller } from '../../authorization/index.ts';
import { transactionNotFound } from '../answers/views.ts';
import { keysOfPerson } from '../choices/choose-certificate.ts';
import type { SigningServices, TransactionMemory, TransactionStores } from '../dependencies.ts';
import type { TransactionRecord } from '../records.ts';
import type { Canceller } from '../transaction.ts';

/**
 * Expects the creator of a transaction, or the person whose certificate signs. Rejects for all others with the
 * `TRANSACTION_NOT_FOUND` of an unknown TCN: whoever has learned a TCN learns nothing more.
 */
export async function expectCanceller(
  context: SigningServices & TransactionStores & TransactionMemory,
  tcn: string,
  canceller: Canceller,
): Promise<void> {
  const [stored] = await context.transactions.overview([tcn]);
  if (stored === undefined || !(await mayCancel(context, stored.transaction, canceller))) {
    throw transactionNotFound();
  }
}

async function mayCancel(
  context: SigningServices & TransactionStores & TransactionMemory,
  { caller, certificateFingerprint }: TransactionRecord,
  { name, clientId, person }: Canceller,
): Promise<boolean> {
  if (caller !== undefined && caller === name) return true;
  const creator = applicationOfCaller(caller);
  // An application's own secret reaches what the application began with the tokens of persons.
  if (clientId !== undefined && creator === clientId && name === `application ${clientId}`) return true;
  // The token of another application speaks for its person there only.
  if (person === undefined || (clientId !== undefined && creator !== clientId)) return false;
  const { keys } = await keysOfPerson(context, person);
  return (await keys.list()).some(({ fingerprint }) => fingerprint === certificateFingerprint);
}
