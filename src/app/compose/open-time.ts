import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { ServiceLog } from '../../service/monitoring/index.ts';
import { TimeService, type ClockStore } from '../../service/time/index.ts';
import type { HttpClient } from '../../signing/index.ts';

const noteSchema = z.object({ seen: z.number(), doubted: z.boolean(), accepted: z.number().optional() });
/** Milliseconds between two checks of the clock. */
const lookInterval = 60_000;
/** Milliseconds before the first comparison with another clock, and between two, while the clock is in doubt. */
const firstQuestion = 5_000;
const questionInterval = 600_000;

/** The time service of a data folder. */
export interface Time extends Pick<TimeService, 'mayErase' | 'state' | 'observe' | 'accept'> {
  /** Sets the function that compares the clock with another one, and calls `observe`, while the clock is in doubt. */
  askWhenDoubted(ask: () => Promise<void>): void;
  close(): Promise<void>;
}

/** The permission to erase, for stores that are opened before the clock. Nothing may be erased until the clock decides. */
export class ErasePermission {
  #clock: Pick<Time, 'mayErase'> | undefined;

  /** True if the clock is open and can be trusted. */
  readonly mayErase = (): boolean => this.#clock?.mayErase() === true;

  /** Lets `clock` decide from now on. */
  askFromNowOn(clock: Pick<Time, 'mayErase'>): void {
    this.#clock = clock;
  }
}

/** Opens the time service with its file in the data folder. From now on the service decides about `permission`. */
export function openTime(dataFolder: string, log: ServiceLog, permission: ErasePermission): Time {
  const service = new TimeService({
    wall: () => new Date(),
    monotonic: () => performance.now(),
    store: noteIn(join(dataFolder, 'clock.json')),
    log,
  });
  permission.askFromNowOn(service);
  service.note();
  const timers = [setInterval(() => service.note(), lookInterval).unref()];
  return {
    mayErase: service.mayErase,
    state: () => service.state(),
    observe: (other, took) => service.observe(other, took),
    accept: () => service.accept(),
    askWhenDoubted(ask) {
      const askNow = (): void => {
        if (service.state().doubted) ask().catch((error: unknown) => log.info({ error }, 'no time server answered'));
      };
      timers.push(setTimeout(askNow, firstQuestion).unref(), setInterval(askNow, questionInterval).unref());
    },
    close: async () => {
      for (const timer of timers) clearTimeout(timer);
      service.note();
      return Promise.resolve();
    },
  };
}

/** A network client that reports the time of each answer to the time service. */
export function observingClock<Client extends HttpClient>(client: Client, time: Pick<Time, 'observe'>): Client {
  return {
    ...client,
    async send(request) {
      const before = performance.now();
      const answer = await client.send(request);
      // Only POST: the answer to a GET may come from a cache, with the time at which it was stored (RFC 9111 §4.2.3).
      if (answer.date !== undefined && request.method === 'POST') time.observe(answer.date, performance.now() - before);
      return answer;
    },
  };
}

function noteIn(path: string): ClockStore {
  return {
    read() {
      try {
        return noteSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
      } catch {
        return undefined;
      }
    },
    write(note) {
      try {
        writeFileSync(path, JSON.stringify(note), { mode: 0o600 });
      } catch {
        // On a full disk the older file stays, and the next start doubts the clock.
      }
    },
  };
}
