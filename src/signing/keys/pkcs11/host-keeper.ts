/**
 * Keeps the child process of one module: starts it when it is wanted, greets it, counts its crashes, waits longer
 * after each, and stops starting it (quarantine) when it crashes too often.
 */
import { SigningError } from '../../errors.ts';
import type { BindingName } from './cryptoki/cryptoki.ts';
import { toSigningError } from './errors.ts';
import { childEnvironment, type HostExit, type HostLauncher, type HostProcess } from './launcher.ts';
import type { ModuleReference } from './module-paths.ts';
import { replySchema, resultSchemas, type HostReply, type HostRequest, type LibraryInformation } from './protocol.ts';

/** Times in milliseconds. */
export interface KeeperTiming {
  /** How long loading and initialising the driver may take. */
  readonly probe: number;
  /** How long a child may take to end by itself. */
  readonly close: number;
  /** Waits before the next start, after one crash, two …; the last one holds for all further ones. */
  readonly backOff: readonly number[];
  /** Quarantine after this many crashes … */
  readonly crashLimit: number;
  /** … within this time. */
  readonly crashWindow: number;
  /** A crash older than this no longer lengthens the wait. */
  readonly crashMemory: number;
  /**
   * How long a quarantine lasts, after one quarantine, two …; the last one holds for all further ones. The first crash
   * within `crashMemory` after a quarantine begins the next one.
   */
  readonly quarantine: readonly number[];
  /** A driver that cannot be loaded is tried again after this time. */
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
  /** The child has ended, before or after the driver was loaded; `error` tells why. */
  lost(error: SigningError, wasReady: boolean): void;
  /** The wait after a crash is over: a child may be wanted again. */
  recovered(): void;
  /** No child will come until something changes: quarantined, or not loadable. */
  refused(error: SigningError): void;
}

/** What the keeper is doing. */
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
  readonly #binding: BindingName;
  readonly #timing: KeeperTiming;
  readonly #events: KeeperEvents;
  #state: KeeperState = 'stopped';
  #host: HostProcess | undefined;
  #library: LibraryInformation | undefined;
  #crashes: number[] = [];
  /** Quarantines in a row, and the monotonic time of the end of the last one. */
  #quarantines = 0;
  #quarantineEnd = -Infinity;
  #refusal: { readonly error: SigningError; readonly until: number } | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** Why the child that is ending now ends; unset when it crashes by itself. */
  #reason: SigningError | undefined;
  #ended: (() => void) | undefined;
  #nextId = 1;
  #closeId: number | undefined;

  constructor(
    module: ModuleReference,
    launcher: HostLauncher,
    environment: Readonly<Record<string, string>>,
    binding: BindingName,
    timing: KeeperTiming,
    events: KeeperEvents,
  ) {
    this.#module = module;
    this.#launcher = launcher;
    this.#environment = childEnvironment(environment);
    this.#binding = binding;
    this.#timing = timing;
    this.#events = events;
  }

  get state(): KeeperState {
    return this.#state;
  }

  /** Of the last child that was loaded. */
  get library(): LibraryInformation | undefined {
    return this.#library;
  }

  get processId(): number | undefined {
    return this.#host?.pid;
  }

  /** What the driver printed before the first login; for the owner's eyes only. */
  get output(): string {
    return this.#host?.output() ?? '';
  }

  /** The standing refusal, if there is one. */
  get refusal(): SigningError | undefined {
    if (this.#refusal !== undefined && performance.now() >= this.#refusal.until) {
      this.#refusal = undefined;
      this.#state = 'stopped';
    }
    return this.#refusal?.error;
  }

  /** Starts the child unless it runs, is being waited for, or is refused. */
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

  /** Ends a child that hangs or talks nonsense. Counts as a crash. */
  kill(reason: SigningError): void {
    const host = this.#host;
    if (host === undefined) return;
    this.#reason ??= reason;
    host.kill();
    // A process that waits for its hardware inside the kernel cannot be ended; it is given up.
    setTimeout(() => {
      if (this.#host === host) this.#exited({ code: null, signal: 'SIGKILL' });
    }, this.#timing.close).unref();
  }

  /** Ends an idle child so that nothing of a PIN stays in its memory. Not a crash. */
  retire(): void {
    if (this.#state === 'ready') this.#discard('stopped');
  }

  /** Leaves the quarantine, and forgets that the driver could not be loaded. */
  release(): void {
    if (this.#refusal === undefined) return;
    clearTimeout(this.#timer);
    this.#refusal = undefined;
    this.#crashes = [];
    this.#quarantines = 0;
    this.#state = 'stopped';
  }

  /** Lets the driver finish, for a short time, and ends the child. */
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
    const operation = { op: 'probe', path: this.#module.path, binding: this.#binding } as const;
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
    // A timer fires up to a millisecond early. A driver that cannot be loaded is tried again when somebody asks.
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

  /** Forgets the child and ends it; its exit is no longer looked at. */
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
