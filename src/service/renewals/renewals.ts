/** Keeps an archive valid: a job that checks the files of History and of folders that a person named. */
import { realpath } from 'node:fs/promises';
import { isAbsolute, relative } from 'node:path';
import { ServiceError } from '../errors/index.ts';
import type { SettingsStore } from '../settings/index.ts';
import type { SharedLocks } from '../transactions/index.ts';
import { extendFile, type FileExtension } from './extend-file.ts';
import { findSignedFiles, removeDrafts } from './find-files.ts';
import { renewFile, type RenewalParts } from './renew-file.ts';
import type {
  ExtendedFile,
  KeptFile,
  KeptPage,
  RenewalOptions,
  RenewalOutcome,
  RenewalState,
  RenewalStore,
} from './renewal.ts';
import { dropUndefined } from '../../values/drop-undefined.ts';

/** `automatic` renews files; `list` only checks and reports; `off` does nothing. */
export type RenewalMode = 'automatic' | 'list' | 'off';

/** Services for renewals. */
export interface RenewalServices extends RenewalParts {
  readonly store: RenewalStore;
  readonly settings: SettingsStore;
  /** Shared by all nodes: files are renewed one at a time, and one node checks at a time. */
  readonly locks?: Pick<SharedLocks, 'run' | 'runAlone'>;
  readonly mode: RenewalMode;
  /** Milliseconds before the end of protection from which a file is due. */
  readonly within: number;
  /** False while lost rows wait for a decision: nothing is changed then. */
  readonly mayChange: boolean;
  /** Called after each stored outcome. */
  readonly onChange: (outcome: RenewalOutcome) => void;
  readonly log: { info(fields: object, text: string): void; error(fields: object, text: string): void };
  readonly now: () => Date;
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/**
 * A file that is not due is checked again after a month at the latest: algorithms and authorities may end sooner than
 * expected.
 */
const LONGEST_REST = 30 * DAY;
/** Maximum number of files in one round. */
const A_ROUND = 100;
/** Milliseconds before the first round, so that the start of the instance comes first. */
const FIRST_ROUND = MINUTE;
const MOST_FOLDERS = 100;

const setting = 'renewals.folders';

/** A folder that is kept valid; `problem` is a sentence. */
export interface KeptFolder {
  readonly path: string;
  readonly problem: string | null;
}

export class Renewals {
  readonly #services: RenewalServices;
  readonly #problems = new Map<string, string>();
  #timer: NodeJS.Timeout | undefined;
  #isStarted = false;
  #isClosed = false;
  #scannedAt: number | undefined;
  /** A second round waits for the first, and handles the remaining files. */
  #looking: Promise<unknown> = Promise.resolve();
  /** Files are renewed one after the other: two simultaneous renewals of a file would pay for two stamps. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(services: RenewalServices) {
    this.#services = services;
  }

  /** Starts the rounds. */
  start(): void {
    const { mode, mayChange } = this.#services;
    if (mode === 'off' || !mayChange) return;
    this.#isStarted = true;
    this.#sleep(FIRST_ROUND);
  }

  /** Waits for the renewal that is under way. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await this.#looking.catch(() => undefined);
    await this.#last.catch(() => undefined);
  }

  /**
   * Checks every file that is due for a check, and renews due files unless the mode is `list`. Answers the outcomes.
   */
  async look(): Promise<readonly RenewalOutcome[]> {
    const run = this.#looking.catch(() => undefined).then(async () => this.#look());
    this.#looking = run;
    return run;
  }

  async #look(): Promise<readonly RenewalOutcome[]> {
    const { store, now, mode, within } = this.#services;
    await this.#takeUp();
    const outcomes: RenewalOutcome[] = [];
    const seen = new Set<string>();
    for (let files = await store.due(now(), A_ROUND); files.length > 0; files = await store.due(now(), A_ROUND)) {
      const fresh = files.filter(({ path }) => !seen.has(path));
      for (const { path } of fresh) {
        if (this.#isClosed) return outcomes;
        seen.add(path);
        outcomes.push(await this.renew(path, { within, dryRun: mode !== 'automatic' }));
      }
      if (fresh.length === 0) break;
    }
    return outcomes;
  }

  /** Checks one file, kept or not, and renews it if due. The outcome of a kept file is stored. */
  async renew(path: string, options: Partial<RenewalOptions>): Promise<RenewalOutcome> {
    const run = this.#last.catch(() => undefined).then(async () => this.#alone(async () => this.#renew(path, options)));
    this.#last = run;
    return run;
  }

