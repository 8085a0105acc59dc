import type { GrantScope, SiteGrant } from './consent.ts';

/** Milliseconds after the site's last call until the grant ends. */
const idleTime = 300_000;
/** Milliseconds until the site is asked about again, for any number of calls. */
const longest = 3_600_000;

/** Grants for a single action (`GrantDays`): in memory only. */
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

  /** Adds to the site's present grant for a single action; the hour begins again, because the user was asked again. */
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

  /** True when there was a grant. */
  end(origin: string): boolean {
    return this.#grants.delete(origin);
  }
}
