import { randomBytes } from 'node:crypto';
import { ServiceError } from '../errors/index.ts';
import { keyOf, type ShortLivedStore } from '../short-lived/index.ts';

/** Lifetime of a pushed request in seconds (RFC 9126 §2.2). */
export const pushedLifetime = 90;
/** Maximum number of pushed requests at a time: of all applications, and of one. */
const limits = { most: 1000, mostOfOwner: 100, whenFull: 'refuse' } as const;
const kind = 'pushed-request';
const prefix = 'urn:ietf:params:oauth:request_uri:';

/**
 * Authorization requests that applications sent beforehand (RFC 9126). A request is not removed when it is read,
 * because a person may reload the page.
 */
export class PushedRequests {
  readonly #store: ShortLivedStore;
  readonly #now: () => Date;

  constructor(store: ShortLivedStore, now: () => Date) {
    this.#store = store;
    this.#now = now;
  }

  /** Stores the parameters and answers their `request_uri`; `BUSY` if the application has pushed too many. */
  async push(clientId: string, parameters: Readonly<Record<string, string>>): Promise<string> {
    const uri = `${prefix}${randomBytes(32).toString('base64url')}`;
    const now = this.#now();
    const endsAt = new Date(now.getTime() + pushedLifetime * 1000);
    const entry = { key: keyOf(uri), owner: clientId, content: JSON.stringify(parameters), endsAt };
    if (await this.#store.add(kind, entry, limits, now)) return uri;
    const detail = 'Too many pushed requests wait: send their people to the authorize page first.';
    throw new ServiceError('BUSY', detail, { retryAfter: pushedLifetime });
  }

  /** The parameters of the application's own request; undefined if unknown, expired, or of another application. */
  async find(uri: string, clientId: string): Promise<Readonly<Record<string, string>> | undefined> {
    const entry = await this.#store.find(kind, keyOf(uri), this.#now());
    if (entry?.owner !== clientId) return undefined;
    return JSON.parse(entry.content) as Readonly<Record<string, string>>;
  }
}