  /**
   * Extends a file of History at once. History then points to the extended file, which is kept valid from then on.
   * Rejects with `ServiceError` or `SigningError`; the earlier file stays unchanged then.
   */
  async extend(path: string, extension: FileExtension): Promise<ExtendedFile> {
    const run = this.#last
      .catch(() => undefined)
      .then(async () => this.#alone(async () => this.#extend(path, extension)));
    this.#last = run;
    return run;
  }

  /** Runs one renewal at a time on all nodes: two nodes that renew the same file would pay for two stamps. */
  async #alone<Value>(action: () => Promise<Value>): Promise<Value> {
    const { locks } = this.#services;
    return locks === undefined ? action() : locks.run('renewal', action);
  }

  async list(page: { readonly offset: number; readonly limit: number }): Promise<KeptPage> {
    await this.#services.store.addHistory(this.#firstLook());
    return this.#services.store.list(page);
  }

  async counts(): Promise<Readonly<Partial<Record<RenewalState | 'new', number>>>> {
    return this.#services.store.counts();
  }

  /** Folders in their order, with the error of the last reading. */
  async folders(): Promise<readonly KeptFolder[]> {
    const folders = await this.#folders();
    return folders.map((path) => ({ path, problem: this.#problems.get(path) ?? null }));
  }

  /** Keeps a folder valid, with all folders below. Rejects with `FOLDER_NOT_FOUND` or `REQUEST_INVALID`. */
  async addFolder(given: string): Promise<void> {
    if (!isAbsolute(given)) throw new ServiceError('REQUEST_INVALID', 'Give the folder as an absolute path.');
    const path = await realpath(given).catch((cause: unknown) => {
      throw new ServiceError('FOLDER_NOT_FOUND', 'There is no such folder, or it may not be read.', { cause });
    });
    const folders = await this.#folders();
    if (folders.includes(path)) return;
    if (folders.length >= MOST_FOLDERS) {
      throw new ServiceError('REQUEST_INVALID', `At most ${MOST_FOLDERS} folders are kept valid: name their parent.`);
    }
    if (!(await this.#scan(path))) {
      throw new ServiceError('FOLDER_NOT_FOUND', 'This is not a folder, or it may not be read.');
    }
    await this.#services.settings.write(setting, [...folders, path]);
    this.#sleep(0);
  }

  /** Stops keeping a folder valid; files inside of another kept folder stay. Rejects with `NOT_FOUND`. */
  async removeFolder(path: string): Promise<void> {
    const folders = await this.#folders();
    const others = folders.filter((one) => one !== path);
    if (others.length === folders.length) throw new ServiceError('NOT_FOUND', 'This folder is not kept valid.');
    await this.#services.settings.write(setting, others);
    this.#problems.delete(path);
    await this.#services.store.forgetFolder(
      (file) => isInside(path, file) && !others.some((other) => isInside(other, file)),
    );
  }

  async forget(path: string): Promise<void> {
    await this.#services.store.forget(path);
  }

  async #renew(path: string, options: Partial<RenewalOptions>): Promise<RenewalOutcome> {
    const { store, within, now, mayChange, onChange } = this.#services;
    const kept = await store.find(path);
    const complete = { within, dryRun: false, ...dropUndefined(options) };
    const dryRun = complete.dryRun || !mayChange;
    // Drafts here remain from a killed process, because no other renewal of this instance is under way.
    if (!dryRun) await removeDrafts(path);
    // The record beside a file covers the file, so the file must not change.
    const record = this.#services.recordBeside(path);
    if (record !== undefined && !dryRun) await this.#renew(record, options);
    const outcome = await renewFile(this.#services, path, { ...complete, dryRun }, async (sha256) =>
      kept === undefined ? undefined : store.noteReplacement(path, sha256),
    );
    if (kept === undefined || !mayChange) return outcome;
    const stored = finishedBefore(kept, outcome) ?? outcome;
    const checkedAt = now();
    const troubledSince = isTrouble(stored.state) ? (kept.troubledSince ?? checkedAt) : null;
    const nextAt = new Date(checkedAt.getTime() + restOf(stored, { checkedAt, troubledSince, within }));
    await store.finish(path, stored, { checkedAt, nextAt, troubledSince });
    onChange(stored);
    return outcome;
  }

  async #extend(path: string, extension: FileExtension): Promise<ExtendedFile> {
    const { store, now, mayChange } = this.#services;
    if (!mayChange) {
      throw new ServiceError('STORAGE_UNAVAILABLE', 'Decide about the lost rows on the Doctor page first.');
    }
    if (extension.place === 'replace') {
      await store.addFiles([path], now(), 'history');
      // The stored row still names the earlier file, so that a later start can finish an interrupted extension.
      const { password, recipient } = extension;
      await this.#renew(path, { password, recipient, dryRun: true });
    }
    const extended = await extendFile(this.#services, path, extension, async (sha256) =>
      store.noteReplacement(path, sha256),
    );
    const checkedAt = now();
    const nextAt = new Date(checkedAt.getTime() + DAY);
    await store.addFiles([extended.path], nextAt, 'history');
    await store.noteExtension(path, extended, { checkedAt, nextAt });
    return extended;
  }

  /** Adds new files of History and of the folders; folders are read once a day. */
  async #takeUp(): Promise<void> {
    const { store, now } = this.#services;
    await store.addHistory(this.#firstLook());
    const time = now().getTime();
    if (this.#scannedAt !== undefined && Math.abs(time - this.#scannedAt) < DAY) return;
    for (const folder of await this.#folders()) await this.#scan(folder);
    this.#scannedAt = time;
  }

  /** The first check comes later, because a new signature was validated when it was made. */
  #firstLook(): Date {
    return new Date(this.#services.now().getTime() + DAY);
  }

  async #scan(folder: string): Promise<boolean> {
    const { store, now } = this.#services;
    try {
      const files = await findSignedFiles(folder);
      await store.addFiles(files, now());
      this.#problems.delete(folder);
      return true;
    } catch (error) {
      if (!(error instanceof Error && 'syscall' in error)) throw error;
      this.#problems.set(folder, 'The folder cannot be read.');
      return false;
    }
  }

  async #folders(): Promise<readonly string[]> {
    const stored = await this.#services.settings.read(setting);
    return Array.isArray(stored) ? stored.filter((one) => typeof one === 'string') : [];
  }

  #sleep(milliseconds: number): void {
    if (this.#isClosed || !this.#isStarted) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#round(), milliseconds).unref();
  }

  async #round(): Promise<void> {
    const { store, log, now, locks } = this.#services;
    let rest = HOUR;
    const look = async (): Promise<void> => {
      await this.look();
    };
    try {
      await (locks === undefined ? look() : locks.runAlone('renewals', look));
      const next = await store.nextAt();
      if (next !== undefined) rest = Math.min(Math.max(next.getTime() - now().getTime(), MINUTE), HOUR);
    } catch (error) {
      log.error({ error }, 'the files that are kept valid could not be checked; the check is repeated');
    }
    this.#sleep(rest);
  }
}

const isInside = (folder: string, file: string): boolean => {
  const way = relative(folder, file);
  return way !== '' && !way.startsWith('..') && !isAbsolute(way);
};

/**
 * Recognizes a renewal that replaced its file and ended before its row was stored: the file has the recorded checksum,
 * so it counts as renewed.
 */
function finishedBefore({ replacement, outcome: before }: KeptFile, found: RenewalOutcome): RenewalOutcome | undefined {
  if (replacement === null || found.sha256 !== replacement || found.state === 'renewed') return undefined;
  const earlier = before?.sha256 === null || before === null ? {} : { sha256Before: before.sha256 };
  const until = { protectedUntilBefore: before?.protectedUntil ?? null };
  return { ...found, ...earlier, ...until, state: 'renewed', detail: 'The renewal was finished by a later start.' };
}

/** States that need a person. */
function isTrouble(state: RenewalState): boolean {
  switch (state) {
    case 'failed':
    case 'content-missing':
    case 'file-missing':
    case 'locked':
    case 'not-valid':
      return true;
    case 'renewed':
    case 'due':
    case 'not-due':
    case 'no-signature':
      return false;
  }
}

/** Milliseconds until the next look. */
function restOf(
  { state, protectedUntil }: RenewalOutcome,
  times: { readonly checkedAt: Date; readonly troubledSince: Date | null; readonly within: number },
): number {
  const { checkedAt, troubledSince, within } = times;
  switch (state) {
    case 'renewed':
    case 'not-due': {
      const due = (protectedUntil?.getTime() ?? 0) - within - checkedAt.getTime();
      return Math.min(Math.max(due, DAY), LONGEST_REST);
    }
    case 'failed': {
      const lasted = checkedAt.getTime() - (troubledSince ?? checkedAt).getTime();
      return Math.min(Math.max(lasted / 4, 15 * MINUTE), DAY);
    }
    case 'no-signature':
      return LONGEST_REST;
    case 'due':
    case 'content-missing':
    case 'file-missing':
    case 'locked':
    case 'not-valid':
      return DAY;
  }
}
