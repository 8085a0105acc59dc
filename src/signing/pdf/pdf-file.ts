import { readSync } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { malformed, unsupported } from './pdf-error.ts';
import { NeedMoreInput, SyntaxReader } from './syntax-reader.ts';
import { WorkBudget } from './work-budget.ts';

const FIRST_WINDOW = 2048;
/** An object that is still not complete after this many octets is refused. */
const MAX_WINDOW = 16 * 1024 * 1024;

const PAGE = 64 * 1024;
const ALIGNMENT = 4096;

interface Page {
  readonly start: number;
  readonly octets: Buffer;
}

/** Random access to a file on disk. Small reads are synchronous: the structure of a PDF takes a few dozen of them. */
export class PdfFile {
  readonly handle: FileHandle;
  readonly size: number;
  readonly budget = new WorkBudget();
  #pages: readonly Page[] = [];

  private constructor(handle: FileHandle, size: number) {
    this.handle = handle;
    this.size = size;
  }

  /** Rejects with Node's system error when the file cannot be opened, `PDF_UNSUPPORTED` for a pipe or device. */
  static async open(path: string): Promise<PdfFile> {
    const handle = await open(path, 'r');
    try {
      const status = await handle.stat();
      if (!status.isFile()) unsupported('The PDF is not a regular file.');
      return new PdfFile(handle, status.size);
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  async close(): Promise<void> {
    await this.handle.close();
  }

  /** The octets from `position` on, not to be changed; fewer than `length` at the end of the file, none outside it. */
  read(position: number, length: number): Buffer {
    const end = Math.min(position + length, this.size);
    if (position < 0 || position >= end) return Buffer.alloc(0);
    if (end - position > PAGE / 4) return this.#readDirectly(position, end);
    const page = this.#pageWith(position, end);
    return page.octets.subarray(position - page.start, end - page.start);
  }

  /** A page that holds these octets. Two are kept: cross-reference entries and objects are read in turn. */
  #pageWith(position: number, end: number): Page {
    const kept = this.#pages.find(({ start, octets }) => position >= start && end <= start + octets.length);
    if (kept !== undefined) return kept;
    const start = position - (position % ALIGNMENT);
    const page = { start, octets: this.#readDirectly(start, Math.min(start + PAGE, this.size)) };
    this.#pages = [page, ...this.#pages.slice(0, 1)];
    return page;
  }

  #readDirectly(position: number, end: number): Buffer {
    const buffer = Buffer.allocUnsafe(end - position);
    let filled = 0;
    while (filled < buffer.length) {
      const count = readSync(this.handle.fd, buffer, filled, buffer.length - filled, position + filled);
      if (count === 0) break;
      filled += count;
    }
    return buffer.subarray(0, filled);
  }

  /** The octets from `position` on as Latin-1 text. */
  text(position: number, length: number): string {
    return this.read(position, length).toString('latin1');
  }

  /** Parses at `position` with a window that grows until the value fits. */
  parse<Value>(position: number, parser: (reader: SyntaxReader) => Value): Value {
    for (let length = FIRST_WINDOW; ; length *= 4) {
      const window = this.read(position, length);
      const complete = position + window.length >= this.size;
      const reader = new SyntaxReader(window, 0, { origin: position, complete });
      try {
        const value = parser(reader);
        this.budget.spend(256 + reader.position);
        return value;
      } catch (error) {
        if (!(error instanceof NeedMoreInput)) throw error;
        this.budget.spend(window.length);
        if (length >= MAX_WINDOW) malformed(`the object at octet ${position} does not end within ${MAX_WINDOW} octets`);
      }
    }
  }
}
