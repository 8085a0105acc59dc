/**
 * Manages the child process of one module: starts the child on demand, loads the driver, counts crashes, waits longer
 * after each crash, and stops starting the child (quarantine) after too many crashes.
 */
import { SigningError } from '../../errors.ts';
import { toSigningError } from './errors.ts';
import { childEnvironment, type HostExit, type HostLauncher, type HostProcess } from './launcher.ts';
import type { ModuleReference } from './module-paths.ts';
import { replySchema, resultSchemas, type HostReply, type HostRequest, type LibraryInformation } from './protocol.ts';

/** Times in milliseconds. */
export interface KeeperTiming {
  /** Time limit for loading and initialising the driver. */
  readonly probe: number;
  /** Time limit for a child to end by itself. */
  readonly close: number;
  /** Waits before the next start, by number of crashes; the last wait applies to all further crashes. */
  readonly backOff: readonly number[];
  /** Number of crashes before a quarantine, within `crashWindow`. */
  readonly crashLimit: number;
  /** Time window for counting crashes. */
  readonly crashWindow: number;
  /** A crash older than this no longer lengthens the wait. */
  readonly crashMemory: number;
  /**
   * Durations of quarantines in a row; the last duration applies to all further quarantines. A crash within
   * `crashMemory` after a quarantine begins the next quarantine.
   */
  readonly quarantine: readonly number[];
  /** Time until the next attempt to load an unloadable driver. */
  readonly loadRetry: number;
}

export const DEFAULT_KEEPER_TIMING: KeeperTiming = {
  probe: 10_000,
  close: 3_000,
  backOff: [250, 1_000, 4_000, 15_000],
  crashLimit: 3,
  crashWindow: 60_000,
  crashMemory: 600_000,
  quarantine: [60_000, 300_000, 1_800_000, 3_600_000],
  loadRetry: 30_000,
};

export interface KeeperEvents {
  /** The driver is loaded. */
  ready(): void;
  reply(reply: HostReply): void;
  /** The child has ended, before or after loading the driver; `error` gives the reason. */
  lost(error: SigningError, wasReady: boolean): void;
  /** The wait after a crash is over: the child may be started again. */
  recovered(): void;
  /** No child will be started until something changes: the module is in quarantine or cannot be loaded. */
  refused(error: SigningError): void;
}

/** How the child calls the driver. */
export interface DriverCalls {
  /** Sessions of each token in which signatures are made at the same time. */
  readonly sessions: number;
}

/** A signature of each session takes a thread of the pool, which has four by default. */
const threadsFor = ({ sessions }: DriverCalls): Readonly<Record<string, string>> =>
  sessions > 4 ? { UV_THREADPOOL_SIZE: String(sessions) } : {};

/** The state of the keeper. */
export type KeeperState = 'stopped' | 'starting' | 'ready' | 'waiting' | 'quarantined' | 'unloadable' | 'closed';

function describeExit(module: ModuleReference, exit: HostExit): SigningError {
  const how = exit.signal === null ? `with exit code ${exit.code ?? 'unknown'}` : `by signal ${exit.signal}`;
  return new SigningError('MODULE_CRASHED', `The driver ${module.product} has crashed: its process ended ${how}.`);
}

/** `45 seconds`, `5 minutes`. */
function describePause(milliseconds: number): string {
  const seconds = Math.ceil(milliseconds / 1000);
  return seconds < 120 ? `${seconds} seconds` : `${Math.round(seconds / 60)} minutes`;
}

