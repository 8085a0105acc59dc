import { ServiceError } from '../errors/index.ts';
import {
  describeSize,
  type DocumentBytes,
  type Reserved,
  type Room,
  type RoomNeeded,
  type RoomTaken,
  type RoomView,
  type Space,
} from './room.ts';

/** Services for measuring disk space. */
export interface DiskRoomParts {
  readonly folder: string;
  readonly diskSpace: (path: string) => Promise<Space>;
  /** Read from counters, about once a second. */
  readonly documents: () => Promise<DocumentBytes>;
  /** Stores the reservations of this node, and answers those of the other nodes. Default: there are no others. */
  readonly exchange?: (own: Reserved) => Promise<Reserved>;
  /** Bytes of the disk that always stay free. */
  readonly leastFree: number;
  /** Maximum number of bytes of all stored documents; undefined: limited by the disk only. */
  readonly quota: number | undefined;
  /** Monotonic milliseconds. Default: Node's clock. */
  readonly clock?: () => number;
}

/** Lifetime of a measurement in milliseconds. */
const MEASURE_LIFETIME = 1000;
/** Seconds until a refused caller may try again: documents expire once a minute. */
const RETRY_AFTER = 60;
/** Bytes reserved at a time for content of unknown length. */
const STEP = 8 * 2 ** 20;
/** Free bytes for a warning, besides twice the minimum: a batch of documents may not fit. */
const SCARCE = 512 * 2 ** 20;
/** The used share of a quota from which on a warning is shown. */
const SCARCE_QUOTA = 0.9;

/** The share of the usable disk that one caller may reserve ahead of received bytes. */
const SHARE_OF_CALLER = 0.25;
/** Milliseconds without a byte after which a request reserves nothing ahead. */
const STALL = 5000;

interface Measure extends DocumentBytes {
  readonly free: number | undefined;
  readonly others: Reserved;
}

const nothing: Reserved = { onDisk: 0, kept: 0 };

/**
 * A request's reservation: `asked` bytes requested, `came` bytes received so far, and the part included in the latest
 * measurement.
 */
interface Holding {
  readonly copies: number;
  readonly isPassing: boolean;
  readonly caller: string | undefined;
  asked: number;
  came: number;
  seen: number;
  /** Time of the latest byte. */
  at: number;
}

/**
 * The disk space of the data folder. Reservations of running requests are subtracted, so that a hundred simultaneous
 * requests do not use the same free space. The expected size of pending results is subtracted too. An announced length
 * that comes slowly, or never, must not cost others their uploads: a caller reserves a share at most, and a stalled
 * request only what it has sent. More is reserved when it arrives.
 */
export class DiskRoom implements Room {
  readonly #parts: DiskRoomParts;
  readonly #clock: () => number;
  readonly #holdings = new Set<Holding>();
  #measured: Promise<Measure> | undefined;
  #measuredAt = -Infinity;
  /** Bytes of requests ended since the latest measurement, which the measurement may not include. */
  #ended = { onDisk: 0, kept: 0 };

  constructor(parts: DiskRoomParts) {
    this.#parts = parts;
    this.#clock = parts.clock ?? (() => performance.now());
  }

