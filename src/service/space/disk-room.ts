import { ServiceError } from '../errors/index.ts';
import { describeSize } from './describe-size.ts';
import type { DocumentOctets, Room, RoomNeeded, RoomTaken, RoomView, Space } from './room.ts';

/** What room is measured with. */
export interface DiskRoomParts {
  readonly folder: string;
  readonly diskSpace: (path: string) => Promise<Space>;
  /** From counters: they are asked about once a second. */
  readonly documents: () => Promise<DocumentOctets>;
  /** Octets of the disk that stay free, whoever asks. */
  readonly leastFree: number;
  /** Octets that kept documents may have together; undefined: as many as fit on the disk. */
  readonly quota: number | undefined;
  /** Milliseconds that never go back. Default: the run time's. */
  readonly clock?: () => number;
}

/** Milliseconds for which a measure is believed. */
const MEASURE_LIFETIME = 1000;
/** Seconds after which a refused caller may try again: lifetimes are looked at once a minute. */
const RETRY_AFTER = 60;
/** Octets by which room is asked for, where nobody said how many would come. */
const STEP = 8 * 2 ** 20;
/** Warned is from here on, besides twice what stays free: a batch of documents may not find room. */
const SCARCE = 512 * 2 ** 20;
/** The part of a quota from which on is warned. */
const SCARCE_QUOTA = 0.9;

interface Measure extends DocumentOctets {
  readonly free: number | undefined;
}

/** Room for one request: `asked` for it, `came` of that, and of this what the latest measure has seen. */
interface Holding {
  readonly copies: number;
  readonly isPassing: boolean;
  asked: number;
  came: number;
  seen: number;
}

/**
 * The room on the disk of the data folder. What was promised to requests that still send is taken off, so that a
 * hundred of them together do not fill what each would have found free; so is what the results will take of documents
 * that wait for their signatures.
 */
export class DiskRoom implements Room {
  readonly #parts: DiskRoomParts;
  readonly #clock: () => number;
  readonly #holdings = new Set<Holding>();
  #measured: Promise<Measure> | undefined;
  #measuredAt = -Infinity;
  /** Octets of requests that have ended since the latest measure, which may not be in it. */
  #ended = { onDisk: 0, kept: 0 };

  constructor(parts: DiskRoomParts) {
    this.#parts = parts;
    this.#clock = parts.clock ?? (() => performance.now());
  }

  async take({ octets, copies = 1, isPassing = false }: RoomNeeded): Promise<RoomTaken> {
    const holding: Holding = { copies, isPassing, asked: octets, came: 0, seen: 0 };
    await this.#expect(holding, octets);
    this.#holdings.add(holding);
    return {
      came: async (more) => {
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

  /** Asks ahead where that fits: an upload comes in thousands of pieces. */
  async #askForMore(holding: Holding, missing: number): Promise<void> {
    const ahead = Math.max(missing, STEP);
    const octets = (await this.#refusal(holding, ahead)) === undefined ? ahead : missing;
    await this.#expect(holding, octets);
    holding.asked += octets;
  }

  async #expect(holding: Holding, octets: number): Promise<void> {
    const refusal = await this.#refusal(holding, octets);
    if (refusal !== undefined) throw refusal;
  }

  /** At least one octet is asked for, so that nothing begins where nothing fits. */
  async #refusal({ copies, isPassing }: Holding, octets: number): Promise<ServiceError | undefined> {
    const { free, kept, awaited } = await this.#measure();
    const { leastFree, quota } = this.#parts;
    const promised = this.#promised();
    const wanted = Math.max(1, octets);
    if (!isPassing && quota !== undefined && kept + promised.kept + wanted > quota) {
      return full(
        `The documents that are kept here may have ${describeSize(quota)} together, and that is used up. Wait`,
      );
    }
    if (free !== undefined && free - awaited - promised.onDisk - wanted * copies < leastFree) {
      return full(`Less than ${describeSize(leastFree)} would stay free on the disk: make room on it, or wait`);
    }
    return undefined;
  }

  /** Octets that others were promised, beyond what the latest measure has seen of them. */
  #promised(): { readonly onDisk: number; readonly kept: number } {
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
    // What came until now is in what is measured from now on.
    this.#ended = { onDisk: 0, kept: 0 };
    for (const holding of this.#holdings) holding.seen = holding.came;
    const measured = this.#measureNow();
    this.#measured = measured;
    return measured.catch((error: unknown) => {
      if (this.#measured === measured) this.#measured = undefined;
      throw error;
    });
  }

  /** A disk that does not tell its space refuses nobody: it will say itself when it is full. */
  async #measureNow(): Promise<Measure> {
    const { folder, diskSpace, documents } = this.#parts;
    const [free, octets] = await Promise.all([
      diskSpace(folder).then(
        (space) => space.free,
        () => undefined,
      ),
      documents(),
    ]);
    return { free, ...octets };
  }
}

function full(why: string): ServiceError {
  const detail = `${why} until documents that are kept here have ended, and try again.`;
  return new ServiceError('STORAGE_FULL', detail, { retryAfter: RETRY_AFTER });
}
