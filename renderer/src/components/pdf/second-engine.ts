import type { Area, Drawing } from './compare-drawings.ts';
import type { ByteSource } from './pdf-program.ts';
import type { PdfiumAnswer, PdfiumRequest } from './pdfium-worker.ts';
import { unpack } from './unpack.ts';

/**
 * The second engine's opinion of a drawing:
 *
 * - `same`: both draw the same page.
 * - `differs`: the engines draw different pages. `other` is the second engine's drawing.
 * - `failed`: the second engine cannot draw the page, or needs too long.
 * - `too-large`: the file is larger than what a second drawing may need.
 */
export type Opinion =
  | { readonly kind: 'same' }
  | { readonly kind: 'differs'; readonly areas: readonly Area[]; readonly other: Drawing }
  | { readonly kind: 'failed' | 'too-large' };

/** PDFium needs the whole file in memory. */
const mostBytes = 128 * 1024 * 1024;

/** Milliseconds for one page. Common pages take a tenth of a second. */
const longest = 20_000;

/** PDFium, which draws pages of one file in a worker of its own. */
export class SecondEngine {
  readonly #file: ByteSource;
  readonly #password: string;
  #worker: Worker | null = null;
  /** The worker has one file and gives one answer at a time. */
  #last: Promise<unknown> = Promise.resolve();
  /** Raised by closing, so that a worker that was being started then ends. */
  #closings = 0;

  /** PDFium and the file are loaded with the first page. */
  constructor(file: ByteSource, password: string) {
    this.#file = file;
    this.#password = password;
  }

  /** Compares the drawing of a page (1 is the first) with PDFium's own. */
  judge(page: number, drawing: Drawing): Promise<Opinion> {
    if (this.#file.size > mostBytes) return Promise.resolve({ kind: 'too-large' });
    const opinion = this.#last.then(() => this.#judge(page, drawing)).catch((): Opinion => ({ kind: 'failed' }));
    this.#last = opinion;
    return opinion;
  }

  /** Ends the worker; a later page starts another one. */
  close(): void {
    this.#closings += 1;
    this.#worker?.terminate();
    this.#worker = null;
  }

  async #judge(page: number, { width, height, pixels }: Drawing): Promise<Opinion> {
    const worker = this.#worker ?? (await this.#start());
    if (worker === null) return { kind: 'failed' };
    const copy = pixels.slice().buffer;
    const answer = await this.#ask(worker, { kind: 'compare', page, width, height, pixels: copy }, [copy]);
    if (answer.kind !== 'compared') return { kind: 'failed' };
    if (answer.areas.length === 0) return { kind: 'same' };
    const other = { width, height, pixels: new Uint8ClampedArray(answer.pixels) };
    return { kind: 'differs', areas: answer.areas, other };
  }

  /** A worker with the file open; null when PDFium cannot open it. */
  async #start(): Promise<Worker | null> {
    const begun = this.#closings;
    const [{ packed }, bytes] = await Promise.all([import('~drawing/pdfium'), this.#file.read(0, this.#file.size)]);
    const program = await unpack(packed);
    if (this.#closings !== begun) return null;
    const worker = new Worker(new URL('./pdfium-worker.ts', import.meta.url), { type: 'module' });
    this.#worker = worker;
    const file = bytes.slice().buffer;
    const { kind } = await this.#ask(worker, { kind: 'open', program, file, password: this.#password }, [
      program,
      file,
    ]);
    if (kind === 'opened') return worker;
    this.#end(worker);
    return null;
  }

  #ask(worker: Worker, request: PdfiumRequest, transfer: Transferable[]): Promise<PdfiumAnswer> {
    return new Promise((resolve) => {
      const giveUp = (): void => {
        clearTimeout(timer);
        this.#end(worker);
        resolve({ kind: 'failed' });
      };
      const timer = setTimeout(giveUp, longest);
      worker.onerror = giveUp;
      worker.onmessage = ({ data }: MessageEvent<PdfiumAnswer>) => {
        clearTimeout(timer);
        resolve(data);
      };
      worker.postMessage(request, transfer);
    });
  }

  #end(worker: Worker): void {
    worker.terminate();
    if (this.#worker === worker) this.#worker = null;
  }
}