  async take({ bytes, copies = 1, isPassing = false, caller }: RoomNeeded): Promise<RoomTaken> {
    const holding: Holding = { copies, isPassing, caller, asked: 0, came: 0, seen: 0, at: this.#clock() };
    const { free } = await this.#measure();
    await this.#expect(holding, bytes);
    holding.asked = Math.min(bytes, this.#shareLeft(holding, free));
    this.#holdings.add(holding);
    return {
      came: async (more) => {
        holding.at = this.#clock();
        const missing = holding.came + more - holding.asked;
        if (missing > 0) await this.#askForMore(holding, missing);
        holding.came += more;
      },
      leave: () => {
        if (!this.#holdings.delete(holding)) return;
        this.#ended.onDisk += holding.came * copies - holding.seen;
        this.#ended.kept += isPassing ? 0 : holding.came;
      },
    };
  }

  async view(): Promise<RoomView> {
    const { free, kept, awaited } = await this.#measure();
    const { leastFree, quota } = this.#parts;
    const shared = { free, leastFree, kept, awaited, quota };
    const left = free === undefined ? Infinity : free - awaited;
    if (left <= leastFree) return { ...shared, state: 'none', cause: 'disk' };
    if (quota !== undefined && kept >= quota) return { ...shared, state: 'none', cause: 'quota' };
    if (left < Math.max(SCARCE, 2 * leastFree)) {
      return { ...shared, state: 'scarce', cause: 'disk' };
    }
    if (quota !== undefined && kept >= quota * SCARCE_QUOTA) return { ...shared, state: 'scarce', cause: 'quota' };
    return { ...shared, state: 'enough', cause: undefined };
  }

  /** Reserves more than needed if possible, because an upload arrives in thousands of pieces. */
  async #askForMore(holding: Holding, missing: number): Promise<void> {
    const ahead = Math.max(missing, STEP);
    const bytes = (await this.#refusal(holding, ahead)) === undefined ? ahead : missing;
    await this.#expect(holding, bytes);
    holding.asked += bytes;
  }

  /** Bytes that the caller of a request may still reserve ahead of received bytes. */
  #shareLeft({ caller, copies }: Holding, free: number | undefined): number {
    if (caller === undefined || free === undefined) return Infinity;
    let share = Math.max(0, free - this.#parts.leastFree) * SHARE_OF_CALLER;
    for (const other of this.#holdings) {
      if (other.caller === caller) share -= (other.asked - other.came) * other.copies;
    }
    return Math.max(0, Math.floor(share / Math.max(1, copies)));
  }

  #releaseStalled(): void {
    const before = this.#clock() - STALL;
    for (const holding of this.#holdings) {
      if (holding.at < before) holding.asked = Math.min(holding.asked, holding.came);
    }
  }

  async #expect(holding: Holding, bytes: number): Promise<void> {
    const refusal = await this.#refusal(holding, bytes);
    if (refusal !== undefined) throw refusal;
  }

  /** At least one byte is requested, so that nothing begins without any space. */
  async #refusal({ copies, isPassing }: Holding, bytes: number): Promise<ServiceError | undefined> {
    const { free, kept, awaited, others } = await this.#measure();
    const { leastFree, quota } = this.#parts;
    this.#releaseStalled();
    const promised = this.#promised();
    const wanted = Math.max(1, bytes);
    if (!isPassing && quota !== undefined && kept + others.kept + promised.kept + wanted > quota) {
      return full(
        `The documents that are kept here may have ${describeSize(quota)} together, and that is used up. Wait`,
      );
    }
    if (free !== undefined && free - awaited - others.onDisk - promised.onDisk - wanted * copies < leastFree) {
      return full(`Less than ${describeSize(leastFree)} would stay free on the disk: make room on it, or wait`);
    }
    return undefined;
  }

  /** Reserved bytes of all requests, beyond the latest measurement. */
  #promised(): Reserved {
    const sum = { ...this.#ended };
    for (const { asked, copies, isPassing, seen } of this.#holdings) {
      sum.onDisk += asked * copies - seen;
      sum.kept += isPassing ? 0 : asked;
    }
    return sum;
  }

  async #measure(): Promise<Measure> {
    const at = this.#clock();
    if (this.#measured !== undefined && at - this.#measuredAt < MEASURE_LIFETIME) return this.#measured;
    this.#measuredAt = at;
    // Bytes received until now are part of later measurements.
    this.#ended = { onDisk: 0, kept: 0 };
    for (const holding of this.#holdings) holding.seen = holding.came;
    const measured = this.#measureNow();
    this.#measured = measured;
    return measured.catch((error: unknown) => {
      if (this.#measured === measured) this.#measured = undefined;
      throw error;
    });
  }

  /** If the free space is unknown, nothing is refused: a full disk causes an error of its own. */
  async #measureNow(): Promise<Measure> {
    const { folder, diskSpace, documents, exchange } = this.#parts;
    const [free, bytes, others] = await Promise.all([
      diskSpace(folder).then(
        (space) => space.free,
        () => undefined,
      ),
      documents(),
      exchange === undefined ? nothing : exchange(this.#promised()),
    ]);
    return { free, ...bytes, others };
  }
}

function full(why: string): ServiceError {
  const detail = `${why} until documents that are kept here have ended, and try again.`;
  return new ServiceError('STORAGE_FULL', detail, { retryAfter: RETRY_AFTER });
}
