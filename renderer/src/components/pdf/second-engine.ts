import type { Drawing } from './compare-drawings.ts';
import type { Area } from './compare-drawings.ts';
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

/** PDFium, which draws pages of one file in a worker of its own. */
export interface SecondEngine {
  /** Compares the drawing of a page (1 is the first) with PDFium's own. */
  judge(page: number, drawing: Drawing): Promise<Opinion>;
  close(): void;
}

/** PDFium needs the whole file in memory. */
const mostBytes = 128 * 1024 * 1024;

/** Milliseconds for one page. Common pages take a tenth of a second. */
const longest = 20_000;

/** Prepares PDFium for a file. Its program and the file are loaded with the first page. */
export function secondEngine(file: ByteSource, password: string): SecondEngine {
  let worker: Worker | null = null;
  let isClosed = false;
  let last: Promise<unknown> = Promise.resolve();

  const ask = (request: PdfiumRequest, transfer: Transferable[]): Promise<PdfiumAnswer> => {
    const port = worker;
    if (port === null) return Promise.resolve({ kind: 'failed' });
    return new Promise((resolve) => {
      const end = (answer: PdfiumAnswer): void => {
        clearTimeout(timer);
        resolve(answer);
      };
      const giveUp = (): void => {
        port.terminate();
        if (worker === port) worker = null;
        end({ kind: 'failed' });
      };
      const timer = setTimeout(giveUp, longest);
      port.onerror = giveUp;
      port.onmessage = ({ data }: MessageEvent<PdfiumAnswer>) => end(data);
      port.postMessage(request, transfer);
    });
  };

  /** Starts a worker with the file open; after a worker has ended, another one. */
  const start = async (): Promise<boolean> => {
    if (worker !== null) return true;
    const [program, bytes] = await Promise.all([
      import('~drawing/pdfium').then(({ packed }) => unpack(packed)),
      file.read(0, file.size),
    ]);
    if (isClosed) return false;
    worker = new Worker(new URL('./pdfium-worker.ts', import.meta.url), { type: 'module' });
    const copy = bytes.slice().buffer as ArrayBuffer;
    const { kind } = await ask({ kind: 'open', program, file: copy, password }, [program, copy]);
    if (kind === 'opened') return true;
    (worker as Worker | null)?.terminate();
    worker = null;
    return false;
  };

  const judge = async (page: number, { width, height, pixels }: Drawing): Promise<Opinion> => {
    if (isClosed || !(await start())) return { kind: 'failed' };
    const copy = pixels.slice().buffer;
    const answer = await ask({ kind: 'compare', page, width, height, pixels: copy }, [copy]);
    if (answer.kind !== 'compared') return { kind: 'failed' };
    if (answer.areas.length === 0) return { kind: 'same' };
    const other = { width, height, pixels: new Uint8ClampedArray(answer.pixels) };
    return { kind: 'differs', areas: answer.areas, other };
  };

  return {
    judge: (page, drawing) => {
      if (file.size > mostBytes) return Promise.resolve({ kind: 'too-large' });
      // One page after the other: the worker has one file and one answer at a time.
      const opinion = last.then(() => judge(page, drawing)).catch((): Opinion => ({ kind: 'failed' }));
      last = opinion;
      return opinion;
    },
    close: () => {
      isClosed = true;
      worker?.terminate();
      worker = null;
    },
  };
}
