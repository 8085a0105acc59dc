/** The calls about the audit log and backups. */
import { z } from 'zod';
import { fingerprint, instant, nothing } from './views.ts';

const sequence = z.number().int().min(0);
const mark = z.object({ sequence, hash: fingerprint });

const auditRowView = z.object({
  sequence,
  at: instant,
  kind: z.string(),
  subject: z.string().nullable(),
  /** JSON text, as hashed. */
  detail: z.string(),
  previous: fingerprint,
  hash: fingerprint,
});

const auditVerdictView = z.discriminatedUnion('state', [
  z.object({
    state: z.literal('intact'),
    rows: sequence,
    /** Hash of the last row. A copy stored elsewhere can later prove that no row up to here was changed. */
    head: fingerprint,
    /** Rows up to here cannot be rewritten without the master key; null if nothing is sealed. */
    mark: mark.nullable(),
  }),
  z.object({
    state: z.literal('broken'),
    /** The first wrong row. */
    row: sequence,
    reason: z.enum(['ROW_CHANGED', 'ROW_MISSING', 'CHAIN_BROKEN', 'END_MISSING', 'HEAD_CHANGED', 'HISTORY_REPLACED']),
    mark: mark.nullable(),
  }),
]);

export const auditCalls = {
  /** Newest first; with `after` oldest first. With a TCN only the rows of the transaction. */
  'audit.list': {
    input: z.object({
      after: sequence.optional(),
      before: sequence.optional(),
      tcn: z.string().max(64).optional(),
      limit: z.number().int().min(1).max(1000),
    }),
    output: z.array(auditRowView),
  },
  /** Writes everything of this instance into a new file, for a passphrase or for public keys of age (`age1…`). */
  'backup.make': {
    input: z.union([
      z.object({ path: z.string().max(4096), passphrase: z.string().max(1000) }),
      z.object({ path: z.string().max(4096), recipients: z.array(z.string().max(4096)).min(1).max(20) }),
    ]),
    output: z.object({ size: z.number().int(), documents: z.number().int() }),
  },
  'audit.verify': { input: nothing, output: auditVerdictView },
} as const;

export type AuditRowView = z.output<typeof auditRowView>;
export type AuditVerdictView = z.output<typeof auditVerdictView>;
