import { type FileHandle, open, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ServiceError } from '../../service/errors/index.ts';
import type { DocumentStore, ReceivedFile } from '../../service/transactions/index.ts';
import { flushFile, flushFolder, forEachAtOnce, makeFolder, removeFile, systemCode } from './files.ts';
import { moveToLostAndFound } from './lost-and-found.ts';
import { Measure } from './measure.ts';
import { storing } from '../service-failure.ts';

const FLUSHES_AT_ONCE = 8;
const DRAFT = '.draft';
/** The name of a document's file; drafts and folders of steps have other names. */
const KEY = /^[0-9a-f]{32}$/;

type RemovedFiles = Awaited<ReturnType<DocumentStore['removeUnneeded']>>;

/**
 * Documents as files of the data folder: `incoming/` for uploads in progress, `documents/` for originals, `results/`
 * for signed documents, each named by its key. A result is made as a draft beside its place. Folders are 0700, files
 * 0600.
 */
export class FileDocumentStore implements DocumentStore {
  readonly #dataFolder: string;
  readonly #incoming: string;
  readonly #originals: string;
  readonly #results: string;
  /** Removals postponed while a backup needs the files. */
  #held: (() => Promise<void>)[] | undefined;

  constructor(dataFolder: string) {
    this.#dataFolder = dataFolder;
    this.#incoming = join(dataFolder, 'incoming');
    this.#originals = join(dataFolder, 'documents');
    this.#results = join(dataFolder, 'results');
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
        await rename(path, this.originalPath(key));
      });
      if (keys.length > 0) await flushFolder(this.#originals);
    });
  }

  originalPath(key: string): string {
    return join(this.#originals, key);
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
    });
  }

  async removeResult(key: string): Promise<void> {
    await this.#remove(async () => this.#removeResult(key));
  }

  /**
   * Runs `action` while originals and results stay: removals are carried out afterwards, or by the next start. Rejects
   * with `STORAGE_UNAVAILABLE` for a second simultaneous call.
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

  /** Documents without a row are never erased: originals and results of unknown keys go to `lost+found/`. */
  async removeUnneeded(needed: Parameters<DocumentStore['removeUnneeded']>[0]): Promise<RemovedFiles> {
    return storing(async () => {
      const [, originals, results] = await Promise.all([
        this.#removeOthers(this.#incoming, new Set(), undefined),
        this.#removeOthers(this.#originals, needed.originals, { known: needed.known, kind: 'original' }),
        this.#removeOthers(this.#results, needed.results, { known: needed.known, kind: 'result' }),
      ]);
      return { removed: originals.removed + results.removed, found: originals.found + results.found };
    });
  }

  /** Also removes folders: a PDF in several steps has a folder beside its draft. */
  async #removeOthers(
    folder: string,
    needed: ReadonlySet<string>,
    keep: { readonly known: ReadonlySet<string>; readonly kind: 'original' | 'result' } | undefined,
  ): Promise<RemovedFiles> {
    let found = 0;
    const unneeded = (await readdir(folder)).filter((name) => !needed.has(name));
    await forEachAtOnce(unneeded, FLUSHES_AT_ONCE, async (name) => {
      const path = join(folder, name);
      if (keep === undefined || !KEY.test(name) || keep.known.has(name)) {
        await rm(path, { recursive: true, force: true });
        return;
      }
      await moveToLostAndFound(this.#dataFolder, { path, key: name, kind: keep.kind });
      found++;
    });
    return { removed: unneeded.length - found, found };
  }

  async #remove(remove: () => Promise<void>): Promise<void> {
    if (this.#held === undefined) await storing(remove);
    else this.#held.push(remove);
  }

  async #removeResult(key: string): Promise<void> {
    await removeFile(this.#draftPath(key));
    await removeFile(this.resultPath(key));
  }

  #draftPath(key: string): string {
    return join(this.#results, key + DRAFT);
  }

  /** The signing core has flushed the draft's content. An entry may come twice when its commit failed once. */
  async #publish(key: string): Promise<void> {
    try {
      await rename(this.#draftPath(key), this.resultPath(key));
    } catch (error) {
      if (systemCode(error) !== 'ENOENT') throw error;
      await (await open(this.resultPath(key), 'r')).close();
    }
  }
}

async function writeAll(file: FileHandle, chunk: Uint8Array): Promise<void> {
  let written = 0;
  while (written < chunk.length) written += (await file.write(chunk, written)).bytesWritten;
}
