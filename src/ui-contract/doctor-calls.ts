/** The calls of the Doctor: checks in addition to the health of the core. */
import { z } from 'zod';
import { healthView, instant, nothing } from './views.ts';

/** Findings; each has its own text in every language. */
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
  /** `advice` is no fault: most people can sign without it. */
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
  /** `passed`, `asked` (the user had to decide), or the code of the refusal. */
  outcome: z.string(),
  at: instant,
});

const clockView = z.object({
  /** The time that the clock shows. */
  now: instant,
  /** True while expired data must not be deleted. */
  doubted: z.boolean(),
  /** Seconds by which the clock is ahead of the last other clock; null if no other clock was seen. */
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
      /** Checks of the core. */
      health: healthView.shape.checks,
      /** Checks of the surroundings. */
      checks: z.array(doctorCheckView),
    }),
  },
  /** Moves the master key from memory into a key file that only this user can read, so that imported keys last. */
  'secrets.keep': { input: nothing, output: nothing },
  /**
   * Keeps the present port for every later start. If another program has taken the port then, the usual ports are
   * tried.
   */
  'doctor.keepPort': { input: nothing, output: z.object({ port: z.int() }) },
  /** The state of this computer's clock. */
  'clock.read': { input: nothing, output: clockView },
  /**
   * Confirms that a person has compared the clock with a correct one: it is trusted again, and expired data may be
   * deleted.
   */
  'clock.accept': { input: nothing, output: clockView },
  /**
   * Requests of web sites since the start, newest first, at most fifty. They show whether browsers let the sites
   * through.
   */
  'doctor.visits': { input: nothing, output: z.object({ now: instant, visits: z.array(siteVisitView) }) },
} as const;

export type DoctorView = z.output<(typeof doctorCalls)['doctor.read']['output']>;
export type DoctorCheckView = z.output<typeof doctorCheckView>;
export type DoctorRepairView = z.output<typeof doctorRepair>;
export type SiteVisitView = z.output<typeof siteVisitView>;
