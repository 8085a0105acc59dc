import { type FileHandle, open, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ServiceError } from '../../service/errors/index.ts';
import type { DocumentStore, ReceivedFile } from '../../service/transactions/index.ts';
import { flushFile, flushFolder, forEachAtOnce, makeFolder, removeFile, systemCode } from './files.ts';
import { moveToLostAndFound, type FoundDocument } from './lost-and-found.ts';
import { Measure } from './measure.ts';
import { storing } from '../service-failure.ts';

const FLUSHES_AT_ONCE = 8;
const DRAFT = '.draft';
/** The name of a document's file, with the number of its claim; drafts and folders of steps have other names. */
export const DOCUMENT_NAME = /^([0-9a-f]{32})(?:\.n\d+)?$/;
/** The keys of documents at the beginning of names of files. */
export const keysOfFiles = (names: readonly string[]): readonly string[] => [
  ...new Set(names.flatMap((name) => /^[0-9a-f]{32}/.exec(name)?.[0] ?? [])),
];

/** An empty file beside an original, which exists from before its row is committed until after the commit. */
export const UNANSWERED = '.unanswered';

/** The files of a folder, those that stay, and those that are set aside because no document knows them. */
interface Removal {
  readonly names: readonly string[];
  readonly needed: ReadonlySet<string>;
  readonly writtenBefore: Date | undefined;
  readonly keep?: { readonly known: ReadonlySet<string>; kindOf(key: string): FoundDocument['kind'] };
}

type RemovedFiles = Awaited<ReturnType<DocumentStore['removeUnneeded']>>;

/**
 * Documents as files of the data folder: `incoming/` for uploads in progress, `documents/` for originals, `results/`
 * for signed documents, each named by its key. A result is made as a draft beside its place. Folders are 0700, files
 * 0600.
 */
export class FileDocumentStore implements DocumentStore {
  readonly #root: string;
  readonly #incoming: string;
  readonly #originals: string;
  readonly #results: string;
  /** Removals postponed while a backup needs the files. */
  #held: (() => Promise<void>)[] | undefined;

