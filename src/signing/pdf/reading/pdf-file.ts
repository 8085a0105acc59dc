import { readSync } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { isBudgetExceeded, spendSteps } from '../../budget/budget.ts';
import { malformed, unsupported } from '../syntax/pdf-error.ts';
import { NeedMoreInput, SyntaxReader } from '../syntax/syntax-reader.ts';

/**
 * Bounds the work for a document. A unit is about one byte read; real files with a hundred thousand form fields need a
 * tenth of the limit, and hostile files reach the limit within seconds.
 */
const MAX_WORK = 256 * 1024 * 1024;

export class WorkBudget {
  #left = MAX_WORK;

  /** True when the share, or the budget of the input, is used up. */
  get exhausted(): boolean {
    return this.#left < 0 || isBudgetExceeded();
  }

  /**
   * Throws `PDF_MALFORMED` when the document has used up its share, `LIMIT_EXCEEDED` when the input has used up its
   * budget of processor time or buffers.
   */
  spend(units: number): void {
    spendSteps(units);
    this.#left -= units;
    if (this.#left < 0) malformed('reading its structure takes more work than any real document needs');
  }
}

const FIRST_WINDOW = 2048;
/** An object still incomplete after this many bytes is refused. */
const MAX_WINDOW = 16 * 1024 * 1024;

const PAGE = 64 * 1024;
const ALIGNMENT = 4096;
/** Larger reads get their own buffer. */
const LARGEST_IN_PAGE = PAGE / 4;
const KEPT_PAGES = 2;

/** Bytes of a search window. */
const SEARCH_WINDOW = 256 * 1024;

/** Memory of the last search, for the next one: memory outside of the heap makes full garbage collections frequent. */
let spareWindow: Buffer | undefined;

/** Bytes of the file in memory; the buffer is reused. */
interface Page {
  start: number;
  length: number;
  readonly bytes: Buffer;
}

/** Random access to a file on disk. Small reads are synchronous: the structure of a PDF takes a few dozen. */
export class PdfFile {
  readonly handle: FileHandle;
  readonly size: number;
  readonly budget = new WorkBudget();
  readonly #pages: Page[] = [];

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

  /** The bytes from `position` on; fewer than `length` at the end of the file, none outside of the file. */
  read(position: number, length: number): Buffer {
    const bytes = this.#window(position, length);
    return bytes.length > LARGEST_IN_PAGE ? bytes : Buffer.from(bytes);
  }

  /** Like `read`, but the bytes are valid only until the next call. */
  #window(position: number, length: number): Buffer {
    const end = Math.min(position + length, this.size);
    if (position < 0 || position >= end) return Buffer.alloc(0);
    if (end - position > LARGEST_IN_PAGE) return this.#fill(Buffer.allocUnsafe(end - position), position);
    const page = this.#pageWith(position, end);
    return page.bytes.subarray(position - page.start, end - page.start);
  }

  /**
   * A page with these bytes. Two pages are kept, because reading alternates between cross-reference entries and
   * objects.
   */
  #pageWith(position: number, end: number): Page {
    const kept = this.#pages.find(({ start, length }) => position >= start && end <= start + length);
    if (kept !== undefined) return kept;
    const oldest = this.#pages.length < KEPT_PAGES ? undefined : this.#pages.pop();
    const page = oldest ?? { start: 0, length: 0, bytes: Buffer.allocUnsafe(Math.min(PAGE, this.size)) };
    page.start = position - (position % ALIGNMENT);
    page.length = this.#fill(page.bytes.subarray(0, this.size - page.start), page.start).length;
    this.#pages.unshift(page);
    return page;
  }

  /**
   * The whole file in windows. Neighbours share `overlap` bytes. A window is valid only until the next, because all
   * windows use the same memory.
   */
  *windows(overlap: number): Generator<{ readonly start: number; readonly bytes: Buffer }> {
    const buffer = spareWindow ?? Buffer.allocUnsafeSlow(SEARCH_WINDOW);
    spareWindow = undefined;
    try {
      for (let start = 0; start < this.size; start += SEARCH_WINDOW - overlap) {
        const bytes = this.#fill(buffer.subarray(0, this.size - start), start);
        this.budget.spend(bytes.length >> 6);
        yield { start, bytes };
      }
    } finally {
      spareWindow = buffer;
    }
  }

  /** Reads a few bytes without a copy; `reader` must not keep them. Fewer bytes at the end of the file. */
  glance<Value>(position: number, length: number, reader: (bytes: Buffer) => Value): Value {
    return reader(this.#window(position, length));
  }

  /** Fills the buffer from `position` on, and answers the filled part; the file may end before. */
  readInto(buffer: Buffer, position: number): Buffer {
    return this.#fill(buffer.subarray(0, Math.max(0, this.size - position)), position);
  }

  /** Reads from `position` on until the buffer is full, or the file ends. */
  #fill(buffer: Buffer, position: number): Buffer {
    let filled = 0;
    while (filled < buffer.length) {
      const count = readSync(this.handle.fd, buffer, filled, buffer.length - filled, position + filled);
      if (count === 0) break;
      filled += count;
    }
    return buffer.subarray(0, filled);
  }

  /** The bytes from `position` on as Latin-1 text. */
  text(position: number, length: number): string {
    return this.#window(position, length).toString('latin1');
  }

  /**
   * Parses at `position` with a window that grows until the value fits. The parser must not keep the window's bytes.
   */
  parse<Value>(position: number, parser: (reader: SyntaxReader) => Value): Value {
    for (let length = FIRST_WINDOW; ; length *= 4) {
      const window = this.#window(position, length);
      const complete = position + window.length >= this.size;
      const reader = new SyntaxReader(window, 0, { origin: position, complete });
      try {
        const value = parser(reader);
        this.budget.spend(256 + reader.position);
        return value;
      } catch (error) {
        if (!(error instanceof NeedMoreInput)) throw error;
        this.budget.spend(window.length);
        if (length >= MAX_WINDOW) malformed(`the object at byte ${position} does not end within ${MAX_WINDOW} bytes`);
      }
    }
  }
}
