import { posix, win32 } from 'node:path';
import { ServiceError } from '../errors/index.ts';
import { objectUrl, parseObjectUrl } from '../stores/index.ts';
import { readOrigin } from './approved-callers.ts';

/** A folder, or a prefix in an object store, that the owner opened to a caller who could otherwise only send bytes. */
export interface FileGrant {
  /** The origin of a web site (`https://portal.example`), or the client id of an application on another computer. */
  readonly caller: string;
  /** An absolute path, `s3://bucket/prefix` or `gs://bucket/prefix`, without a trailing slash. */
  readonly root: string;
  readonly access: FileAccess;
  readonly createdAt: Date;
  /** Null: until revoked. */
  readonly expiresAt: Date | null;
  readonly lastUsedAt: Date | null;
  /** Accepted requests that used the grant. */
  readonly uses: number;
  /** `configuration`: cannot be changed here. */
  readonly source: 'user' | 'configuration';
}

export const FILE_ACCESS = ['read', 'write', 'both'] as const;
export type FileAccess = (typeof FILE_ACCESS)[number];

/** A grant by the owner; `days` null: until revoked. */
export interface NewFileGrant {
  readonly caller: string;
  readonly root: string;
  readonly access: FileAccess;
  readonly days: number | null;
}

/** A grant of the configuration. */
export interface ConfiguredFileGrant extends Pick<FileGrant, 'caller' | 'root' | 'access'> {
  readonly until: Date | null;
  /** The most rights of results in this folder, as permission bits. */
  readonly resultMode?: number;
}

/** Stores the owner's grants. Rejects with `STORAGE_UNAVAILABLE` or `STORAGE_FULL`. */
export interface FileGrantStore {
  /** All grants of the owner, including expired ones, by caller and root. */
  fileGrants(): Promise<readonly FileGrant[]>;
  /** Replaces the caller's earlier grant for this root. */
  saveFileGrant(grant: FileGrant): Promise<void>;
  /** A missing grant is no error. */
  removeFileGrant(caller: string, root: string): Promise<void>;
  /** Counts a use; a missing grant is no error. */
  countFileUse(caller: string, root: string, at: Date): Promise<void>;
}

const day = 24 * 3600 * 1000;

/** The grants of folders and stores, all in memory, and stored at each change and use. */
export class FileGrants {
  readonly #store: FileGrantStore;
  readonly #now: () => Date;
  #grants: readonly FileGrant[];
  /** Grows with each change of this node. */
  #version = 0;

  private constructor(store: FileGrantStore, now: () => Date, grants: readonly FileGrant[]) {
    this.#store = store;
    this.#now = now;
    this.#grants = grants;
  }

  /** Rejects with `REQUEST_INVALID` for an invalid grant of the configuration. */
  static async open(
    store: FileGrantStore,
    now: () => Date,
    configured: readonly ConfiguredFileGrant[],
  ): Promise<FileGrants> {
    const fixed = configured.map(({ caller, root, access, until }): FileGrant => ({
      caller: readCaller(caller),
      root: readRoot(root),
      access,
      createdAt: now(),
      expiresAt: until,
      lastUsedAt: null,
      uses: 0,
      source: 'configuration',
    }));
    return new FileGrants(store, now, [...(await store.fileGrants()), ...fixed]);
  }

