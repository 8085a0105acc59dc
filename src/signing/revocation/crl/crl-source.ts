/** The bytes of a CRL: in memory, or in a file that is never loaded whole. */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { SigningError } from '../../errors.ts';

/** Random access to the bytes of a CRL. */
export interface CrlSource {
  readonly length: number;
  /** `length` bytes from `position` on, or fewer at the end. */
  read(position: number, length: number): Buffer;
  /** The bytes in order, in pieces; each piece is valid until the next piece is requested. */
  pieces(): AsyncIterable<Buffer>;
  close(): void;
}

const PIECE = 2 ** 20;

class MemorySource implements CrlSource {
  readonly #bytes: Buffer;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  get length(): number {
    return this.#bytes.length;
  }

  read(position: number, length: number): Buffer {
    return this.#bytes.subarray(position, position + length);
  }

  async *pieces(): AsyncGenerator<Buffer> {
    for (let offset = 0; offset < this.#bytes.length; offset += PIECE) {
      yield this.#bytes.subarray(offset, offset + PIECE);
      // Yields to other work between the pieces of a long list.
      await new Promise<void>((resolve) => setImmediate(resolve));
    }
  }

  close(): void {
    // A CRL in memory has no file to close.
  }
}

class FileSource implements CrlSource {
  readonly length: number;
  readonly #path: string;
  readonly #descriptor: number;

  constructor(path: string) {
    this.#path = path;
    this.#descriptor = openSync(path, 'r');
    this.length = fstatSync(this.#descriptor).size;
  }

  read(position: number, length: number): Buffer {
    const target = Buffer.allocUnsafe(Math.max(0, Math.min(length, this.length - position)));
    return target.subarray(0, readSync(this.#descriptor, target, 0, target.length, position));
  }

  async *pieces(): AsyncGenerator<Buffer> {
    const file = await open(this.#path, 'r');
    try {
      const buffers = [Buffer.allocUnsafe(PIECE), Buffer.allocUnsafe(PIECE)] as const;
      let position = 0;
      const next = (turn: number): Promise<{ bytesRead: number; buffer: Buffer }> =>
        file.read(buffers[turn % 2 === 0 ? 0 : 1], 0, PIECE, position);
      let pending = next(0);
      for (let turn = 1; ; turn++) {
        const { bytesRead, buffer } = await pending;
        if (bytesRead === 0) return;
        position += bytesRead;
        // The next piece is read while the present piece is in use.
        pending = next(turn);
        yield buffer.subarray(0, bytesRead);
      }
    } finally {
      await file.close();
    }
  }

  close(): void {
    closeSync(this.#descriptor);
  }
}

/**
 * Opens a CRL in memory or, by its path, in a file, to be closed by the caller. Throws `CRL_MALFORMED` for an
 * unreadable file.
 */
export function openCrlSource(crl: Buffer | string): CrlSource {
  if (typeof crl !== 'string') return new MemorySource(crl);
  try {
    return new FileSource(crl);
  } catch (cause) {
    throw new SigningError('CRL_MALFORMED', 'The file of the revocation list cannot be read.', { cause });
  }
}
