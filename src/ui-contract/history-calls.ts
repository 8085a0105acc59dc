/** The calls about the history of signatures. */
import { z } from 'zod';
import { signatureTypes } from '../request/signature-types.ts';
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

/** A past document, with properties of its transaction. */
const historyDocument = transactionView
  .pick({
    tcn: true,
    requester: true,
    requesterKind: true,
    door: true,
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
    /** The person or company that signed, with masked CPF or CNPJ; null if the certificate is unknown here. */
    signer: z.object({ name: z.string(), number: z.string().nullable() }).nullable(),
  });

export const historyCalls = {
  /**
   * Single documents, newest first. Every word of the text must match; a word may be the beginning of a hash. `more`:
   * the text is in more documents than `total`, which counts no further then.
   */
  'history.documents': {
    input: z.object({
      ...historyFilter,
      offset: z.number().int().min(0).max(10_000_000),
      limit: z.number().int().min(1).max(500),
    }),
    output: z.object({ total: z.number().int(), more: z.boolean(), documents: z.array(historyDocument) }),
  },
  /**
   * The place of the signed document. In the user's folder: unchanged since the signature (`there`), changed, or
   * missing. In Sinete: stored or erased. In an object store, which is not asked. Or not signed at all.
   */
  'history.presence': {
    input: z.object({ tcn: z.string(), documentId: z.string() }),
    output: z.object({
      state: z.enum(['there', 'changed', 'missing', 'kept', 'erased', 'in-store', 'not-signed']),
    }),
  },
  /**
   * Extends the signed file of a document. `replace`: the extended file replaces it. `beside`: it gets its own name,
   * and the document points to it from then on. The earlier file stays until the new one is complete on disk.
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
  /**
   * Documents by the day of their transaction and their status; days without documents are left out.
   * `newestOnly`: the text is in so many documents that only the newest ones are counted.
   */
  'history.summary': {
    input: z.object({
      ...historyFilter,
      /** Local time minus UTC. */
      minutesAhead: z.number().int().min(-840).max(840),
    }),
    output: z.object({
      newestOnly: z.boolean(),
      days: z.array(
        z.object({ day: z.iso.date(), signed: z.number().int(), waiting: z.number().int(), failed: z.number().int() }),
      ),
    }),
  },
} as const;

export type HistoryDocument = z.output<typeof historyDocument>;
