/** The keys in the databases of browsers and mail programs on this computer. */
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { SigningError } from '../../errors.ts';
import type { KeyDescription, KeySource, KeySourceHealth } from '../key-source.ts';
import type { Pin } from '../pin.ts';
import type { Signer } from '../signer.ts';
import { CryptokiError } from '../pkcs11/errors.ts';
import type { SupervisorOptions } from '../pkcs11/supervisor.ts';
import { TokenKeySource } from '../pkcs11/token-key-source.ts';
import { findNssLibrary, findNssProfiles, nssParameters, type NssProfile } from './nss-profiles.ts';

/** Where the databases are, and how their processes are started. */
export interface BrowserKeySourceOptions extends SupervisorOptions {
  readonly home: string;
  /** The number of private keys in a `key4.db`, counted without NSS; undefined if the file cannot be read now. */
  readonly countKeys: (file: string) => number | undefined;
  /** NSS's library; by default the system's, else the browser's. */
  readonly library?: string;
}

/** How long the process of a database may be idle before its end, unless its password was given. */
const IDLE_MILLISECONDS = 20_000;
/** The files that change with the keys and certificates of a database. */
const FILES = ['cert9.db', 'key4.db', 'cert9.db-journal', 'key4.db-journal', 'cert9.db-wal', 'key4.db-wal'];

/** A database with keys. */
interface OpenProfile {
  readonly profile: NssProfile;
  readonly source: TokenKeySource;
  /** The sizes and times of the files when the list was read; absent after a failure. */
  seen?: string;
  keys: readonly KeyDescription[];
  trouble?: SigningError;
  idle?: NodeJS.Timeout;
}

/** Sizes and times of the files of a database. */
async function stampOf({ folder }: NssProfile): Promise<string> {
  const stats = await Promise.all(FILES.map(async (name) => stat(path.join(folder, name)).catch(() => undefined)));
  return stats.map((one) => (one === undefined ? '-' : `${one.size}:${one.mtimeMs}`)).join();
}

/**
 * The databases of NSS that hold private keys, each opened in a process of its own. A database without keys starts no
 * process, and one whose files are unchanged is not read again. All databases are opened for reading only, also beside
 * the running browser.
 */
export class BrowserKeySource implements KeySource {
  readonly id = 'browser';
  readonly asksDriver = true;
  readonly rank = 3;
  readonly #options: BrowserKeySourceOptions;
  readonly #profiles = new Map<string, OpenProfile>();
  /** The files of databases in which no key was found. */
  readonly #empty = new Map<string, string>();
  #isClosed = false;

  constructor(options: BrowserKeySourceOptions) {
    this.#options = options;
  }

