import type { TransactionContext } from '../dependencies.ts';

/** Removes the kept originals of final documents: nobody needs them any more. What fails is left to the next start. */
export async function removeFinalOriginals(
  { transactions, documents, log }: Pick<TransactionContext, 'transactions' | 'documents' | 'log'>,
  tcn: string,
): Promise<void> {
  const stored = await transactions.read(tcn);
  const final = (stored?.documents ?? []).filter(
    ({ status, content }) => status !== 'WAITING' && content?.kind === 'kept',
  );
  const outcomes = await Promise.allSettled(final.map(({ key }) => documents.removeOriginal(key)));
  const failed = outcomes.filter(({ status }) => status === 'rejected').length;
  if (failed > 0) log.warn({ files: failed }, 'originals could not be removed; the next start tries again');
}
