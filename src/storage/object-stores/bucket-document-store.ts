import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { access, open, readdir, rename, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { ReceivedFile, DocumentStore } from '../../service/transactions/index.ts';
import { DOCUMENT_NAME, FileDocumentStore, keysOfFiles, UNANSWERED } from '../files/file-document-store.ts';
import { forEachAtOnce, removeFile } from '../files/files.ts';
import { moveToLostAndFound, type FoundDocument } from '../files/lost-and-found.ts';
import { storing } from '../service-failure.ts';
import { probeBucket } from './bound-bucket.ts';
import type { DocumentBucket } from './document-bucket.ts';

const REQUESTS_AT_ONCE = 8;
/** Milliseconds after its last use at which the copy of a document on this node is removed. */
const UNUSED_AFTER = 3_600_000;
const LOOK_INTERVAL = 600_000;

type RemovedFiles = Awaited<ReturnType<DocumentStore['removeUnneeded']>>;
type Folder = 'documents' | 'results';

/**
 * Documents in a bucket that several nodes share, under the names that `FileDocumentStore` gives its files. A node makes
 * and reads documents as files of its own: a document counts as stored only when the bucket has a verified copy.
 */
export class BucketDocumentStore implements DocumentStore {
  readonly #dataFolder: string;
  readonly #local: FileDocumentStore;
  readonly #bucket: DocumentBucket;
  readonly #lastUse = new Map<string, number>();
  /** Downloads that are running, by path. */
  readonly #fetching = new Map<string, Promise<void>>();
  readonly #looks: NodeJS.Timeout;

  /** @param dataFolder the data folder of this node; copies of an earlier process in it are removed */
  constructor(dataFolder: string, bucket: DocumentBucket) {
    this.#dataFolder = dataFolder;
    const copies = join(dataFolder, 'bucket');
    rmSync(copies, { recursive: true, force: true });
    this.#local = new FileDocumentStore(copies);
    this.#bucket = bucket;
    this.#looks = setInterval(() => {
      void this.removeCopies(Date.now() - UNUSED_AFTER).catch(() => undefined);
    }, LOOK_INTERVAL).unref();
  }

  receive(key: string, content: AsyncIterable<Uint8Array>): Promise<ReceivedFile> {
    return this.#local.receive(key, content);
  }

  /** The mark of an unanswered original is stored first: an original that remains without a row then has its mark. */
  async keep(keys: readonly string[]): Promise<void> {
    await this.#local.keep(keys);
    await forEachAtOnce(keys, REQUESTS_AT_ONCE, async (key) => {
      const path = this.#local.originalPath(key);
      await this.#bucket.write(`documents/${key}${UNANSWERED}`, path + UNANSWERED);
      await this.#bucket.write(`documents/${key}`, path);
      this.#lastUse.set(path, Date.now());
    });
  }

  async confirm(keys: readonly string[]): Promise<void> {
    await this.#local.confirm(keys);
    // A mark that remains beside an original with a row means nothing: the next clean-up removes it.
    const remove = (key: string): Promise<void> => this.#bucket.remove(`documents/${key}${UNANSWERED}`);
    await forEachAtOnce(keys, REQUESTS_AT_ONCE, (key) => remove(key).catch(() => undefined));
  }

  originalPath(key: string): string {
    return this.#local.originalPath(key);
  }

  async fetchOriginal(key: string): Promise<string> {
    return this.#fetch('documents', key, this.#local.originalPath(key));
  }

  prepareResult(key: string): Promise<string> {
    return this.#local.prepareResult(key);
  }

  async publishResults(keys: readonly string[]): Promise<void> {
    await this.#local.publishResults(keys);
    await forEachAtOnce(keys, REQUESTS_AT_ONCE, async (key) => {
      const path = this.#local.resultPath(key);
      this.#lastUse.set(path, Date.now());
      await this.#bucket.write(`results/${key}`, path);
    });
  }

  async fetchResult(key: string): Promise<string> {
    return this.#fetch('results', key, this.#local.resultPath(key));
  }

  async removeOriginal(key: string): Promise<void> {
    await this.#bucket.remove(`documents/${key}`);
    await this.#bucket.remove(`documents/${key}${UNANSWERED}`);
    await this.#local.removeOriginal(key);
  }

  async removeResult(key: string): Promise<void> {
    await this.#bucket.remove(`results/${key}`);
    await this.#local.removeResult(key);
  }

  withoutRemovals<Result>(action: () => Promise<Result>): Promise<Result> {
    return this.#local.withoutRemovals(action);
  }

  /** Documents without a row are moved to `lost+found/` of this node's data folder. */
  async removeUnneeded(...[ask, writtenBefore]: Parameters<DocumentStore['removeUnneeded']>): Promise<RemovedFiles> {
    const originals = await this.#removeOthers('documents', ask, writtenBefore);
    const results = await this.#removeOthers('results', ask, writtenBefore);
    return {
      removed: originals.removed + results.removed,
      found: originals.found + results.found,
      unanswered: originals.unanswered,
    };
  }

  /** Removes copies on this node that nobody has used since a time, in milliseconds of the epoch. */
  async removeCopies(unusedSince: number): Promise<void> {
    for (const folder of [this.#local.originalPath(''), this.#local.resultPath('')]) {
      for (const name of await readdir(folder)) {
        const path = join(folder, name);
        const used = this.#lastUse.get(path) ?? (await stat(path).catch(() => undefined))?.mtimeMs ?? unusedSince;
        if (!DOCUMENT_NAME.test(name) || used >= unusedSince || this.#fetching.has(path)) continue;
        await removeFile(path);
        this.#lastUse.delete(path);
      }
    }
  }

  /** Rejects with `STORAGE_UNAVAILABLE` while the bucket is out of reach. */
  async probe(): Promise<void> {
    await probeBucket(this.#bucket);
  }

  async close(): Promise<void> {
    clearInterval(this.#looks);
    await this.#bucket.close();
  }

  /** Answers the path of a copy. The copy is missing when the bucket has no such object. */
  async #fetch(folder: Folder, key: string, path: string): Promise<string> {
    this.#lastUse.set(path, Date.now());
    if (await exists(path)) return path;
    const running = this.#fetching.get(path) ?? this.#download(`${folder}/${key}`, path);
    this.#fetching.set(path, running);
    try {
      await running;
    } finally {
      this.#fetching.delete(path);
    }
    return path;
  }

  /** The copy gets its name only when it is whole. */
  async #download(name: string, path: string): Promise<void> {
    const draft = `${path}.${randomUUID()}`;
    try {
      const found = await this.#bucket.read(name, async (content) => {
        await storing(async () => writeFile(draft, content));
      });
      if (found) await storing(async () => rename(draft, path));
    } finally {
      await removeFile(draft);
    }
  }

  async #removeOthers(
    folder: Folder,
    ...[ask, writtenBefore]: Parameters<DocumentStore['removeUnneeded']>
  ): Promise<RemovedFiles> {
    const objects = await this.#bucket.list(`${folder}/`);
    const { originals, results, known } = await ask(keysOfFiles(objects.map(({ name }) => name)));
    const needed = folder === 'documents' ? originals : results;
    const marked = new Set(objects.map(({ name }) => name).filter((name) => name.endsWith(UNANSWERED)));
    const unneeded = objects.filter(
      ({ name, modified }) => !needed.has(name) && (writtenBefore === undefined || modified < writtenBefore),
    );
    const counts = { removed: 0, found: 0, unanswered: 0 };
    await forEachAtOnce(unneeded, REQUESTS_AT_ONCE, async ({ name }) => {
      const key = DOCUMENT_NAME.exec(name)?.[1];
      if (name.endsWith(UNANSWERED)) return;
      if (key === undefined || known.has(key)) counts.removed++;
      else {
        const unanswered = marked.has(name + UNANSWERED);
        const kind = folder === 'results' ? 'result' : unanswered ? 'unanswered' : 'original';
        await this.#setAside(folder, name, { key, kind });
        counts[unanswered ? 'unanswered' : 'found']++;
      }
      await this.#bucket.remove(`${folder}/${name}`);
    });
    // Removed last: a crash in between must not leave an original without its mark.
    for (const { name } of unneeded) if (name.endsWith(UNANSWERED)) await this.#bucket.remove(`${folder}/${name}`);
    return counts;
  }

  async #setAside(folder: Folder, name: string, found: { key: string; kind: FoundDocument['kind'] }): Promise<void> {
    const local = folder === 'results' ? this.#local.resultPath(name) : this.#local.originalPath(name);
    const path = await this.#fetch(folder, name, local);
    // Another node may have set the document aside meanwhile.
    if (await exists(path)) await storing(async () => moveToLostAndFound(this.#dataFolder, { path, ...found }));
  }
}

const exists = async (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

async function writeFile(path: string, content: AsyncIterable<Uint8Array>): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    for await (const chunk of content) await file.writeFile(chunk);
    await file.sync();
  } finally {
    await file.close();
  }
}
