import type { DocumentRecord } from '../records.ts';
import type { ServiceLog } from '../../monitoring/index.ts';
import type { Content, ContentParts, Original } from './content.ts';
import { InDatabase } from './in-database.ts';
import { InFile } from './in-file.ts';

/** The storages of this instance, and the choice between them by a document's record. */
export class Contents {
  readonly #inDatabase: Content;
  readonly #inFile: Content;
  readonly #log: ServiceLog;

  constructor(parts: ContentParts & { readonly log: ServiceLog }) {
    this.#inDatabase = new InDatabase(parts);
    this.#inFile = new InFile(parts);
    this.#log = parts.log;
  }

  get all(): readonly Content[] {
    return [this.#inDatabase, this.#inFile];
  }

  /** The storage of a document. */
  of({ content }: Pick<DocumentRecord, 'content'>): Content {
    switch (content?.kind) {
      case 'hash':
        return content.result === 'database' ? this.#inDatabase : this.#inFile;
      case 'small':
      case 'digest':
        return this.#inDatabase;
      case 'kept':
      case 'path':
      case undefined:
        return this.#inFile;
    }
  }

  /** True if no file is needed for these documents and their results: the database has both, or neither is kept. */
  areInDatabase(documents: readonly Original[]): boolean {
    return documents.every((document) => document.content !== null && this.of(document) === this.#inDatabase);
  }

  /** Called before the answer, after the rows of received originals are committed. */
  async confirmOriginals(documents: readonly Original[]): Promise<void> {
    await Promise.allSettled(this.all.map((content) => content.confirmOriginals(documents)));
  }

  /** Removes the originals of documents outside of any transaction. The next start repeats a failed removal. */
  async discardOriginals(documents: readonly Original[]): Promise<void> {
    await Promise.allSettled(this.all.map((content) => content.discardOriginals(documents)));
  }

  /**
   * Removes the stored originals of those documents that have ended. An original stays while a level is pending, because
   * an archive time stamp covers the document too. The next start repeats a failed removal.
   */
  async releaseOriginals(documents: readonly DocumentRecord[]): Promise<void> {
    await this.releaseEnded(
      documents.filter(({ status, evidence }) => status !== 'WAITING' && evidence?.pending === undefined),
    );
  }

  /** Removes the stored originals of documents that have ended. The next start repeats a failed removal. */
  async releaseEnded(documents: readonly Original[]): Promise<void> {
    const failures = await Promise.all(this.all.map((content) => content.releaseOriginals(documents)));
    const files = failures.reduce((sum, count) => sum + count, 0);
    if (files > 0) this.#log.warn({ files }, 'originals could not be removed; the next start tries again');
  }
}
