/** The calls of the Doctor: the checks of the core and of this computer. */
import { z } from 'zod';
import { instant, nothing } from './views.ts';

/** Repairs with a single click. */
const repair = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('add-driver'), path: z.string() }),
  z.object({ kind: z.enum(['remove-driver', 'retry-driver', 'test-store', 'test-server']), id: z.string() }),
  z.object({ kind: z.enum(['update-trust', 'keep-keys', 'keep-port', 'accept-clock']) }),
  z.object({
    kind: z.literal('open'),
    page: z.enum(['settings', 'network', 'backups', 'history', 'certificates', 'sites', 'renewals']),
  }),
]);

/** The words of a check in a language of the window. */
const checkWords = z.object({
  title: z.string(),
  message: z.string(),
  /** Why the check matters. */
  purpose: z.string(),
  /** Null if nothing needs to be done. */
  remedy: z.string().nullable(),
});

const checkView = z.object({
  /** Stable for each checked thing. */
  id: z.string(),
  /** The code of the finding in the registry of checks. */
  finding: z.string(),
  /** The group of the finding: the kind of the checked thing. */
  area: z.string(),
  /** `advice` is no fault: most people can sign without it. */
  outcome: z.enum(['ok', 'advice', 'problem']),
  /** True for a problem that every page shows, because it affects all results. */
  isUrgent: z.boolean(),
  words: z.object({ en: checkWords, 'pt-BR': checkWords }),
  /** In English with commands, for the command line. */
  message: z.string(),
  remedy: z.string().nullable(),
  /** The usual repair comes first. */
  repairs: z.array(repair),
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
      /** The checks of the core, then those of this computer. */
      checks: z.array(checkView),
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
export type CheckView = z.output<typeof checkView>;
export type RepairView = z.output<typeof repair>;
export type SiteVisitView = z.output<typeof siteVisitView>;
