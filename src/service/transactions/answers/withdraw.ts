import { ServiceError } from '../../errors/index.ts';
import { shortTcn } from '../../monitoring/index.ts';
import { decideTransaction } from './decide.ts';
import type { TransactionContext } from '../dependencies.ts';

/**
 * Runs `answer` and withdraws the transaction when its caller hangs up before: nobody would learn its TCN, and the user
 * would be asked in vain. Running signatures are finished.
 */
export async function withdrawOnHangUp<Answer>(
  context: TransactionContext,
  tcn: string,
  signal: AbortSignal | undefined,
  answer: () => Promise<Answer>,
): Promise<Answer> {
  if (signal === undefined) return answer();
  const hangUp = (): void => {
    decideTransaction(context, tcn, 'withdraw').catch((error: unknown) => {
      if (error instanceof ServiceError && error.code === 'APPROVAL_NOT_WAITING') return;
      context.log.warn({ transaction: shortTcn(tcn), error }, 'could not be withdrawn');
    });
  };
  signal.addEventListener('abort', hangUp, { once: true });
  if (signal.aborted) hangUp();
  try {
    return await answer();
  } finally {
    signal.removeEventListener('abort', hangUp);
  }
}