  /** @param root the data folder, or the folder that several nodes share */
  constructor(root: string) {
    this.#root = root;
    this.#incoming = join(root, 'incoming');
    this.#originals = join(root, 'documents');
    this.#results = join(root, 'results');
    for (const folder of [this.#incoming, this.#originals, this.#results]) makeFolder(folder);
  }

  async receive(key: string, content: AsyncIterable<Uint8Array>): Promise<ReceivedFile> {
    const path = join(this.#incoming, key);
    const measure = new Measure();
    const file = await storing(() => open(path, 'wx', 0o600));
    try {
      for await (const chunk of content) {
        measure.add(chunk);
        await storing(() => writeAll(file, chunk));
      }
      await storing(() => file.close());
    } catch (error) {
      await file.close().catch(() => undefined);
      await removeFile(path);
      throw error;
    }
    return measure.finish();
  }

  async keep(keys: readonly string[]): Promise<void> {
    await storing(async () => {
      await forEachAtOnce(keys, FLUSHES_AT_ONCE, async (key) => {
        const path = join(this.#incoming, key);
        await flushFile(path);
        // Written first: an original that remains after a crash without a row then has this file beside it.
        await writeFile(this.#unansweredPath(key), '', { mode: 0o600 });
        await rename(path, this.originalPath(key));
      });
      if (keys.length > 0) await flushFolder(this.#originals);
    });
  }

  async confirm(keys: readonly string[]): Promise<void> {
    // A file that remains beside an original with a row means nothing: the next start removes it.
    await Promise.allSettled(keys.map(async (key) => removeFile(this.#unansweredPath(key))));
  }

  originalPath(key: string): string {
    return join(this.#originals, key);
  }

  async fetchOriginal(key: string): Promise<string> {
    return Promise.resolve(this.originalPath(key));
  }

  async fetchResult(key: string): Promise<string> {
    return Promise.resolve(this.resultPath(key));
  }

  async prepareResult(key: string): Promise<string> {
    await storing(() => this.#removeResult(key));
    return this.#draftPath(key);
  }

  async publishResults(keys: readonly string[]): Promise<void> {
    await storing(async () => {
      await forEachAtOnce(keys, FLUSHES_AT_ONCE, (key) => this.#publish(key));
      if (keys.length > 0) await flushFolder(this.#results);
    });
  }

  resultPath(key: string): string {
    return join(this.#results, key);
  }

  async removeOriginal(key: string): Promise<void> {
    await this.#remove(async () => {
      await removeFile(join(this.#incoming, key));
      await removeFile(this.originalPath(key));
      await removeFile(this.#unansweredPath(key));
    });
  }

  async removeResult(key: string): Promise<void> {
    await this.#remove(async () => this.#removeResult(key));
  }

  /**
   * Runs `action` while no original or result is removed: removals are carried out afterwards, or by the next start.
   * Rejects with `STORAGE_UNAVAILABLE` for a second simultaneous call.
   */
  async withoutRemovals<Result>(action: () => Promise<Result>): Promise<Result> {
    if (this.#held !== undefined) {
      throw new ServiceError('STORAGE_UNAVAILABLE', 'A backup is being made already.', { retryAfter: 10 });
    }
    const held: (() => Promise<void>)[] = [];
    this.#held = held;
    try {
      return await action();
    } finally {
      this.#held = undefined;
      for (const remove of held) await storing(remove);
    }
  }

  /** Documents without a row are never deleted: originals and results of unknown keys are moved to `lost+found/`. */
  async removeUnneeded(...[needed, writtenBefore]: Parameters<DocumentStore['removeUnneeded']>): Promise<RemovedFiles> {
    return storing(async () => {
      const unanswered = await listUnanswered(this.#originals);
      const kindOf = (key: string): FoundDocument['kind'] => (unanswered.has(key) ? 'unanswered' : 'original');
      const [originalNames, resultNames] = await Promise.all([readdir(this.#originals), readdir(this.#results)]);
      const { originals, results, known } = await needed(keysOfFiles([...originalNames, ...resultNames]));
      const [, ofOriginals, ofResults] = await Promise.all([
        this.#removeOthers(this.#incoming, { names: await readdir(this.#incoming), needed: new Set(), writtenBefore }),
        this.#removeOthers(this.#originals, {
          names: originalNames,
          needed: originals,
          writtenBefore,
          keep: { known, kindOf },
        }),
        this.#removeOthers(this.#results, {
          names: resultNames,
          needed: results,
          writtenBefore,
          keep: { known, kindOf: () => 'result' },
        }),
      ]);
      return {
        removed: ofOriginals.removed + ofResults.removed,
        found: ofOriginals.found + ofResults.found,
        unanswered: ofOriginals.unanswered,
      };
    });
  }

  /** Also removes folders: a PDF in several steps has a folder beside its draft. */
  async #removeOthers(folder: string, { names, needed, writtenBefore, keep }: Removal): Promise<RemovedFiles> {
    const unneeded = await olderOnes(
      folder,
      names.filter((name) => !needed.has(name)),
      writtenBefore,
    );
    const keyOf = (name: string): string | undefined => {
      const key = DOCUMENT_NAME.exec(name)?.[1];
      return keep === undefined || key === undefined || keep.known.has(key) ? undefined : key;
    };
    const moved: FoundDocument['kind'][] = [];
    await forEachAtOnce(unneeded, FLUSHES_AT_ONCE, async (name) => {
      const key = keyOf(name);
      if (key === undefined) return;
      const kind = keep?.kindOf(key) ?? 'original';
      await moveToLostAndFound(this.#root, { path: join(folder, name), key, kind });
      moved.push(kind);
    });
    // Removed last: a crash in between must not leave an original without its `.unanswered` file.
    const others = unneeded.filter((name) => keyOf(name) === undefined);
    await forEachAtOnce(others, FLUSHES_AT_ONCE, async (name) =>
      rm(join(folder, name), { recursive: true, force: true }),
    );
    const unanswered = moved.filter((kind) => kind === 'unanswered').length;
    return {
      removed: others.filter((name) => !name.endsWith(UNANSWERED)).length,
      found: moved.length - unanswered,
      unanswered,
    };
  }

  async #remove(remove: () => Promise<void>): Promise<void> {
    if (this.#held === undefined) await storing(remove);
    else this.#held.push(remove);
  }

  async #removeResult(key: string): Promise<void> {
    await removeFile(this.#draftPath(key));
    await removeFile(this.resultPath(key));
  }

  #unansweredPath(key: string): string {
    return this.originalPath(key) + UNANSWERED;
  }

  #draftPath(key: string): string {
    return join(this.#results, key + DRAFT);
  }

  /** The signing core has already flushed the draft. An entry may be published twice if its first commit failed. */
  async #publish(key: string): Promise<void> {
    try {
      await rename(this.#draftPath(key), this.resultPath(key));
    } catch (error) {
      if (systemCode(error) !== 'ENOENT') throw error;
      await (await open(this.resultPath(key), 'r')).close();
    }
  }
}

/** The names whose files were written before a time; all without a time. */
async function olderOnes(
  folder: string,
  names: readonly string[],
  writtenBefore: Date | undefined,
): Promise<readonly string[]> {
  if (writtenBefore === undefined) return names;
  const old = await Promise.all(names.map((name) => isOlder(join(folder, name), writtenBefore)));
  return names.filter((_name, index) => old[index]);
}

/** Keys of the originals in a folder whose requests may have ended without an answer. */
export async function listUnanswered(folder: string): Promise<ReadonlySet<string>> {
  const names = (await readdir(folder)).filter((name) => name.endsWith(UNANSWERED));
  return new Set(names.map((name) => name.slice(0, -UNANSWERED.length)));
}

/** False for a file that no longer exists. */
async function isOlder(path: string, time: Date): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  return found !== undefined && found.mtime < time;
}

async function writeAll(file: FileHandle, chunk: Uint8Array): Promise<void> {
  let written = 0;
  while (written < chunk.length) written += (await file.write(chunk, written)).bytesWritten;
}
