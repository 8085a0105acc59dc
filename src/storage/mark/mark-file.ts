import { createHash, hash } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { z } from 'zod';
import { makeFolder } from '../files/files.ts';

/** The mark of a data folder, beside its database. */
export const markPathOf = (dataFolder: string): string => join(dataFolder, 'sinete.mark');

/**
 * The second mark of a data folder, beside the file of its master key, which survives when the data folder is replaced
 * or lost. Its name contains the folder's path, because several folders may share a key.
 */
export function markBesideKey(keyFile: string, dataFolder: string): string {
  const folder = hash('sha256', realPathOf(dataFolder), 'hex').slice(0, 24);
  return join(dirname(keyFile), 'marks', `${folder}.mark`);
}

/** The path without links; for a missing folder, based on its nearest existing parent. */
function realPathOf(folder: string): string {
  const path = resolve(folder);
  try {
    return realpathSync(path);
  } catch {
    return path === dirname(path) ? path : join(realPathOf(dirname(path)), basename(path));
  }
}

/**
 * A file in a data folder that a person has restored: the next start accepts the database as it is, and marks it anew.
 */
const acceptedPathOf = (dataFolder: string): string => join(dataFolder, 'sinete.mark-accepted');

/** Makes the next start accept the database of a folder. Throws the system's errors. */
export const acceptAtNextStart = (dataFolder: string): void =>
  writeFileSync(acceptedPathOf(dataFolder), '', { mode: 0o600 });

/** True if a person has restored this folder's database since its last start. */
export const isAccepted = (dataFolder: string): boolean => existsSync(acceptedPathOf(dataFolder));

export const forgetAcceptance = (dataFolder: string): void => rmSync(acceptedPathOf(dataFolder), { force: true });

/** The state of the database after its last acknowledged commit. */
const contentSchema = z.object({
  /** Random name of the database's history; a recovery gives it another one. */
  generation: z.string(),
  /** The last row of the audit log, and its hash. */
  sequence: z.int().min(0),
  hash: z.string(),
  transactions: z.int().min(0),
  documents: z.int().min(0),
  /** SIGNED documents. */
  signed: z.int().min(0),
});

export type MarkContent = z.output<typeof contentSchema>;

/** Two places that are written alternately, so that an interrupted write leaves the previous content. */
const PLACES = 2;
const PLACE_SIZE = 512;
const DIGEST_LENGTH = 64;

/** The newest complete content of a mark file; undefined for a missing or damaged file. */
export function readMark(path: string): MarkContent | undefined {
  let file: Buffer;
  try {
    file = readFileSync(path);
  } catch {
    return undefined;
  }
  return Array.from({ length: PLACES }, (_one, place) =>
    parse(file.subarray(place * PLACE_SIZE, (place + 1) * PLACE_SIZE)),
  )
    .filter((content) => content !== undefined)
    .toSorted((one, other) => other.sequence - one.sequence)[0];
}

function parse(place: Buffer): MarkContent | undefined {
  const text = place.toString('utf8').trimEnd();
  const content = text.slice(DIGEST_LENGTH);
  if (text.slice(0, DIGEST_LENGTH) !== digestOf(content)) return undefined;
  try {
    return contentSchema.parse(JSON.parse(content));
  } catch {
    return undefined;
  }
}

/** A mark as a file has it, in one place of the file. */
export function renderMark(content: MarkContent): Buffer {
  const text = JSON.stringify(content);
  return Buffer.from((digestOf(text) + text).padEnd(PLACE_SIZE));
}

const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Overwrites both places, and creates a missing folder. Throws the system's errors. */
export function resetMark(path: string, content: MarkContent): void {
  makeFolder(dirname(path));
  const file = openSync(path, 'w', 0o600);
  try {
    for (let place = 0; place < PLACES; place++)
      writeSync(file, renderMark(content), 0, PLACE_SIZE, place * PLACE_SIZE);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/**
 * Writes contents to the places alternately. Overlapping calls share a write: each resolves when its content, or a
 * later one, is written and, with `isFlushed`, on disk.
 */
export class MarkWriter {
  readonly #file: FileHandle;
  /** False: a write survives the end of the process, and may be lost with the power. */
  isFlushed = true;
  #content: MarkContent | undefined;
  #place = 0;
  #running: Promise<void> = Promise.resolve();
  #next: Promise<void> | undefined;

  private constructor(file: FileHandle) {
    this.#file = file;
  }

  static async open(path: string): Promise<MarkWriter> {
    return new MarkWriter(await open(path, 'r+'));
  }

  async write(content: MarkContent): Promise<void> {
    this.#content = content;
    // A failed flush does not stop the flushes after it.
    this.#next ??= this.#running
      .catch(() => undefined)
      .then(async () => {
        this.#next = undefined;
        this.#running = this.#flush();
        await this.#running;
      });
    return this.#next;
  }

  async close(): Promise<void> {
    await this.#next?.catch(() => undefined);
    await this.#running.catch(() => undefined);
    await this.#file.close();
  }

  async #flush(): Promise<void> {
    const content = this.#content;
    if (content === undefined) return;
    this.#place = (this.#place + 1) % PLACES;
    await this.#file.write(renderMark(content), 0, PLACE_SIZE, this.#place * PLACE_SIZE);
    if (this.isFlushed) await this.#file.datasync();
  }
}
