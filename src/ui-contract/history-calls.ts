/** The calls about the history of signatures. */
import { z } from 'zod';
import { signatureTypes } from '../request/signature-request.ts';
import { documentView, instant, standardWarning, transactionView } from './views.ts';

const status = z.enum(['SIGNED', 'WAITING', 'ERROR']);

const historyFilter = {
  /** Part of a document's name, of the requester, of the signer's name or number, of the alias or of the TCN. */
  text: z.string().max(200).optional(),
  status: status.optional(),
  type: z.enum(signatureTypes).optional(),
  from: instant.optional(),
  /** End of the period, exclusive. */
  before: instant.optional(),
};

/** A document of the past with what its transaction tells. */
const historyDocument = transactionView
  .pick({
    tcn: true,
    requester: true,
    requesterKind: true,
    certificateAlias: true,
    type: true,
    digest: true,
    createdAt: true,
    finishedAt: true,
    waitingFor: true,
  })
  .extend({
    document: documentView,
    /** Number of documents that were signed together. */
    batch: z.number().int(),
    /** The person or company that signed, with the CPF or CNPJ masked; null for a certificate unknown here. */
    signer: z.object({ name: z.string(), number: z.string().nullable() }).nullable(),
  });

export const historyCalls = {
  /** Each document by itself, newest first. Every word of the text has to fit; a word may be the start of a hash. */
  'history.documents': {
    input: z.object({
      ...historyFilter,
      offset: z.number().int().min(0).max(10_000_000),
      limit: z.number().int().min(1).max(500),
    }),
    output: z.object({ total: z.number().int(), documents: z.array(historyDocument) }),
  },
  /**
   * Where the signed document is now: a file as it was signed (`there`), a file changed since, or no file at its path;
   * kept in Sinete or erased; in an object store, which is not asked; or not signed.
   */
  'history.presence': {
    input: z.object({ tcn: z.string(), documentId: z.string() }),
    output: z.object({
      state: z.enum(['there', 'changed', 'missing', 'kept', 'erased', 'in-store', 'not-signed']),
    }),
  },
  /**
   * Extends the signed file of a document. `replace`: the extended file takes its place, `beside`: it gets a name of its
   * own, and the document leads there from then on. Until the new file is whole on the disk, the earlier one stays.
   */
  'history.extend': {
    input: z.object({
      tcn: z.string(),
      documentId: z.string(),
      level: z.enum(['B-T', 'B-LT', 'B-LTA']),
      place: z.enum(['replace', 'beside']),
      password: z.string().max(1000).optional(),
    }),
    output: z.object({ path: z.string(), size: z.number().int(), warnings: z.array(standardWarning) }),
  },
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

export type HistoryDocument = z.output<typeof historyDocument>;
