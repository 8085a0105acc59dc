/** The calls of the Doctor: checks besides the health of the core. */
import { z } from 'zod';
import { healthView, instant, nothing } from './views.ts';

/** Findings, each with a text of its own in every language. */
const doctorFinding = z.enum([
  'tokens-seen',
  'tokens-none',
  'token-without-driver',
  'card-service-stopped',
  'card-service-idle',
  'cards-not-told',
  'drivers-not-callable',
  'drivers-fit',
  'driver-other-width',
  'driver-other-processor',
  'driver-no-library',
  'certificates-good',
  'certificates-none',
  'certificate-expired',
  'certificate-expires',
  'certificate-chain',
  'driver-suggested',
  'trust-none',
  'trust-current',
  'trust-ended',
  'trust-ends',
  'policy-list-ended',
  'sites-none',
  'sites-arrive',
  'sites-refused',
  'port-usual',
  'port-other',
  'port-chosen',
  'clock-agrees',
  'clock-differs',
  'clock-not-compared',
  'secrets-kept',
  'secrets-in-memory',
  'secrets-in-memory-windows',
  'secrets-in-memory-macos',
  'proxy-answers',
  'proxy-silent',
  'database-whole',
  'database-aside',
  'renewals-current',
  'renewals-due',
  'renewals-failed',
  'renewals-missing',
  'store-answers',
  'store-silent',
  'not-examined',
]);

/** Repairs with a single click. */
const doctorRepair = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('add-driver'), path: z.string() }),
  z.object({ kind: z.literal('update-trust') }),
  z.object({ kind: z.literal('keep-keys') }),
  z.object({ kind: z.literal('keep-port') }),
  z.object({ kind: z.literal('test-store'), id: z.string() }),
  z.object({ kind: z.literal('remove-driver'), id: z.string() }),
  z.object({ kind: z.literal('open'), page: z.enum(['settings', 'certificates', 'sites', 'renewals']) }),
]);

const doctorCheckView = z.object({
  /** Stable for each checked thing. */
  id: z.string(),
  /** `advice` is no fault: most people can sign without following the advice. */
  outcome: z.enum(['ok', 'advice', 'problem']),
  finding: doctorFinding,
  /** Values for the finding's texts. */
  values: z.record(z.string(), z.union([z.string(), z.number()])),
  /** In English, for the command line. */
  message: z.string(),
  remedy: z.string().nullable(),
  repairs: z.array(doctorRepair),
});

const siteVisitView = z.object({
  /** The browser's origin; `null` for a hidden origin. */
  origin: z.string(),
  browser: z.enum(['Chrome', 'Edge', 'Firefox', 'Safari', 'Opera', 'other']),
  /** `passed`, `asked` (the user was to decide), or the code of the refusal. */
  outcome: z.string(),
  at: instant,
});

const clockView = z.object({
  /** The time that the clock shows. */
  now: instant,
  /** Nothing is erased while true. */
  doubted: z.boolean(),
  /** Seconds that the clock is ahead of the last other clock; null when none was seen. */
  ahead: z.number().nullable(),
  /** When a person last accepted the clock. */
  accepted: instant.nullable(),
});

export type ClockView = z.output<typeof clockView>;

export const doctorCalls = {
  /** All findings, the same for Home, the tray, the page Doctor and the command line. */
  'doctor.read': {
    input: nothing,
    output: z.object({
      status: z.enum(['good', 'advice', 'problem']),
      /** Of the core. */
      health: healthView.shape.checks,
      /** Of the surroundings. */
      checks: z.array(doctorCheckView),
    }),
  },
  /** Moves the master key from memory into a key file that only this user can read, so that imported keys last. */
  'secrets.keep': { input: nothing, output: nothing },
  /** Takes the port of now for the port of every start; the usual ports follow where another program has it then. */
  'doctor.keepPort': { input: nothing, output: z.object({ port: z.int() }) },
  /** What is known of the clock of this computer. */
  'clock.read': { input: nothing, output: clockView },
  /** A person has compared the clock with a right one: it is believed again, and expired data may be erased. */
  'clock.accept': { input: nothing, output: clockView },
  /** Requests of web sites since the start, newest first, at most fifty: whether browsers let the sites through. */
  'doctor.visits': { input: nothing, output: z.object({ now: instant, visits: z.array(siteVisitView) }) },
} as const;

export type DoctorView = z.output<(typeof doctorCalls)['doctor.read']['output']>;
export type DoctorCheckView = z.output<typeof doctorCheckView>;
export type DoctorRepairView = z.output<typeof doctorRepair>;
export type SiteVisitView = z.output<typeof siteVisitView>;
