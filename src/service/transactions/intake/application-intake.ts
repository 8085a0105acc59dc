import type { ApplicationQuotas } from '../../applications/index.ts';
import { isOutcomeUnknown } from '../../errors/index.ts';
import { shortTcn } from '../../monitoring/index.ts';
import type { TransactionMemory, TransactionStores } from '../dependencies.ts';
import type { IntakeQuota } from '../transaction.ts';

/**
 * The context with the application's own limit of a document's size, where it is lower. Rejects as
 * `ApplicationQuotas.admit` does.
 */
export async function withinLimits<Context extends TransactionStores & TransactionMemory>(
  context: Context,
  clientId: string | undefined,
): Promise<Context> {
  if (clientId === undefined) return context;
  const { documentSize = Infinity } = await context.quotas.admit(clientId);
  if (documentSize >= context.limits.documentSize) return context;
  return { ...context, limits: { ...context.limits, documentSize } };
}

/**
 * Counts documents of an application while `keep` stores them, so that two simultaneous requests cannot exceed a limit
 * together. The count is subtracted again if `keep` rejects.
 */
export async function countingDocuments<Result>(
  quotas: ApplicationQuotas,
  { clientId, documents }: { readonly clientId: string | undefined; readonly documents: number },
  keep: () => Promise<Result>,
): Promise<Result> {
  if (clientId === undefined) return keep();
  await quotas.take(clientId, documents);
  try {
    return await keep();
  } catch (error) {
    if (!isOutcomeUnknown(error)) await quotas.giveBack(clientId, documents);
    throw error;
  }
}

/**
 * The rest of the application's quota, for the answer. A failure here refuses nothing, because the documents are stored
 * already.
 */
export async function quotaAfter(
  { quotas, log }: TransactionStores & TransactionMemory,
  clientId: string | undefined,
  tcn: string,
): Promise<IntakeQuota> {
  if (clientId === undefined) return {};
  const quota = await quotas.read(clientId).catch((error: unknown) => {
    log.warn({ transaction: shortTcn(tcn), error }, 'the quota of the application could not be read');
  });
  return quota === undefined ? {} : { quota };
}
