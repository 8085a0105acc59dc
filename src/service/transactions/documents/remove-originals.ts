import type { TransactionContext } from '../dependencies.ts';
import type { DocumentRecord } from '../records.ts';

/**
 * Removes the stored originals of final documents, which are no longer needed. Originals stay while a level is pending,
 * because an archive time stamp covers the document too. The next start repeats a failed removal.
 */
export async function removeFinalOriginals(
  { documents, log }: Pick<TransactionContext, 'documents' | 'log'>,
  stored: readonly DocumentRecord[],
): Promise<void> {
  const final = stored.filter(
    ({ status, content, evidence }) =>
      status !== 'WAITING' && content?.kind === 'kept' && evidence?.pending === undefined,
  );
  const outcomes = await Promise.allSettled(final.map(({ key }) => documents.removeOriginal(key)));
  const failed = outcomes.filter(({ status }) => status === 'rejected').length;
  if (failed > 0) log.warn({ files: failed }, 'originals could not be removed; the next start tries again');
}
