/** The calls about the history of signatures. */
import { z } from 'zod';
import { signatureTypes } from '../request/signature-request.ts';
import { instant, transactionView } from './views.ts';

const status = z.enum(['SIGNED', 'WAITING', 'ERROR']);

const historyFilter = {
  /** Part of a document's name, of the requester, of the certificate's alias or of the TCN. */
  text: z.string().max(200).optional(),
  status: status.optional(),
  type: z.enum(signatureTypes).optional(),
  from: instant.optional(),
  /** End of the period, exclusive. */
  before: instant.optional(),
};

export const historyCalls = {
  /** Newest first. */
  'history.list': {
    input: z.object({
      ...historyFilter,
      offset: z.number().int().min(0).max(10_000_000),
      limit: z.number().int().min(1).max(500),
    }),
    output: z.object({ total: z.number().int(), transactions: z.array(transactionView) }),
  },
  /** Documents by the day of their transaction and their status; days without documents are left out. */
  'history.summary': {
    input: z.object({
      ...historyFilter,
      /** Local time minus UTC. */
      minutesAhead: z.number().int().min(-840).max(840),
    }),
    output: z.object({
      days: z.array(
        z.object({ day: z.iso.date(), signed: z.number().int(), waiting: z.number().int(), failed: z.number().int() }),
      ),
    }),
  },
} as const;