  async list(): Promise<readonly KeyDescription[]> {
    const profiles = await this.#findProfiles();
    const lists = await Promise.all(profiles.map(async (one) => this.#listProfile(one)));
    return lists.flat();
  }

  async open(keyId: string): Promise<Signer> {
    const [{ profile, source }, inner] = await this.#find(keyId);
    return inWordsOf(profile, async () => source.open(inner));
  }

  async unlock(keyId: string, pin: Pin): Promise<void> {
    const [one, inner] = await this.#find(keyId);
    await inWordsOf(one.profile, async () => one.source.unlock(inner, pin));
    clearTimeout(one.idle);
    delete one.seen;
  }

  async lock(keyId: string): Promise<void> {
    const [one, inner] = await this.#find(keyId);
    await one.source.lock(inner);
    delete one.seen;
  }

  /** Reads the databases. A database that cannot be read now is the failure. */
  async health(): Promise<KeySourceHealth> {
    const shown = { id: this.id, name: 'Firefox, Thunderbird, Chromium' };
    await this.list();
    const trouble = [...this.#profiles.values()].map((one) => one.trouble).find((error) => error !== undefined);
    if (trouble === undefined) return { ...shown, state: 'ok' };
    return { ...shown, state: 'failing', detail: trouble.message };
  }

  /** The numbers of the running child processes. */
  get processIds(): readonly number[] {
    return [...this.#profiles.values()].flatMap(({ source }) => source.processId ?? []);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#profiles.values()].map(async (one) => this.#end(one)));
  }

  async #end(one: OpenProfile): Promise<void> {
    clearTimeout(one.idle);
    this.#profiles.delete(one.profile.id);
    await one.source.close();
  }

  async #findProfiles(): Promise<readonly OpenProfile[]> {
    const library = this.#options.library ?? (await findNssLibrary());
    if (library === undefined || this.#isClosed) return [];
    const found = await findNssProfiles({ home: this.#options.home, environment: process.env });
    const ids = new Set(found.map(({ id }) => id));
    for (const one of this.#profiles.values()) if (!ids.has(one.profile.id)) await this.#end(one);
    for (const profile of found) {
      if (!this.#profiles.has(profile.id) && (await this.#hasKeys(profile))) this.#open(profile, library);
    }
    return [...this.#profiles.values()];
  }

  async #hasKeys(profile: NssProfile): Promise<boolean> {
    const stamp = await stampOf(profile);
    if (this.#empty.get(profile.id) === stamp) return false;
    const isEmpty = this.#options.countKeys(path.join(profile.folder, 'key4.db')) === 0;
    if (isEmpty) this.#empty.set(profile.id, stamp);
    return !isEmpty;
  }

  #open(profile: NssProfile, library: string): void {
    const { id, place } = profile;
    const module = {
      id,
      path: library,
      product: place,
      parameters: nssParameters(profile),
      ownKeysHavePublicKeys: true,
    };
    const { launcher, environment, deadlines, timing } = this.#options;
    const source = new TokenKeySource({
      module,
      launcher,
      environment,
      deadlines,
      // A database that another program holds is free again soon.
      timing: { loadRetry: 1_000, ...timing },
    });
    this.#profiles.set(id, { profile, source, keys: [] });
  }

  async #listProfile(one: OpenProfile): Promise<readonly KeyDescription[]> {
    const stamp = await stampOf(one.profile);
    if (one.seen === stamp) return one.keys;
    const { profile } = one;
    one.source.forgetContents();
    try {
      const keys = await inWordsOf(profile, async () => one.source.list());
      one.keys = keys.map((key) => ({
        ...key,
        id: `${profile.id}/${key.id}`,
        source: 'browser',
        place: profile.place,
      }));
      one.seen = stamp;
      delete one.trouble;
    } catch (error) {
      if (!(error instanceof SigningError)) throw error;
      one.trouble = error;
    }
    this.#endWhenIdle(one);
    return one.keys;
  }

  /** A process takes memory, and is needed for lists of changed files and for signatures only. */
  #endWhenIdle(one: OpenProfile): void {
    clearTimeout(one.idle);
    one.idle = setTimeout(() => {
      if (!one.keys.some(({ token }) => token?.loginRequired === true && token.loggedIn)) one.source.retire();
    }, IDLE_MILLISECONDS).unref();
  }

  async #find(keyId: string): Promise<readonly [OpenProfile, string]> {
    const [profileId = '', inner = ''] = keyId.split(/\/(.*)/s);
    if (!this.#profiles.has(profileId)) await this.#findProfiles();
    const one = this.#profiles.get(profileId);
    if (one === undefined) {
      throw new SigningError('KEY_NOT_FOUND', 'The profile of this certificate is not there any more.');
    }
    this.#endWhenIdle(one);
    return [one, inner];
  }
}

/** CKR_NSS_CERTDB_FAILED and CKR_NSS_KEYDB_FAILED: the database is held by another program, or cannot be read. */
const DATABASE_FAILED = [0xce534351, 0xce534352];

/** Tells failures in the words of a browser: no token, no PIN, no attempts. */
async function inWordsOf<Result>({ place, program }: NssProfile, act: () => Promise<Result>): Promise<Result> {
  try {
    return await act();
  } catch (cause) {
    if (!(cause instanceof SigningError)) throw cause;
    if (cause.code === 'PIN_INCORRECT') {
      throw new SigningError('PIN_INCORRECT', `The primary password of ${place} is wrong.`, { cause });
    }
    if (cause.cause instanceof CryptokiError && DATABASE_FAILED.includes(cause.cause.code)) {
      const text = `The certificates of ${place} cannot be read now. Close ${program} and try again.`;
      throw new SigningError('TOKEN_ERROR', text, { cause: cause.cause });
    }
    throw cause;
  }
}
