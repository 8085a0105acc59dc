import { ServiceError, type FieldProblem, type Quota } from '../errors/index.ts';
import type { ApplicationLimits, ApplicationStore } from './applications.ts';

/** Checks the limits of applications. */
export interface ApplicationQuotas {
  /**
   * Answers the limits in force. Rejects with `retryAfter`: `APPLICATION_OUT_OF_HOURS` outside of the hours,
   * `APPLICATION_LIMIT_REACHED` when no document is left for today.
   */
  admit(clientId: string): Promise<ApplicationLimits>;
  /**
   * Adds documents to today's count, all or none: `APPLICATION_LIMIT_REACHED`. Documents of applications without a
   * limit are counted too, so that a limit that is set later in the day includes them.
   */
  take(clientId: string, documents: number): Promise<void>;
  /** Subtracts documents that `take` counted, because their storage failed. */
  giveBack(clientId: string, documents: number): Promise<void>;
  /** The documents left for today; undefined without a limit of documents a day. */
  read(clientId: string): Promise<Quota | undefined>;
}

export const noQuotas: ApplicationQuotas = {
  admit: async () => Promise.resolve({}),
  take: async () => Promise.resolve(),
  giveBack: async () => Promise.resolve(),
  read: async () => Promise.resolve(undefined),
};

const hoursShape = /^([01]\d|2[0-3]):([0-5]\d)-([01]\d|2[0-3]):([0-5]\d)$/;

/** True for two different times of the day: `08:00-18:00`. */
export function areHours(text: string): boolean {
  const [from, to] = text.split('-');
  return hoursShape.test(text) && from !== to;
}

/** The problems of an application's limits. */
export function limitProblems({ documentsPerDay, documentSize, hours }: ApplicationLimits): readonly FieldProblem[] {
  const wrongNumber = (field: string, value: number | undefined): readonly FieldProblem[] =>
    value === undefined || (Number.isSafeInteger(value) && value > 0)
      ? []
      : [{ field, code: 'INVALID_VALUE', detail: 'Give a whole number of at least 1, or leave the limit out.' }];
  const detail = 'Give two times of the day, such as 08:00-18:00, or leave the limit out.';
  return [
    ...wrongNumber('limits.documents_per_day', documentsPerDay),
    ...wrongNumber('limits.document_size', documentSize),
    ...(hours === undefined || areHours(hours) ? [] : [{ field: 'limits.hours', code: 'INVALID_VALUE', detail }]),
  ];
}

interface QuotaDependencies {
  readonly store: Pick<ApplicationStore, 'find' | 'countDocuments' | 'documentsOn'>;
  /** Limits of the configuration by client id; the limits of the registry apply too. */
  readonly configured: Readonly<Record<string, ApplicationLimits>>;
  readonly now: () => Date;
}

/** The limits of the registry and of the configuration apply together. Counts survive restarts. */
export function createQuotas({ store, configured, now }: QuotaDependencies): ApplicationQuotas {
  const limitsOf = async (clientId: string): Promise<readonly ApplicationLimits[]> => {
    const own = (await store.find(clientId))?.limits;
    const given = Object.hasOwn(configured, clientId) ? configured[clientId] : undefined;
    return [own, given].filter((limits) => limits !== undefined);
  };
  const leastOf = (all: readonly ApplicationLimits[], name: 'documentsPerDay' | 'documentSize'): number =>
    Math.min(...all.map((limits) => limits[name] ?? Infinity));
  const readQuota = async (clientId: string, limit: number): Promise<Quota> => {
    const at = now();
    const used = await store.documentsOn(clientId, dayOf(at));
    const resetsAfter = secondsUntil(at, '24:00');
    return { name: 'documents-per-day', limit, window: 86_400, remaining: Math.max(0, limit - used), resetsAfter };
  };
  return {
    admit: async (clientId) => {
      const all = await limitsOf(clientId);
      for (const { hours } of all) refuseOutside(hours, now());
      const documentsPerDay = leastOf(all, 'documentsPerDay');
      const documentSize = leastOf(all, 'documentSize');
      if (documentsPerDay < Infinity) {
        const quota = await readQuota(clientId, documentsPerDay);
        if (quota.remaining === 0) throw limitReached(quota, 1);
      }
      return documentSize < Infinity ? { documentSize } : {};
    },
    take: async (clientId, documents) => {
      if (documents === 0) return;
      const limit = leastOf(await limitsOf(clientId), 'documentsPerDay');
      const isCounted = await store.countDocuments(clientId, { day: dayOf(now()), documents, most: limit });
      if (!isCounted) throw limitReached(await readQuota(clientId, limit), documents);
    },
    giveBack: async (clientId, documents) => {
      if (documents === 0) return;
      await store.countDocuments(clientId, { day: dayOf(now()), documents: -documents, most: Infinity });
    },
    read: async (clientId) => {
      const limit = leastOf(await limitsOf(clientId), 'documentsPerDay');
      return limit === Infinity ? undefined : readQuota(clientId, limit);
    },
  };
}

/** `YYYY-MM-DD` in local time. */
function dayOf(at: Date): string {
  const [month, day] = [at.getMonth() + 1, at.getDate()].map((value) => String(value).padStart(2, '0'));
  return `${at.getFullYear()}-${month}-${day}`;
}

/** Seconds until the local time is next `time` (`HH:MM`); at least 1. */
function secondsUntil(at: Date, time: string): number {
  const [hour = 0, minute = 0] = time.split(':').map(Number);
  const next = new Date(at.getFullYear(), at.getMonth(), at.getDate(), hour, minute);
  if (next <= at) next.setDate(next.getDate() + 1);
  return Math.max(1, Math.ceil((next.getTime() - at.getTime()) / 1000));
}

function refuseOutside(hours: string | undefined, at: Date): void {
  if (hours === undefined) return;
  const [from = '', to = ''] = hours.split('-');
  const time = [at.getHours(), at.getMinutes()].map((value) => String(value).padStart(2, '0')).join(':');
  const isWithin = from < to ? from <= time && time < to : time >= from || time < to;
  if (isWithin) return;
  const detail =
    `This application may ask for signatures from ${from} to ${to} only: send the request again then, or let the ` +
    'owner of this instance change the hours of the application.';
  const problems = [{ field: 'limits.hours', code: 'APPLICATION_OUT_OF_HOURS', detail }];
  throw new ServiceError('APPLICATION_OUT_OF_HOURS', detail, { problems, retryAfter: secondsUntil(at, from) });
}

function limitReached(quota: Quota, documents: number): ServiceError {
  const { limit, remaining, resetsAfter } = quota;
  const left = remaining === 0 ? 'None is left today' : `${remaining} left today, and the request has ${documents}`;
  const detail =
    `This application may send ${limit} documents a day. ${left}: go on tomorrow, or let the owner of this instance ` +
    'raise the limit of the application.';
  const problems = [{ field: 'documents', code: 'APPLICATION_LIMIT_REACHED', detail }];
  return new ServiceError('APPLICATION_LIMIT_REACHED', detail, { problems, retryAfter: resetsAfter, quota });
}
