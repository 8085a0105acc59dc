/**
 * The parent's side of one module: queues, deadlines, and the recovery of work after the child died. Requests of one
 * token keep their order. A request that exceeds its deadline ends the child.
 */
import { SigningError } from '../../errors.ts';
import { toSigningError } from './errors.ts';
import { DEFAULT_KEEPER_TIMING, HostKeeper, type KeeperState, type KeeperTiming } from './host-keeper.ts';
import type { CallJob, Flight, Job, Lane, SignJob } from './lane.ts';
import { Lanes, rejectAll } from './lanes.ts';
import { NodeHostLauncher, type HostLauncher } from './launcher.ts';
import type { ModuleReference } from './module-paths.ts';
import {
  resultSchemas,
  type HostReply,
  type LibraryInformation,
  type Results,
  type SignOutcome,
  type SlotList,
} from './protocol.ts';
import { dropUndefined } from '../../../values/drop-undefined.ts';

/** Time limit of one request in milliseconds. For `sign`: between two signatures of a batch. */
interface Deadlines {
  readonly slots: number;
  readonly certificates: number;
  readonly login: number;
  /** The user types the PIN on the reader during this time. */
  readonly loginOnPinPad: number;
  readonly logout: number;
  readonly sign: number;
}

const DEFAULT_DEADLINES: Deadlines = {
  slots: 15_000,
  certificates: 30_000,
  login: 30_000,
  loginOnPinPad: 120_000,
  logout: 10_000,
  sign: 60_000,
};

export interface SupervisorOptions {
  readonly launcher?: HostLauncher;
  /** Sessions of each token in which signatures are made at the same time; 1 by default. */
  readonly sessions?: number;
  /** Additional variables for the child, besides the inherited variables (`childEnvironment`). */
  readonly environment?: Readonly<Record<string, string>>;
  readonly deadlines?: Partial<Deadlines>;
  readonly timing?: Partial<KeeperTiming>;
  /** Maximum number of waiting requests, over all tokens of the module. */
  readonly queueLimit?: number;
}

export interface SupervisorEvents {
  /** The set of tokens has changed, reported without a request. */
  slots(slots: SlotList): void;
  /** The child was started, has ended, or is refused: all login states are lost. */
  state(state: KeeperState): void;
}

type CallName = CallJob['operation']['op'];
type OperationOf<Name extends CallName> = Extract<CallJob['operation'], { op: Name }>;

const DEFAULT_QUEUE_LIMIT = 1_000;
const MODULE_LANE = '';

export class ModuleSupervisor {
  readonly deadlines: Deadlines;
  readonly #module: ModuleReference;
  readonly #keeper: HostKeeper;
  readonly #events: SupervisorEvents;
  readonly #queueLimit: number;
  readonly #lanes: Lanes;
  #watching = false;
  #retireWhenIdle = false;
  #pumpScheduled = false;
  /** The token with a login in progress. */
  #busyWithLogin: Lane | undefined;