  /** Replaces the grants in memory by the stored ones, which another node may have changed. */
  async refresh(): Promise<void> {
    let version: number;
    let kept: readonly FileGrant[];
    do {
      version = this.#version;
      kept = await this.#store.fileGrants();
    } while (version !== this.#version);
    this.#grants = [...kept, ...this.#grants.filter(({ source }) => source === 'configuration')];
  }

  /** By caller and root, without expired grants. */
  list(): readonly FileGrant[] {
    const now = this.#now();
    return this.#grants
      .filter(({ expiresAt }) => expiresAt === null || expiresAt > now)
      .toSorted((one, other) => compare(one.caller, other.caller) || compare(one.root, other.root));
  }

  of(caller: string): readonly FileGrant[] {
    return this.list().filter((grant) => grant.caller === caller);
  }

  async allow({ caller: name, root: place, access, days }: NewFileGrant): Promise<FileGrant> {
    const caller = readCaller(name);
    const root = readRoot(place);
    this.#refuseConfigured(caller, root);
    const now = this.#now();
    const earlier = this.of(caller).find((grant) => grant.root === root);
    const grant: FileGrant = {
      caller,
      root,
      access,
      source: 'user',
      createdAt: earlier?.createdAt ?? now,
      expiresAt: days === null ? null : new Date(now.getTime() + days * day),
      lastUsedAt: earlier?.lastUsedAt ?? null,
      uses: earlier?.uses ?? 0,
    };
    await this.#store.saveFileGrant(grant);
    this.#grants = [...this.#without(caller, root), grant];
    this.#version++;
    return grant;
  }

  async revoke(name: string, place: string): Promise<void> {
    const caller = readCaller(name);
    const root = readRoot(place);
    this.#refuseConfigured(caller, root);
    const rest = this.#without(caller, root);
    if (rest.length === this.#grants.length) throw new ServiceError('NOT_FOUND', 'This caller has no such grant.');
    // The grant is refused from now on, even if the removal of its row fails.
    this.#grants = rest;
    await this.#store.removeFileGrant(caller, root);
    // A refresh during the removal may have brought the grant back.
    this.#grants = this.#without(caller, root);
    this.#version++;
  }

  /** Revokes every grant that the owner gave this caller. */
  async revokeAll(caller: string): Promise<void> {
    for (const { root, source } of this.of(caller)) if (source === 'user') await this.revoke(caller, root);
  }

  async countUse({ caller, root }: Pick<FileGrant, 'caller' | 'root'>): Promise<void> {
    const lastUsedAt = this.#now();
    const used = this.#grants.find((grant) => grant.caller === caller && grant.root === root);
    if (used === undefined) return;
    this.#grants = this.#grants.map((grant) => (grant === used ? { ...used, uses: used.uses + 1, lastUsedAt } : grant));
    if (used.source === 'user') await this.#store.countFileUse(caller, root, lastUsedAt);
  }

  #without(caller: string, root: string): readonly FileGrant[] {
    return this.#grants.filter((grant) => grant.caller !== caller || grant.root !== root);
  }

  #refuseConfigured(caller: string, root: string): void {
    const found = this.#grants.find((grant) => grant.caller === caller && grant.root === root);
    if (found?.source === 'configuration') throw invalid('root', 'The configuration decides about this folder.');
  }
}

const compare = (one: string, other: string): number => (one < other ? -1 : Number(one > other));

/** An origin in browsers' notation, or a client id. */
function readCaller(text: string): string {
  return text.includes('://') ? readOrigin(text) : text.trim();
}

/**
 * A root in normal form. Rejects with `REQUEST_INVALID` for a relative path, a whole disk or a store without a bucket:
 * the owner must name the folder that the caller needs.
 */
export function readRoot(text: string, platform: NodeJS.Platform = process.platform): string {
  const place = text.trim();
  if (/^(s3|gs):\/\//i.test(place)) {
    // A prefix is checked by means of an object below it.
    const address = parseObjectUrl(`${place.replace(/\/+$/, '')}/x`);
    if (address === undefined) throw invalid('root', 'Give s3://bucket/prefix or gs://bucket/prefix.');
    return objectUrl(address).slice(0, -'/x'.length);
  }
  const rules = platform === 'win32' ? win32 : posix;
  const isAbsolute = rules.isAbsolute(place) && !place.includes('\0');
  if (!isAbsolute || (platform === 'win32' && !/^([a-z]:[\\/]|[\\/]{2}[^\\/?.])/i.test(place))) {
    throw invalid('root', 'Give the absolute path of a folder, s3://bucket/prefix or gs://bucket/prefix.');
  }
  const root = rules.normalize(place).replace(platform === 'win32' ? /[\\/]+$/ : /(?<=.)\/+$/, '');
  // `C:` and `/` are whole disks; a share of another computer is a folder.
  if (root === '/' || /^[a-z]:$/i.test(root))
    throw invalid('root', 'Name the folder that is needed, not a whole disk.');
  return root;
}

function invalid(field: string, detail: string): ServiceError {
  return new ServiceError('REQUEST_INVALID', detail, { problems: [{ field, code: 'INVALID_VALUE', detail }] });
}
