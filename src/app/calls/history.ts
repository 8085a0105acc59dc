import { readHistory, type HistoryFilter } from '../../service/transactions/index.ts';
import type { CallHandlers, CallInput } from '../../ui-contract/ui-contract.ts';
import type { Core } from '../compose/open-core.ts';
import { transactionForUi } from './views.ts';
import { dropUndefined } from '../../values/drop-undefined.ts';

type HistoryCalls = Pick<CallHandlers, Extract<keyof CallHandlers, `history.${string}`>>;

/** The calls about the history of signatures. */
export function historyCalls({ storage: { history }, now }: Core): HistoryCalls {
  return {
    'history.list': async ({ offset, limit, ...input }) => {
      const { total, transactions } = await readHistory({ history, now }, filterOf(input), { offset, limit });
      return { total, transactions: transactions.map(transactionForUi) };
    },
    'history.summary': async ({ minutesAhead, ...input }) => {
      const days = await history.countByDay(filterOf(input), minutesAhead);
      return {
        days: days.map(({ day, counts }) => ({
          day,
          signed: counts.SIGNED,
          waiting: counts.WAITING,
          failed: counts.ERROR,
        })),
      };
    },
  };
}

function filterOf(input: Omit<CallInput<'history.summary'>, 'minutesAhead'>): HistoryFilter {
  const { text, status, type, from, before } = input;
  return dropUndefined({
    text,
    status,
    type,
    from: from === undefined ? undefined : new Date(from),
    before: before === undefined ? undefined : new Date(before),
  });
}
