import { randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { ServiceError, toServiceError } from '../../service/errors/index.ts';
import { describeSize, type Room } from '../../service/space/index.ts';

/** A file sent by a window for a later call. */
export interface ReceivedFile {
  /** 128 random bits: knowing the name permits using the file. */
  readonly upload: string;
  readonly name: string;
  readonly path: string;
}

/** Lifetime of a file in milliseconds. */
const lifetime = 30 * 60_000;
const fileLimit = 1000;

/**
 * Uploaded files that wait for a call, readable by the owner only. Each is removed after its use or after half an hour.
 */
export class ReceivedFiles {
  readonly #folder: string;
  readonly #sizeLimit: number;
  readonly #room: Pick<Room, 'take'>;
  readonly #files = new Map<string, ReceivedFile & { readonly timer: NodeJS.Timeout }>();

  /** @param sizeLimit most bytes of a file */
  constructor(folder: string, sizeLimit: number, room: Pick<Room, 'take'>) {
    this.#folder = folder;
    this.#sizeLimit = sizeLimit;
    this.#room = room;
  }

  /** Removes the files of an earlier run. */
  static async open(folder: string, sizeLimit: number, room: Pick<Room, 'take'>): Promise<ReceivedFiles> {
    await rm(folder, { recursive: true, force: true });
    return new ReceivedFiles(folder, sizeLimit, room);
  }

  /** Rejects with `DOCUMENT_TOO_LARGE`, `TOO_MANY_DOCUMENTS`, `UPLOAD_INCOMPLETE`, `STORAGE_FULL`. */
  async receive(name: string, content: AsyncIterable<Uint8Array>): Promise<ReceivedFile> {
    if (this.#files.size >= fileLimit) {
      throw new ServiceError(
        'TOO_MANY_DOCUMENTS',
        `At most ${fileLimit} sent files are kept at a time. Sign or validate them, or try again in half an hour.`,
      );
    }
    const upload = randomBytes(16).toString('base64url');
    const path = join(this.#folder, upload);
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const room = await this.#room.take({ bytes: 0, isPassing: true });
    try {
      await pipeline(this.#limited(content, room), createWriteStream(path, { mode: 0o600, flags: 'wx' }));
    } catch (error) {
      await rm(path, { force: true });
      throw toServiceError(error);
    } finally {
      room.leave();
    }
    const timer = setTimeout(() => void this.remove(upload), lifetime);
    timer.unref();
    const file = { upload, name, path };
    this.#files.set(upload, { ...file, timer });
    return file;
  }

  /** Throws `NOT_FOUND`. */
  find(upload: string): ReceivedFile {
    const file = this.#files.get(upload);
    if (file === undefined) throw new ServiceError('NOT_FOUND', 'This file is no longer here: choose it again.');
    return file;
  }

  async remove(upload: string): Promise<void> {
    const file = this.#files.get(upload);
    if (file === undefined) return;
    clearTimeout(file.timer);
    this.#files.delete(upload);
    await rm(file.path, { force: true });
  }

  async close(): Promise<void> {
    for (const { timer } of this.#files.values()) clearTimeout(timer);
    this.#files.clear();
    await rm(this.#folder, { recursive: true, force: true });
  }

  async *#limited(
    content: AsyncIterable<Uint8Array>,
    room: Awaited<ReturnType<Room['take']>>,
  ): AsyncGenerator<Uint8Array> {
    let length = 0;
    for await (const chunk of content) {
      length += chunk.length;
      if (length > this.#sizeLimit) {
        const detail = `A file may have at most ${describeSize(this.#sizeLimit)}.`;
        throw new ServiceError('DOCUMENT_TOO_LARGE', detail);
      }
      await room.came(chunk.length);
      yield chunk;
    }
  }
}