export class HostKeeper {
  readonly #module: ModuleReference;
  readonly #launcher: HostLauncher;
  readonly #environment: Readonly<Record<string, string>>;
  readonly #calls: DriverCalls;
  readonly #timing: KeeperTiming;
  readonly #events: KeeperEvents;
  #state: KeeperState = 'stopped';
  #host: HostProcess | undefined;
  #library: LibraryInformation | undefined;
  #crashes: number[] = [];
  /** Number of quarantines in a row, and the monotonic time when the last quarantine ended. */
  #quarantines = 0;
  #quarantineEnd = -Infinity;
  #refusal: { readonly error: SigningError; readonly until: number } | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** The reason for ending the child from here; undefined when the child crashes by itself. */
  #reason: SigningError | undefined;
  #ended: (() => void) | undefined;
  #nextId = 1;
  #closeId: number | undefined;

  constructor(
    module: ModuleReference,
    launcher: HostLauncher,
    environment: Readonly<Record<string, string>>,
    calls: DriverCalls,
    timing: KeeperTiming,
    events: KeeperEvents,
  ) {
    this.#module = module;
    this.#launcher = launcher;
    this.#environment = { ...threadsFor(calls), ...childEnvironment(environment) };
    this.#calls = calls;
    this.#timing = timing;
    this.#events = events;
  }

  get state(): KeeperState {
    return this.#state;
  }

  /** Information about the library of the last loaded child. */
  get library(): LibraryInformation | undefined {
    return this.#library;
  }

  get processId(): number | undefined {
    return this.#host?.pid;
  }

  /** The driver's output before the first login; only for the owner of this computer. */
  get output(): string {
    return this.#host?.output() ?? '';
  }

  /** The current refusal, if any. */
  get refusal(): SigningError | undefined {
    if (this.#refusal !== undefined && performance.now() >= this.#refusal.until) {
      this.#refusal = undefined;
      this.#state = 'stopped';
    }
    return this.#refusal?.error;
  }

