import { randomBytes } from 'node:crypto';
import { ServiceError } from '../errors/index.ts';
import { placeOfAttempt } from '../users/index.ts';
import { keyOf, type ShortLivedStore } from '../short-lived/index.ts';

/** Lifetime of a pushed request in seconds (RFC 9126 §2.2). */
export const pushedLifetime = 90;
/**
 * Maximum number of pushed requests at a time. The client id of a public application is no secret, so its requests count
 * for the address, and cannot use up the places of others.
 */
const limits = {
  confidential: { most: 10_000, mostOfOwner: 100, whenFull: 'refuse' },
  public: { most: 8000, mostOfOwner: 20, whenFull: 'refuse' },
} as const;
const kind = 'pushed-request';
const prefix = 'urn:ietf:params:oauth:request_uri:';

/** The content of an entry, as JSON. */
interface Content {
  readonly clientId: string;
  readonly parameters: Readonly<Record<string, string>>;
}

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

  /**
   * Stores the parameters and answers their `request_uri`. `BUSY` if too many were pushed: by the application, or with
   * `origin`, the place of a request without a secret, from there.
   */
  async push(clientId: string, parameters: Readonly<Record<string, string>>, origin?: string): Promise<string> {
    const uri = `${prefix}${randomBytes(32).toString('base64url')}`;
    const now = this.#now();
    const endsAt = new Date(now.getTime() + pushedLifetime * 1000);
    const content = JSON.stringify({ clientId, parameters } satisfies Content);
    const entry = {
      key: keyOf(uri),
      owner: origin === undefined ? `application ${clientId}` : placeOfAttempt(origin),
      content,
      endsAt,
    };
    const limit = origin === undefined ? limits.confidential : limits.public;
    if (await this.#store.add(kind, entry, limit, now)) return uri;
    const detail = 'Too many pushed requests wait: send their people to the authorize page first.';
    throw new ServiceError('BUSY', detail, { retryAfter: pushedLifetime });
  }

  /** The parameters of the application's own request; undefined if unknown, expired, or of another application. */
  async find(uri: string, clientId: string): Promise<Readonly<Record<string, string>> | undefined> {
    const entry = await this.#store.find(kind, keyOf(uri), this.#now());
    if (entry === undefined) return undefined;
    const { clientId: owner, parameters } = JSON.parse(entry.content) as Content;
    return owner === clientId ? parameters : undefined;
  }
}
