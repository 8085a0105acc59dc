import { ServiceError } from '../errors/index.ts';
import { inSpan, noTracing, shortTcn, type Tracer } from '../monitoring/index.ts';
import { deliverNotification, type DeliveryFailure, type DeliveryParts } from './deliver-notification.ts';
import {
  defaultNotificationLimits,
  retryDelay,
  type NotificationLimits,
  type Notification,
  type Notifications,
  type AttemptOutcome,
  type ClaimedNotification,
  type NotificationStore,
} from './notification.ts';
import { dropUndefined } from '../../values/drop-undefined.ts';

/** Services for sending notifications. */
export interface NotificationDependencies extends DeliveryParts {
  readonly store: NotificationStore;
  /** Called after each attempt and each renewal. */
  readonly onChange: (tcn: string) => void;
  /** Overrides of `defaultNotificationLimits`. */
  readonly limits?: Partial<NotificationLimits>;
  /** A number in [0, 1); by default the run time's. */
  readonly random?: () => number;
  /** Default: no traces. */
  readonly tracer?: Tracer;
  /** The span of the create request of a transaction. Default: unknown. */
  readonly traceOf?: (tcn: string) => Promise<string | undefined>;
}

/** Milliseconds after an attempt's timeout during which its lease still belongs to this process. */
const leaseBeyondTimeout = 30_000;
/** Milliseconds to wait after the store has failed. */
const storePause = 5000;

/** Builds the notifications of this instance; nothing is sent before `start`. */
export function createNotifications(dependencies: NotificationDependencies): Notifications {
  const { store, now, onChange } = dependencies;
  const dispatcher = new Dispatcher(dependencies);
  return {
    list: (limit) => store.list(limit),
    async redeliver(idOrTcn) {
      const found = await findNotification(store, idOrTcn);
      if (dispatcher.isRunning(found.id)) return found;
      await store.renew(found.id, now());
      onChange(found.tcn);
      dispatcher.wake();
      return findNotification(store, found.id);
    },
    async giveUp(id) {
      const found = await findNotification(store, id);
      await store.giveUp(found.id, now());
      onChange(found.tcn);
      return findNotification(store, found.id);
    },
    wake: () => {
      dispatcher.wake();
    },
    start: () => dispatcher.start(),
    close: () => dispatcher.close(),
  };
}

async function findNotification(store: NotificationStore, idOrTcn: string): Promise<Notification> {
  const found = await store.find(idOrTcn);
  if (found !== undefined) return found;
  const detail = 'No notification has this id or TCN: the transaction is not finished, or asked for none.';
  throw new ServiceError('NOT_FOUND', detail);
}

/** Sends due notifications, a limited number at a time, and sleeps until the next. */
class Dispatcher {
  readonly #parts: NotificationDependencies;
  readonly #limits: NotificationLimits;
  /** Hosts by id. */
  readonly #running = new Map<string, string>();
  readonly #deliveries = new Set<Promise<void>>();
  readonly #ending = new AbortController();
  #state: 'new' | 'idle' | 'looking' | 'closed' = 'new';
  #lookAgain = false;
  #look = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;
  #timerEnd = 0;

  constructor(parts: NotificationDependencies) {
    this.#parts = parts;
    this.#limits = { ...defaultNotificationLimits, ...dropUndefined(parts.limits ?? {}) };
  }

  isRunning(id: string): boolean {
    return this.#running.has(id);
  }

  async start(): Promise<void> {
    const repeated = await this.#parts.store.releaseLeases();
    if (repeated > 0) this.#parts.log.info({ notifications: repeated }, 'notifications of the last run are sent again');
    this.#state = 'idle';
    this.wake();
  }

  wake(): void {
    this.#sleep(this.#limits.gatherTime);
  }

