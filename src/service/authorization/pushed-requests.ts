import { randomBytes } from 'node:crypto';
import { ServiceError } from '../errors/index.ts';

/** Seconds until a pushed request is over (RFC 9126 §2.2). */
export const pushedLifetime = 90;
/** Most pushed requests at a time: of all applications, and of one. */
const requestsAtOnce = 1000;
const requestsPerClient = 100;
const prefix = 'urn:ietf:params:oauth:request_uri:';

interface Pushed {
  readonly clientId: string;
  readonly parameters: Readonly<Record<string, string>>;
  readonly endsAt: number;
}

/**
 * Authorization requests that applications sent beforehand (RFC 9126), in memory. A person may load the page again, so
 * a request stays until its end.
 */
export class PushedRequests {
  readonly #entries = new Map<string, Pushed>();
  readonly #now: () => Date;

  constructor(now: () => Date) {
    this.#now = now;
  }

  /** Keeps the parameters and answers their `request_uri`; `BUSY` when the application has pushed too many. */
  push(clientId: string, parameters: Readonly<Record<string, string>>): string {
    this.#removeEnded();
    const own = [...this.#entries.values()].filter((entry) => entry.clientId === clientId).length;
    if (own >= requestsPerClient || this.#entries.size >= requestsAtOnce) {
      const detail = 'Too many pushed requests wait: send their people to the authorize page first.';
      throw new ServiceError('BUSY', detail, { retryAfter: pushedLifetime });
    }
    const uri = `${prefix}${randomBytes(32).toString('base64url')}`;
    this.#entries.set(uri, { clientId, parameters, endsAt: this.#now().getTime() + pushedLifetime * 1000 });
    return uri;
  }

  /** The parameters of the application's own request; undefined: unknown, over, or of another application. */
  find(uri: string, clientId: string): Readonly<Record<string, string>> | undefined {
    this.#removeEnded();
    const entry = this.#entries.get(uri);
    return entry?.clientId === clientId ? entry.parameters : undefined;
  }

  /** Entries are in the order of their end. */
  #removeEnded(): void {
    const now = this.#now().getTime();
    for (const [uri, { endsAt }] of this.#entries) {
      if (endsAt > now) return;
      this.#entries.delete(uri);
    }
  }
}
