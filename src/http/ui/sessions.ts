import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** The holder of a session, or the command line through the local channel. */
export type UiCaller = 'user-interface' | 'command-line';

const linkLifetime = 10 * 60 * 1000;
const sessionLifetime = 12 * 3600 * 1000;

/** The scheme of `Authorization` on the `/ui` routes. */
const scheme = 'Sinete-UI';

/**
 * One-time links and their sessions, in memory only. Keys and sessions are 256 random bits; only their hashes are
 * stored, and compared in constant time.
 */
export class UiSessions {
  readonly #now: () => Date;
  #links: Expiring[] = [];
  #sessions: Expiring[] = [];

  constructor(now: () => Date) {
    this.#now = now;
  }

  /** A key for a link, valid once within ten minutes. */
  issueKey(): string {
    const key = randomBytes(32).toString('base64url');
    this.#links = [...this.#alive(this.#links), this.#expiring(key, linkLifetime)];
    return key;
  }

  /** Exchanges a link's key for a session of twelve hours; undefined if the key is unknown, used or expired. */
  open(key: string): string | undefined {
    const wanted = hash(key);
    const links = this.#alive(this.#links);
    const link = links.find((one) => timingSafeEqual(one.hash, wanted));
    this.#links = links.filter((one) => one !== link);
    if (link === undefined) return undefined;
    const session = randomBytes(32).toString('base64url');
    this.#sessions = [...this.#alive(this.#sessions), this.#expiring(session, sessionLifetime)];
    return session;
  }

  /** True if an `Authorization` header has a session that has not expired. */
  isOpen(authorization: string | undefined): boolean {
    const [given, credential = ''] = (authorization ?? '').split(' ', 2);
    if (given !== scheme) return false;
    const wanted = hash(credential);
    this.#sessions = this.#alive(this.#sessions);
    return this.#sessions.some((one) => timingSafeEqual(one.hash, wanted));
  }

  #alive(list: readonly Expiring[]): Expiring[] {
    const now = this.#now().getTime();
    return list.filter((one) => one.ends > now);
  }

  #expiring(secret: string, lifetime: number): Expiring {
    return { hash: hash(secret), ends: this.#now().getTime() + lifetime };
  }
}

interface Expiring {
  readonly hash: Buffer;
  /** Milliseconds since 1970. */
  readonly ends: number;
}

function hash(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}