  /** Starts the child, unless running, waiting after a crash, or refused. */
  want(): void {
    if (this.refusal === undefined && this.#state === 'stopped') this.#start();
  }

  nextId(): number {
    return this.#nextId++;
  }

  send(request: HostRequest): void {
    if (request.operation.op === 'login') this.#host?.stopCapture();
    this.#host?.send(request);
  }

  /** Ends a child that hangs or sends invalid messages. Counts as a crash. */
  kill(reason: SigningError): void {
    const host = this.#host;
    if (host === undefined) return;
    this.#reason ??= reason;
    host.kill();
    // A process blocked inside the kernel by its hardware cannot be ended, and is abandoned.
    setTimeout(() => {
      if (this.#host === host) this.#exited({ code: null, signal: 'SIGKILL' });
    }, this.#timing.close).unref();
  }

  /** Ends an idle child, so that no trace of a PIN stays in its memory. Not a crash. */
  retire(): void {
    if (this.#state === 'ready') this.#discard('stopped');
  }

  /** Ends the quarantine, and allows another attempt to load the driver. */
  release(): void {
    if (this.#refusal === undefined) return;
    clearTimeout(this.#timer);
    this.#refusal = undefined;
    this.#crashes = [];
    this.#quarantines = 0;
    this.#state = 'stopped';
  }

  /** Gives the driver a short time to finish, and ends the child. */
  async close(): Promise<void> {
    clearTimeout(this.#timer);
    this.#refusal = undefined;
    const host = this.#host;
    const wasReady = this.#state === 'ready';
    this.#state = 'closed';
    if (host === undefined) return;
    const ended = new Promise<void>((resolve) => {
      this.#ended = resolve;
    });
    if (wasReady) {
      this.#closeId = this.nextId();
      host.send({ version: 1, id: this.#closeId, operation: { op: 'close' } });
      this.#timer = setTimeout(() => host.kill(), this.#timing.close);
    } else {
      host.kill();
    }
    await ended;
    clearTimeout(this.#timer);
  }

  #start(): void {
    this.#state = 'starting';
    this.#reason = undefined;
    const host = this.#launcher.launch(this.#environment);
    this.#host = host;
    host.onMessage((message) => {
      if (this.#host === host) this.#receive(message);
    });
    host.onExit((exit) => {
      if (this.#host === host) this.#exited(exit);
    });
    this.#timer = setTimeout(() => {
      this.kill(new SigningError('MODULE_TIMEOUT', `The driver ${this.#module.product} does not finish loading.`));
    }, this.#timing.probe);
    const { path, parameters, ownKeysHavePublicKeys } = this.#module;
    const operation = { op: 'probe', path, parameters, ownKeysHavePublicKeys, ...this.#calls } as const;
    host.send({ version: 1, id: this.nextId(), operation });
  }

  #receive(message: unknown): void {
    const parsed = replySchema.safeParse(message);
    if (!parsed.success) {
      this.kill(new SigningError('MODULE_CRASHED', `The process of the driver ${this.#module.product} is damaged.`));
      return;
    }
    if (this.#state === 'ready') this.#events.reply(parsed.data);
    else if (this.#state === 'starting') this.#greeted(parsed.data);
    else if (parsed.data.kind === 'done' && parsed.data.id === this.#closeId) this.#host?.kill();
  }

  #greeted(reply: HostReply): void {
    if (reply.kind === 'failed') {
      this.#refuse(toSigningError(reply.failure), 'unloadable', this.#timing.loadRetry);
      return;
    }
    if (reply.kind !== 'done') return;
    clearTimeout(this.#timer);
    const library = resultSchemas.probe.safeParse(reply.result);
    this.#library = library.data;
    this.#state = 'ready';
    this.#events.ready();
  }

  #refuse(error: SigningError, state: 'unloadable' | 'quarantined', lasts: number): void {
    this.#discard(state);
    this.#refusal = { error, until: performance.now() + lasts };
    this.#events.refused(error);
    // A timer may fire up to a millisecond early. An unloadable driver has no timer, and is tried again on demand.
    if (state === 'quarantined') this.#timer = setTimeout(() => this.#events.recovered(), lasts + 1).unref();
  }

  #quarantine(cause: SigningError, isOnProbation: boolean): void {
    this.#quarantines = isOnProbation ? this.#quarantines + 1 : 1;
    const { quarantine } = this.#timing;
    const lasts = quarantine[Math.min(this.#quarantines, quarantine.length) - 1] ?? 0;
    this.#crashes = [];
    this.#quarantineEnd = performance.now() + lasts;
    const text = `The driver ${this.#module.product} crashed repeatedly and is not used for ${describePause(lasts)}, unless you try it again before.`;
    this.#refuse(new SigningError('MODULE_QUARANTINED', text, { cause }), 'quarantined', lasts);
  }

  /** Forgets the child and ends the process; its exit is ignored. */
  #discard(state: KeeperState): void {
    clearTimeout(this.#timer);
    const host = this.#host;
    this.#host = undefined;
    this.#state = state;
    host?.kill();
  }

  #exited(exit: HostExit): void {
    clearTimeout(this.#timer);
    this.#host = undefined;
    if (this.#state === 'closed') {
      this.#ended?.();
      return;
    }
    const error = this.#reason ?? describeExit(this.#module, exit);
    const wasReady = this.#state === 'ready';
    const now = performance.now();
    this.#crashes = [...this.#crashes.filter((time) => now - time < this.#timing.crashMemory), now];
    const recent = this.#crashes.filter((time) => now - time < this.#timing.crashWindow).length;
    const isOnProbation = this.#quarantines > 0 && now - this.#quarantineEnd < this.#timing.crashMemory;
    const quarantined = recent >= this.#timing.crashLimit || isOnProbation;
    const wait = this.#timing.backOff[Math.min(this.#crashes.length, this.#timing.backOff.length) - 1] ?? 0;
    this.#state = 'waiting';
    if (!quarantined) {
      this.#timer = setTimeout(() => {
        this.#state = 'stopped';
        this.#events.recovered();
      }, wait);
    }
    this.#events.lost(error, wasReady);
    if (quarantined) {
      this.#quarantine(error, isOnProbation);
    }
  }
}
