import type { GrantScope, SiteGrant, NewGrant, ConsentStore } from './consent.ts';
import { ServiceError } from '../errors/index.ts';
import { isPlainHttpOrigin, readOrigin } from './approved-callers.ts';

/** Milliseconds after the site's last call until the grant ends. */
const idleTime = 300_000;
/** Milliseconds until the user is asked again, however often the site calls. */
const longest = 3_600_000;

/** Grants for a single action (`GrantDays`): in memory only. */
export class PassingGrants {
  readonly #now: () => Date;
  readonly #grants = new Map<string, SiteGrant>();

  constructor(now: () => Date) {
    this.#now = now;
  }

  /** The present grant. */
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

  /** Adds scopes to the site's grant for a single action. The hour begins again, because the user was asked again. */
  add(origin: string, scopes: readonly GrantScope[]): SiteGrant {
    const earlier = this.find(origin);
    const now = this.#now();
    const grant: SiteGrant = {
      origin,
      scopes: [...new Set([...(earlier?.scopes ?? []), ...scopes])],
      source: 'user',
      createdAt: now,
      expiresAt: new Date(now.getTime() + idleTime),
      lastUsedAt: earlier?.lastUsedAt ?? null,
      uses: earlier?.uses ?? 0,
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

  /** Ends the grant; true if there was one. */
  end(origin: string): boolean {
    return this.#grants.delete(origin);
  }
}

/** A site permitted by the configuration of this instance. */
export interface ConfiguredSite {
  readonly origin: string;
  readonly scopes: readonly GrantScope[];
}

/** Milliseconds between two writes of counted uses, so that a request needs no write. */
const flushInterval = 5_000;
const day = 24 * 3600 * 1000;

/** The grants, all in memory for the guard. Changes are stored at once, uses every few seconds. */
export class Grants {
  readonly #store: ConsentStore;
  readonly #now: () => Date;
  readonly #grants: Map<string, SiteGrant>;
  readonly #passing: PassingGrants;
  /** Grows with each change of this node. */
  #version = 0;
  /** Uses since the last flush. */
  #pending = new Map<string, { uses: number; lastUsedAt: Date }>();
  #timer: NodeJS.Timeout | undefined;

  private constructor(store: ConsentStore, now: () => Date, grants: readonly SiteGrant[]) {
    this.#store = store;
    this.#now = now;
    this.#passing = new PassingGrants(now);
    this.#grants = new Map(grants.map((grant) => [grant.origin, grant]));
  }

  static async open(store: ConsentStore, now: () => Date, configured: readonly ConfiguredSite[]): Promise<Grants> {
    const kept = await store.grants();
    const fixed = configured.map(({ origin, scopes }): SiteGrant => ({
      origin: readOrigin(origin),
      scopes,
      createdAt: now(),
      expiresAt: null,
      lastUsedAt: null,
      uses: 0,
      source: 'configuration',
    }));
    return new Grants(store, now, [...kept, ...fixed]);
  }

  /** Replaces the grants in memory by the stored ones, which another node may have changed. */
  async refresh(): Promise<void> {
    let version: number;
    let kept: readonly SiteGrant[];
    do {
      version = this.#version;
      kept = await this.#store.grants();
    } while (version !== this.#version);
    for (const [origin, { source }] of this.#grants) if (source === 'user') this.#grants.delete(origin);
    for (const grant of kept) if (!this.#grants.has(grant.origin)) this.#grants.set(grant.origin, grant);
  }

  /** The present grant, including a grant for a single action. */
  find(origin: string): SiteGrant | undefined {
    const kept = this.#findKept(origin);
    const passing = this.#passing.find(origin);
    if (kept === undefined || passing === undefined) return kept ?? passing;
    return { ...kept, scopes: [...new Set([...kept.scopes, ...passing.scopes])] };
  }

  #findKept(origin: string): SiteGrant | undefined {
    const grant = this.#grants.get(origin);
    if (grant === undefined) return undefined;
    return grant.expiresAt !== null && grant.expiresAt <= this.#now() ? undefined : grant;
  }

  /** By origin, without expired grants. */
  list(): readonly SiteGrant[] {
    const origins = new Set([...this.#grants.keys(), ...this.#passing.origins()]);
    const alive = [...origins].map((origin) => this.find(origin));
    return alive.filter((one) => one !== undefined).toSorted((one, other) => (one.origin < other.origin ? -1 : 1));
  }

  countUse({ origin }: Pick<SiteGrant, 'origin'>): SiteGrant | undefined {
    this.#passing.countUse(origin);
    const grant = this.#findKept(origin);
    return grant === undefined ? this.#passing.find(origin) : this.#countKept(grant);
  }

  #countKept(grant: SiteGrant): SiteGrant {
    const lastUsedAt = this.#now();
    const used = { ...grant, uses: grant.uses + 1, lastUsedAt };
    this.#grants.set(grant.origin, used);
    if (grant.source === 'configuration') return used;
    this.#pending.set(grant.origin, { uses: (this.#pending.get(grant.origin)?.uses ?? 0) + 1, lastUsedAt });
    this.#timer ??= setTimeout(() => {
      // Uses that could not be stored stay counted, and are stored with the next use.
      this.flush().catch(() => undefined);
    }, flushInterval).unref();
    return used;
  }

  async allow({ origin: text, scopes, days, insecure }: NewGrant): Promise<SiteGrant> {
    const origin = readOrigin(text, insecure);
    refuseMoreForPlainHttp(origin, scopes);
    this.#refuseConfigured(origin);
    if (scopes.length === 0) throw new ServiceError('REQUEST_INVALID', 'Choose at least one permission.');
    if (days === 'once') {
      const passing = this.#passing.add(origin, scopes);
      return this.find(origin) ?? passing;
    }
    const now = this.#now();
    const earlier = this.#findKept(origin);
    const grant: SiteGrant = {
      origin,
      scopes: [...new Set(scopes)],
      source: 'user',
      createdAt: earlier?.createdAt ?? now,
      expiresAt: days === null ? null : new Date(now.getTime() + days * day),
      lastUsedAt: earlier?.lastUsedAt ?? null,
      uses: earlier?.uses ?? 0,
    };
    await this.flush();
    await this.#store.save(grant);
    this.#grants.set(origin, grant);
    this.#version++;
    this.#passing.end(origin);
    return grant;
  }

  async revoke(text: string): Promise<string> {
    const origin = readOrigin(text, true);
    this.#refuseConfigured(origin);
    const wasPassing = this.#passing.end(origin);
    if (!this.#grants.has(origin) && !wasPassing) throw new ServiceError('NOT_FOUND', 'This site has no permission.');
    // The guard refuses the site from now on, even if the removal of its row fails.
    this.#grants.delete(origin);
    this.#pending.delete(origin);
    await this.#store.remove(origin);
    // A refresh during the removal may have brought the grant back.
    this.#grants.delete(origin);
    this.#version++;
    return origin;
  }

  /** Stores the counted uses. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const pending = this.#pending;
    if (pending.size === 0) return;
    this.#pending = new Map();
    try {
      await this.#store.addUses([...pending].map(([origin, counted]) => ({ origin, ...counted })));
    } catch (error) {
      for (const [origin, { uses, lastUsedAt }] of pending) {
        const later = this.#pending.get(origin);
        const sum = uses + (later?.uses ?? 0);
        this.#pending.set(origin, { uses: sum, lastUsedAt: later?.lastUsedAt ?? lastUsedAt });
      }
      throw error;
    }
  }

  #refuseConfigured(origin: string): void {
    if (this.#grants.get(origin)?.source !== 'configuration') return;
    const detail = 'The configuration of this instance settles what this site may do: change "sites" there.';
    throw new ServiceError('REQUEST_INVALID', detail);
  }
}

/** A plain http origin may ask for signatures through the bridge, and read nothing about the user. */
function refuseMoreForPlainHttp(origin: string, scopes: readonly GrantScope[]): void {
  if (!isPlainHttpOrigin(origin) || scopes.every((scope) => scope === 'sign')) return;
  const detail = 'A plain http site can only be let in to ask for signatures: choose "sign" alone.';
  throw new ServiceError('REQUEST_INVALID', detail, {
    problems: [{ field: 'scopes', code: 'INVALID_VALUE', detail }],
  });
}
