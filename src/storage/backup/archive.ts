/** The contents of a backup: files in a row, each as length (4 bytes) and JSON of its header, then its bytes. */
import { open } from 'node:fs/promises';
import { damagedBackup } from '../copies/backup-errors.ts';
import { z } from 'zod';

/** The only permitted names: nothing is written anywhere else. */
const nameSchema = z
  .string()
  .regex(/^(manifest\.json|master\.key|sinete\.(db|toml|json)|(documents|results)\/[0-9a-f]{32})$/);
const frontSchema = z.union([
  z.object({ name: nameSchema, size: z.int().min(0) }),
  z.object({ end: z.literal(true), files: z.int() }),
]);
const MOST_FRONT = 1024;
const READ_AT_ONCE = 256 * 1024;

/** A writer of bytes in order. */
export interface OctetSink {
  write(octets: Buffer): Promise<void>;
}

/** Writes files into an archive. */
export class ArchiveWriter {
  readonly #sink: OctetSink;
  #files = 0;

  constructor(sink: OctetSink) {
    this.#sink = sink;
  }

  get files(): number {
    return this.#files;
  }

  async addOctets(name: string, octets: Buffer): Promise<void> {
    await this.#front({ name: nameSchema.parse(name), size: octets.length });
    await this.#sink.write(octets);
    this.#files++;
  }

  /** False for a missing file, which is left out. */
  async addFile(name: string, path: string): Promise<boolean> {
    const file = await open(path, 'r').catch((error: unknown) => {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
      throw error;
    });
    if (file === undefined) return false;
    try {
      const { size } = await file.stat();
      await this.#front({ name: nameSchema.parse(name), size });
      const buffer = Buffer.alloc(READ_AT_ONCE);
      for (let left = size; left > 0;) {
        const { bytesRead } = await file.read(buffer, 0, Math.min(left, buffer.length));
        if (bytesRead === 0) throw new Error(`${name} became shorter while it was copied.`);
        await this.#sink.write(Buffer.from(buffer.subarray(0, bytesRead)));
        left -= bytesRead;
      }
    } finally {
      await file.close();
    }
    this.#files++;
    return true;
  }

  async end(): Promise<void> {
    await this.#front({ end: true, files: this.#files });
  }

  async #front(front: z.infer<typeof frontSchema>): Promise<void> {
    const json = Buffer.from(JSON.stringify(front));
    const length = Buffer.alloc(4);
    length.writeUInt32BE(json.length);
    await this.#sink.write(Buffer.concat([length, json]));
  }
}

/** Gives each file of an archive to `take`, which has to read the whole file. Throws `BACKUP_DAMAGED`. */
export async function readArchive(
  chunks: AsyncGenerator<Buffer, void>,
  take: (name: string, size: number, octets: AsyncGenerator<Buffer, void>) => Promise<void>,
): Promise<void> {
  const reader = new OctetReader(chunks);
  for (let files = 0; ; files++) {
    const length = (await reader.exactly(4)).readUInt32BE();
    if (length > MOST_FRONT) throw damagedBackup();
    const front = readFront(await reader.exactly(length));
    if ('end' in front) {
      if (front.files !== files || !(await reader.isAtEnd())) throw damagedBackup();
      return;
    }
    await take(front.name, front.size, reader.upTo(front.size));
  }
}

function readFront(json: Buffer): z.infer<typeof frontSchema> {
  try {
    return frontSchema.parse(JSON.parse(json.toString('utf8')));
  } catch (cause) {
    throw damagedBackup(cause);
  }
}

class OctetReader {
  readonly #chunks: AsyncGenerator<Buffer, void>;
  #rest: Buffer = Buffer.alloc(0);

  constructor(chunks: AsyncGenerator<Buffer, void>) {
    this.#chunks = chunks;
  }

  async exactly(length: number): Promise<Buffer> {
    const parts: Buffer[] = [];
    for await (const part of this.upTo(length)) parts.push(part);
    return Buffer.concat(parts);
  }

  async *upTo(length: number): AsyncGenerator<Buffer, void> {
    for (let left = length; left > 0;) {
      if (this.#rest.length === 0 && !(await this.#more())) throw damagedBackup();
      const part = this.#rest.subarray(0, left);
      this.#rest = this.#rest.subarray(part.length);
      left -= part.length;
      yield part;
    }
  }

  async isAtEnd(): Promise<boolean> {
    while (this.#rest.length === 0) if (!(await this.#more())) return true;
    return false;
  }

  async #more(): Promise<boolean> {
    const next = await this.#chunks.next();
    if (next.done === true) return false;
    this.#rest = next.value;
    return true;
  }
}