  async close(): Promise<void> {
    this.#state = 'closed';
    clearTimeout(this.#timer);
    this.#ending.abort();
    await this.#look;
    await Promise.allSettled(this.#deliveries);
  }

  /** Looks again after this time, or earlier. The timer's clock is monotonic. */
  #sleep(milliseconds: number): void {
    if (this.#state === 'looking') this.#lookAgain = true;
    if (this.#state !== 'idle') return;
    const end = performance.now() + milliseconds;
    if (this.#timer !== undefined && this.#timerEnd <= end) return;
    clearTimeout(this.#timer);
    this.#timerEnd = end;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#state = 'looking';
      this.#lookAgain = false;
      this.#look = this.#lookOnce();
    }, milliseconds).unref();
  }

  async #lookOnce(): Promise<void> {
    const pause = await this.#takeDue().catch((error: unknown) => {
      this.#parts.log.error({ error }, 'notifications could not be read; they are tried again');
      return storePause;
    });
    if (this.#isClosed()) return;
    this.#state = 'idle';
    this.#sleep(this.#lookAgain ? this.#limits.gatherTime : pause);
  }

  /** A method, because the state may change during an `await`, which the compiler does not see in a plain read. */
  #isClosed(): boolean {
    return this.#state === 'closed';
  }

  /** Starts due notifications; answers the milliseconds until the next one is due. */
  async #takeDue(): Promise<number> {
    const { store, now } = this.#parts;
    if (!(await store.hasWaiting())) return this.#limits.longestSleep;
    const { atOnce, atOncePerHost, timeout, longestSleep } = this.#limits;
    const most = atOnce - this.#running.size;
    if (most > 0) {
      const at = now();
      const claimed = await store.claim({
        now: at,
        leaseUntil: new Date(at.getTime() + timeout + leaseBeyondTimeout),
        most,
        mostPerHost: atOncePerHost,
        running: this.#running,
      });
      for (const one of claimed) this.#begin(one);
    }
    const next = await store.nextTime(now());
    return next === undefined ? longestSleep : Math.min(longestSleep, next.getTime() - now().getTime());
  }

  #begin(notification: ClaimedNotification): void {
    this.#running.set(notification.id, notification.host);
    const delivery = this.#attempt(notification).finally(() => {
      this.#running.delete(notification.id);
      this.#deliveries.delete(delivery);
      this.#parts.onChange(notification.tcn);
      this.wake();
    });
    this.#deliveries.add(delivery);
  }

  /** An attempt without a stored outcome is repeated after its lease: delivery is guaranteed at least once. */
  async #attempt(notification: ClaimedNotification): Promise<void> {
    const { store, log, now } = this.#parts;
    const { id, tcn, attempts, host } = notification;
    const outcome = await this.#outcomeOf(notification);
    const about = { notification: id, transaction: shortTcn(tcn), host, attempts };
    if (outcome.kind === 'failed') {
      log.warn(
        { ...about, reason: outcome.error },
        outcome.retryAt === null ? 'notification given up' : 'not notified',
      );
    } else {
      log.info(about, outcome.kind === 'delivered' ? 'notified' : 'notification interrupted');
    }
    await store.settle(id, outcome, now()).catch((error: unknown) => {
      log.error({ ...about, error }, 'the outcome of a notification could not be stored');
    });
  }

  /** One attempt, in a span below the create request of its transaction. */
  async #deliverOnce(notification: ClaimedNotification): Promise<DeliveryFailure> {
    const { tracer = noTracing, traceOf } = this.#parts;
    const traceParent = tracer.isOn ? await traceOf?.(notification.tcn).catch(() => undefined) : undefined;
    const options = { kind: 'consumer', parent: { from: 'record', traceParent } } as const;
    return inSpan(tracer, 'notification', options, async (span) => {
      const failure = await deliverNotification(this.#parts, notification, this.#limits, this.#ending.signal);
      if (failure !== undefined) span.fail('NOT_DELIVERED');
      return failure;
    });
  }

  async #outcomeOf(notification: ClaimedNotification): Promise<AttemptOutcome> {
    const { now, random = Math.random } = this.#parts;
    try {
      const error = await this.#deliverOnce(notification);
      if (error === undefined) return { kind: 'delivered' };
      const delay = retryDelay(notification.attempts, this.#limits, random());
      return { kind: 'failed', error, retryAt: delay === undefined ? null : new Date(now().getTime() + delay) };
    } catch {
      return { kind: 'interrupted' };
    }
  }
}
