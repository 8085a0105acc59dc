/** The calls about renewals: files that are kept valid, with the proven times and their authorities. */
import { z } from 'zod';
import { recipientKey } from './validation-calls.ts';
import { instant, nothing, standardWarning } from './views.ts';

const proof = z.object({
  role: z.enum(['signature', 'archive', 'document', 'content', 'references', 'evidence-record']),
  time: instant,
  authority: z.string().nullable(),
  valid: z.boolean(),
});

const state = z.enum([
  'renewed',
  'due',
  'not-due',
  'content-missing',
  'file-missing',
  'locked',
  'not-valid',
  'no-signature',
  'failed',
]);

const outcome = z.object({
  path: z.string(),
  state,
  /** In the requested language; empty if the state needs no explanation. */
  detail: z.string(),
  sha256: z.string().nullable(),
  /** Only for a renewed file. */
  sha256Before: z.string().nullable(),
  protectedUntil: instant.nullable(),
  protectedUntilBefore: instant.nullable(),
  /** The certificate or the algorithm that ends first. */
  endsBy: z.object({ cause: z.enum(['certificate', 'algorithm']), name: z.string() }).nullable(),
  signatures: z.array(
    z.object({
      signer: z.string().nullable(),
      levelProven: z.string().nullable(),
      provenTime: instant.nullable(),
      timestamps: z.array(proof),
    }),
  ),
  documentTimestamps: z.array(proof),
  /** Effects of a renewal on the standards that a PDF claims. */
  warnings: z.array(standardWarning),
});

/** The language of the outcomes' sentences; absent: English. */
const language = z.enum(['pt-BR', 'en']).optional();

const keptFile = z.object({
  path: z.string(),
  origin: z.enum(['history', 'folder']),
  /** Null before the first check. */
  outcome: outcome.nullable(),
  checkedAt: instant.nullable(),
  /** The time of the next check. */
  nextAt: instant,
  /** The time from which the file is due; null if nothing is protected. */
  dueAt: instant.nullable(),
  renewedAt: instant.nullable(),
});

export const renewalCalls = {
  /** Files in trouble first, then by the end of their protection. */
  'renewals.list': {
    input: z.object({
      offset: z.number().int().min(0).max(10_000_000),
      limit: z.number().int().min(1).max(500),
      language,
    }),
    output: z.object({
      mode: z.enum(['automatic', 'list', 'off']),
      /** Days before the end of protection from which a file is renewed. */
      withinDays: z.number().int(),
      /** `unreadable`: the folder could not be read at the last check. */
      folders: z.array(z.object({ path: z.string(), unreadable: z.boolean() })),
      counts: z.partialRecord(z.enum([...state.options, 'new']), z.number().int()),
      total: z.number().int(),
      files: z.array(keptFile),
    }),
  },
  /** Keeps a folder and all folders below valid. */
  'renewals.addFolder': { input: z.object({ path: z.string().min(1).max(4096) }), output: nothing },
  'renewals.removeFolder': { input: z.object({ path: z.string() }), output: nothing },
  /** Stops keeping a file of History valid. */
  'renewals.forget': { input: z.object({ path: z.string() }), output: nothing },
  /** Checks every file that is due for a check. */
  'renewals.look': { input: nothing, output: z.object({ looked: z.number().int(), renewed: z.number().int() }) },
  /**
   * Checks one file, kept or not, and renews it if its protection ends within these seconds; default: the configured
   * time. `always` renews it whenever a new time stamp protects for longer.
   */
  'renewals.renew': {
    input: z.object({
      path: z.string().min(1),
      within: z.union([z.number().min(0), z.literal('always')]).optional(),
      dryRun: z.boolean().optional(),
      timestampServer: z.string().optional(),
      password: z.string().optional(),
      recipient: recipientKey.optional(),
      language,
    }),
    output: outcome,
  },
  /** The proven times and their authorities, for every kept file. */
  'renewals.report': {
    input: z.object({ format: z.enum(['html', 'pdf', 'json']), language: z.enum(['pt-BR', 'en']) }),
    output: z.object({ name: z.string(), mediaType: z.string(), data: z.base64() }),
  },
} as const;

export type KeptFileView = z.output<typeof keptFile>;
export type RenewalOutcomeView = z.output<typeof outcome>;
export type RenewalStateView = z.output<typeof state>;
