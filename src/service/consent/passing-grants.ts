import type { GrantScope, SiteGrant } from './consent.ts';

/** Milliseconds after the site's last call for which it may go on with what it is doing. */
const idleTime = 300_000;
/** Milliseconds after which it is asked about again, however often it calls. */
const longest = 3_600_000;

/** What sites may do this once (`GrantDays`): in memory only. */
export class PassingGrants {
  readonly #now: () => Date;
  readonly #grants = new Map<string, SiteGrant>();

  constructor(now: () => Date) {
    this.#now = now;
  }

  /** The grant as of now. */
  find(origin: string): SiteGrant | undefined {
    const grant = this.#grants.get(origin);
    if (grant === undefined) return undefined;
    if (grant.expiresAt !== null && grant.expiresAt > this.#now()) return grant;
    this.#grants.delete(origin);
    return undefined;
  }

  origins(): readonly string[] {
    return [...this.#grants.keys()];
  }

  /** Adds to what the site may do already this once; the hour begins anew, because the user was asked anew. */
  add(origin: string, scopes: readonly GrantScope[]): SiteGrant {
    const earlier = this.find(origin);
    const now = this.#now();
    const grant: SiteGrant = {
      ...{ origin, scopes: [...new Set([...(earlier?.scopes ?? []), ...scopes])], source: 'user' },
      ...{ createdAt: now, expiresAt: new Date(now.getTime() + idleTime) },
      ...{ lastUsedAt: earlier?.lastUsedAt ?? null, uses: earlier?.uses ?? 0 },
    };
    this.#grants.set(origin, grant);
    return grant;
  }

  countUse(origin: string): void {
    const grant = this.find(origin);
    if (grant === undefined) return;
    const now = this.#now();
    const end = Math.min(now.getTime() + idleTime, grant.createdAt.getTime() + longest);
    this.#grants.set(origin, { ...grant, uses: grant.uses + 1, lastUsedAt: now, expiresAt: new Date(end) });
  }

  /** Whether there was one. */
  end(origin: string): boolean {
    return this.#grants.delete(origin);
  }
}
