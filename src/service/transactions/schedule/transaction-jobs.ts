import { shortTcn, type ServiceLog } from '../../monitoring/index.ts';
import type { Hold } from '../dependencies.ts';
import type { ClaimedJob, JobClaim, WorkObserver } from '../stores.ts';
import { NamedLocks } from './job-runner.ts';
import type { RunOutcome, SharedNodes, TransactionJobs } from '../nodes.ts';

/** The jobs of a single instance, which has all of them. */
export const soleJobs: TransactionJobs = {
  begin: () => Promise.resolve(true),
  end: () => Promise.resolve(),
  claimOf: () => undefined,
  hold: () => Promise.resolve(),
};

/** Maximum number of simultaneous jobs of this node; further jobs are left to other nodes, or to a later turn. */
const MOST_JOBS = 64;
/** Milliseconds between two searches for unclaimed jobs. */
const LOOK_INTERVAL = 1000;
/** Milliseconds for which a job is left to the nodes that have its token. */
const DECLINED_FOR = 30_000;

/** Services for the jobs of a node. */
export interface SharedJobsParts {
  readonly nodes: Pick<SharedNodes, 'claims' | 'signals'>;
  readonly holds: Map<string, Hold>;
  readonly runner: () => {
    readonly names: readonly string[];
    readonly closed: boolean;
    has(tcn: string): boolean;
    start(tcn: string): void;
  };
  /** True for a certificate whose key is in a token of this computer. */
  readonly hasKey: (fingerprint: string) => Promise<boolean>;
  readonly work: Pick<WorkObserver, 'tookOver'>;
  readonly log: ServiceLog;
}

interface Held {
  readonly claim: JobClaim;
  users: number;
}

/**
 * Jobs of transactions among several nodes. The node that creates a transaction claims its job; jobs that nobody has,
 * such as those of a node that ended, are found by looking every second, in turns between their owners.
 */
export class SharedJobs implements TransactionJobs {
  readonly #parts: SharedJobsParts;
  readonly #held = new Map<string, Held>();
  /** Jobs that are claimed and about to begin. */
  readonly #given = new Map<string, ClaimedJob>();
  readonly #declined = new Map<string, number>();
  /** Jobs that other nodes asked for, which must not be offered to them again. */
  readonly #askedFor = new Set<string>();
  readonly #steps = new NamedLocks();
  #timer: NodeJS.Timeout | undefined;
  #look: Promise<void> | undefined;
  #hasMore = false;

  constructor(parts: SharedJobsParts) {
    this.#parts = parts;
    parts.nodes.signals.listen(({ jobs = [], holds = [] }) => {
      for (const [tcn, hold] of holds) if (this.#held.has(tcn)) this.#note(tcn, hold);
      for (const tcn of jobs) {
        this.#askedFor.add(tcn);
        this.#declined.delete(tcn);
        parts.runner().start(tcn);
      }
    });
  }

  /** Starts looking for jobs. */
  start(): void {
    this.#timer = setInterval(() => void this.#lookForJobs(), LOOK_INTERVAL).unref();
    void this.#lookForJobs();
  }

  /** Stops looking for jobs; jobs that were claimed and not begun are released. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#look;
    for (const job of this.#given.values()) await this.#release(job);
    this.#given.clear();
  }

  async begin(tcn: string): Promise<boolean> {
    return this.#steps.run(tcn, () => this.#begin(tcn));
  }

  async end(tcn: string, outcome: RunOutcome): Promise<void> {
    await this.#steps.run(tcn, async () => {
      const held = this.#held.get(tcn);
      if (held === undefined || --held.users > 0) return;
      this.#held.delete(tcn);
      if (outcome === 'done') await this.#release(held.claim);
    });
    if (this.#hasMore) void this.#lookForJobs();
  }

  claimOf(tcn: string): JobClaim | undefined {
    return this.#held.get(tcn)?.claim;
  }

  async hold(tcn: string, hold: Hold | null): Promise<void> {
    await this.#parts.nodes.claims.hold(tcn, hold);
    this.#parts.nodes.signals.tell({ holds: [[tcn, hold]] });
  }

  async #begin(tcn: string): Promise<boolean> {
    const held = this.#held.get(tcn);
    if (held !== undefined) {
      held.users++;
      return true;
    }
    const isAskedFor = this.#askedFor.delete(tcn);
    const job = await this.#claim(tcn);
    if (job === undefined) {
      if (!isAskedFor) this.#parts.nodes.signals.tell({ jobs: [tcn] });
      return false;
    }
    const { node, number } = job;
    if (job.isTakenOver) this.#parts.work.tookOver();
    this.#held.set(tcn, { claim: { tcn, node, number }, users: 1 });
    this.#note(tcn, job.hold);
    return true;
  }

  async #claim(tcn: string): Promise<ClaimedJob | undefined> {
    const given = this.#given.get(tcn);
    this.#given.delete(tcn);
    if (given === undefined && this.#held.size >= MOST_JOBS) {
      this.#hasMore = true;
      return undefined;
    }
    const job = given ?? (await this.#parts.nodes.claims.claim(tcn));
    if (job === undefined || (await this.#canSign(job))) return job;
    this.#declined.set(tcn, performance.now() + DECLINED_FOR);
    await this.#release(job);
    return undefined;
  }

  /** The last node accepts every job, so that a person learns which token is missing. */
  async #canSign({ tokenCertificate }: ClaimedJob): Promise<boolean> {
    if (tokenCertificate === null || (await this.#parts.hasKey(tokenCertificate))) return true;
    return (await this.#parts.nodes.claims.countAlive()) <= 1;
  }

  #note(tcn: string, hold: Hold | null): void {
    if (hold === null) this.#parts.holds.delete(tcn);
    else this.#parts.holds.set(tcn, hold);
  }

  /** A claim that cannot be released now is found again by the next search. */
  async #release(claim: JobClaim): Promise<void> {
    await this.#parts.nodes.claims.release(claim).catch((error: unknown) => {
      this.#parts.log.warn({ transaction: shortTcn(claim.tcn), error }, 'a job could not be given back');
    });
  }

  async #lookForJobs(): Promise<void> {
    this.#look ??= this.#takeNext().finally(() => {
      this.#look = undefined;
    });
    await this.#look;
  }

  async #takeNext(): Promise<void> {
    const { nodes, log } = this.#parts;
    const runner = this.#parts.runner();
    const most = MOST_JOBS - this.#held.size - this.#given.size;
    if (runner.closed || most <= 0) return;
    for (const [tcn, until] of this.#declined) if (until < performance.now()) this.#declined.delete(tcn);
    try {
      const jobs = await nodes.claims.claimNext(most, [...runner.names, ...this.#declined.keys()]);
      this.#hasMore = jobs.length === most;
      for (const job of jobs) {
        this.#given.set(job.tcn, job);
        runner.start(job.tcn);
      }
    } catch (error) {
      log.warn({ error }, 'the search for jobs failed; it is repeated');
    }
  }
}