  constructor(module: ModuleReference, events: SupervisorEvents, options: SupervisorOptions = {}) {
    this.#module = module;
    this.#events = events;
    this.deadlines = { ...DEFAULT_DEADLINES, ...dropUndefined(options.deadlines ?? {}) };
    this.#lanes = new Lanes((flight) => this.#late(flight));
    this.#queueLimit = options.queueLimit ?? DEFAULT_QUEUE_LIMIT;
    this.#keeper = new HostKeeper(
      module,
      options.launcher ?? new NodeHostLauncher(),
      options.environment ?? {},
      { sessions: options.sessions ?? 1 },
      { ...DEFAULT_KEEPER_TIMING, ...dropUndefined(options.timing ?? {}) },
      {
        ready: () => this.#becameReady(),
        reply: (reply) => this.#receive(reply),
        lost: (error, wasReady) => this.#lost(error, wasReady),
        recovered: () => this.#pump(),
        refused: (error) => this.#refused(error),
      },
    );
  }

  get state(): KeeperState {
    return this.#keeper.state;
  }

  get refusal(): SigningError | undefined {
    return this.#keeper.refusal;
  }

  get library(): LibraryInformation | undefined {
    return this.#keeper.library;
  }

  /** The process number of the running child. */
  get processId(): number | undefined {
    return this.#keeper.processId;
  }

  /** The driver's output before the first login of this child, at most 8 KiB. */
  get output(): string {
    return this.#keeper.output;
  }

  /** Keeps a child running from now on, for `slots` events. */
  watch(): void {
    this.#watching = true;
    this.#schedulePump();
  }

  unwatch(): void {
    this.#watching = false;
  }

  /** Queues one operation. Rejects with the token's error, or with `MODULE_…`, `QUEUE_FULL`, `CANCELLED`. */
  async call<Name extends CallName>(operation: OperationOf<Name>, deadline: number): Promise<Results[Name]> {
    const lane = 'tokenSerial' in operation ? operation.tokenSerial : MODULE_LANE;
    const result = await new Promise<unknown>((resolve, reject) => {
      this.#enqueue(lane, { kind: 'call', operation, deadline, resolve, reject, attempts: 0 });
    });
    return result as Results[Name];
  }

  /** Queues one signature. `signal` cancels the signature only while still waiting (`CANCELLED`). */
  async sign(work: Pick<SignJob, 'key' | 'mechanism' | 'input'>, signal?: AbortSignal): Promise<Buffer> {
    if (signal?.aborted === true) throw new SigningError('CANCELLED', 'The signature was cancelled before it began.');
    const lane = work.key.tokenSerial;
    let cancel: (() => void) | undefined;
    try {
      return await new Promise<Buffer>((resolve, reject) => {
        const { sign: deadline } = this.deadlines;
        const job: SignJob = { kind: 'signature', ...work, deadline, resolve, reject, attempts: 0 };
        cancel = () => this.#lanes.cancel(this.#lanes.lane(lane), (waiting) => waiting === job);
        signal?.addEventListener('abort', cancel);
        this.#enqueue(lane, job);
      });
    } finally {
      if (cancel !== undefined) signal?.removeEventListener('abort', cancel);
    }
  }

  /** Cancels the signatures that wait for a token; they reject with `CANCELLED`. */
  cancelSignatures(tokenSerial: string): void {
    this.#lanes.cancel(this.#lanes.lane(tokenSerial), ({ kind }) => kind === 'signature');
  }

  /** Replaces the child as soon as it is idle, so that no copy of a PIN remains. */
  retireWhenIdle(): void {
    this.#retireWhenIdle = true;
    this.#pump();
  }

  /** Ends the quarantine of the module, or allows another attempt to load the driver, at the next request. */
  release(): void {
    this.#keeper.release();
    this.#schedulePump();
  }

  async close(): Promise<void> {
    this.#watching = false;
    const closed = this.#keeper.close();
    this.#lanes.close(new SigningError('CANCELLED', `The driver ${this.#module.product} was closed.`));
    await closed;
  }

  #enqueue(laneName: string, job: Job): void {
    if (this.#keeper.state === 'closed') {
      job.reject(new SigningError('CANCELLED', `The driver ${this.#module.product} was closed.`));
      return;
    }
    const { waiting } = this.#lanes;
    if (waiting >= this.#queueLimit) {
      job.reject(new SigningError('QUEUE_FULL', `${waiting} requests already wait for the token. Try again later.`));
      return;
    }
    this.#lanes.add(laneName, job);
    this.#schedulePump();
  }

  /** Runs after the current callers, so that signatures requested together are sent together. */
  #schedulePump(): void {
    if (this.#pumpScheduled) return;
    this.#pumpScheduled = true;
    queueMicrotask(() => {
      this.#pumpScheduled = false;
      this.#pump();
    });
  }

  #pump(): void {
    if (this.#retireWhenIdle && this.#lanes.idle) {
      this.#retireWhenIdle = false;
      this.#keeper.retire();
    }
    if (this.#lanes.waiting === 0 && !this.#watching) return;
    const refusal = this.#keeper.refusal;
    if (refusal !== undefined) {
      this.#lanes.rejectWaiting(refusal);
      return;
    }
    this.#keeper.want();
    if (this.#keeper.state !== 'ready' || this.#retireWhenIdle) return;
    for (const lane of this.#lanes.all()) this.#fill(lane);
  }

  #fill(lane: Lane): void {
    for (;;) {
      const flight = this.#lanes.take(lane, () => this.#keeper.nextId());
      if (flight === undefined) return;
      if (lane.flights.length === 1) lane.startClock();
      if (this.#busyWithLogin !== undefined && this.#busyWithLogin !== lane) lane.pauseClock();
      this.#keeper.send({ version: 1, id: flight.id, operation: flight.operation });
    }
  }

  /** A login may block the whole child while the user types a PIN. The deadlines of other requests are paused. */
  #loginBegins(lane: Lane): void {
    this.#busyWithLogin = lane;
    for (const other of this.#lanes.all()) if (other !== lane) other.pauseClock();
  }

  #loginEnds(): void {
    this.#busyWithLogin = undefined;
    for (const lane of this.#lanes.all()) lane.resumeClock();
  }

  #late(flight: Flight): void {
    const text = `The driver ${this.#module.product} did not answer within ${flight.deadline / 1000} s.`;
    this.#keeper.kill(new SigningError('MODULE_TIMEOUT', text));
  }

  #becameReady(): void {
    this.#events.state('ready');
    this.#pump();
  }

  #receive(reply: HostReply): void {
    if (reply.kind === 'slots') {
      this.#events.slots(reply.slots);
      return;
    }
    const found = this.#lanes.findFlight(reply.id);
    if (found === undefined) return;
    const [lane, flight] = found;
    switch (reply.kind) {
      case 'started':
        flight.started = true;
        if (flight.operation.op === 'login') this.#loginBegins(lane);
        break;
      case 'signatures':
        lane.startClock();
        for (const outcome of reply.outcomes) this.#deliver(flight, outcome);
        break;
      case 'done':
        this.#finish(lane, flight, () => this.#complete(flight, reply.result));
        break;
      case 'failed':
        this.#finish(lane, flight, () => rejectAll(flight.jobs, toSigningError(reply.failure)));
        break;
    }
  }

  #deliver(flight: Flight, outcome: SignOutcome): void {
    const job = flight.jobs.shift();
    if (job?.kind !== 'signature') return;
    if (outcome instanceof Uint8Array) {
      job.resolve(Buffer.from(outcome.buffer, outcome.byteOffset, outcome.byteLength));
    } else {
      job.reject(toSigningError(outcome));
    }
  }

  #finish(lane: Lane, flight: Flight, settle: () => void): void {
    lane.flights.splice(lane.flights.indexOf(flight), 1);
    lane.startClock();
    if (flight.operation.op === 'login') this.#loginEnds();
    settle();
    this.#pump();
  }

  #complete(flight: Flight, result: unknown): void {
    const { op } = flight.operation;
    const parsed = resultSchemas[op].safeParse(result);
    const damaged = new SigningError('MODULE_CRASHED', `The process of the driver ${this.#module.product} is damaged.`);
    if (!parsed.success) this.#keeper.kill(damaged);
    else if (op !== 'sign') for (const job of flight.jobs.splice(0)) if (job.kind === 'call') job.resolve(parsed.data);
    // Jobs that remain here got no answer: signatures are missing from a batch, or a result has an invalid shape.
    rejectAll(flight.jobs, damaged);
  }

  #lost(error: SigningError, wasReady: boolean): void {
    this.#retireWhenIdle = false;
    this.#busyWithLogin = undefined;
    this.#lanes.childLost(error, wasReady);
    this.#events.state(this.#keeper.state);
  }

  #refused(error: SigningError): void {
    this.#lanes.rejectWaiting(error);
    this.#events.state(this.#keeper.state);
  }
}
