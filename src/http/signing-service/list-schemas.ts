import { z } from 'zod';
import { TRANSACTIONS_A_PAGE } from '../../service/transactions/index.ts';
import { transactionBody } from './schemas.ts';

/** A transaction without its documents: an entry of a list, and the data of an event. */
export const transactionSummary = transactionBody.omit({ documents: true }).meta({ id: 'TransactionSummary' });

/** Answer of the list. */
export const transactionList = z
  .object({
    transactions: z.array(transactionSummary).meta({ description: 'Newest first.' }),
    next: z.string().nullable().meta({ description: 'The value of `after` for the next page; null on the last page.' }),
  })
  .meta({ id: 'TransactionList' });

/** Body of a request for the states of many transactions. */
export const statusRequest = z
  .object({ tcns: z.array(z.string().max(100)).min(1).max(TRANSACTIONS_A_PAGE) })
  .meta({ id: 'StatusRequest' });

/** Answer with the states of many transactions. */
export const statusList = z
  .object({
    transactions: z.array(transactionSummary).meta({ description: 'In the order of the request, each once.' }),
    unknown: z.array(z.string()).meta({ description: 'TCNs that no transaction has.' }),
  })
  .meta({ id: 'StatusList' });
