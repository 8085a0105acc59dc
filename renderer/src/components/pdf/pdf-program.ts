import type * as PdfjsModule from 'pdfjs-dist';
import type { PDFDocumentProxy, PDFPageProxy } from 'pdfjs-dist';
import workerAddress from 'pdfjs-dist/build/pdf.worker.min.mjs?url';
import { WatchedCanvases } from './drawn-words.ts';
import { bundledResources } from './pdf-resources.ts';

/** The bytes of a file, read in parts. */
export interface ByteSource {
  readonly size: number;
  /** The bytes from `begin` up to, but not including, `end`. */
  read(begin: number, end: number): Promise<Uint8Array>;
}

/** `strict` refuses a page with an error; `lenient` leaves out what it cannot read, and draws the rest. */
type Care = 'strict' | 'lenient';

/** A task that took longer than a person would wait. */
export class TooSlow extends Error {}

/** Bytes of a part: files are read in parts, so that large files need little memory. */
const partSize = 256 * 1024;

/** Pixels of a picture: a page of A4 in 1,200 dots per inch has 140 million. */
const mostPixels = 150_000_000;

/** Seconds for one task of a document, such as drawing a page. Common pages take a tenth of a second. */
const longest = 20;

type Pdfjs = typeof PdfjsModule;

/**
 * Rejects with `TooSlow` after the limit. Seconds count while the window is visible, because browsers draw nothing in a
 * hidden one.
 */
export async function withinLimit<Value>(task: Promise<Value>, seconds = longest): Promise<Value> {
  let timer: ReturnType<typeof setInterval> | undefined;
  const limit = new Promise<never>((_, reject) => {
    let left = seconds;
    timer = setInterval(() => {
      if (document.visibilityState === 'visible') left -= 1;
      if (left <= 0) reject(new TooSlow('The document takes too long to draw.'));
    }, 1000);
  });
  try {
    return await Promise.race([task, limit]);
  } finally {
    clearInterval(timer);
  }
}

interface Program {
  readonly document: PDFDocumentProxy;
  end(): void;
}

/**
 * Pdfjs with one document, in workers of its own: a hostile document harms no other one. The lenient program draws, and
 * the strict one is started to find errors.
 */
export class PdfPrograms {
  readonly #file: ByteSource;
  readonly #password: string;
  readonly #running = new Map<Care, Promise<Program>>();
  #isClosed = false;
  #hasForeignFonts = false;

  constructor(file: ByteSource, password: string) {
    this.#file = file;
    this.#password = password;
  }

  /** True when a font of the pages drawn so far is not in the file: each program draws with a similar one. */
  get hasForeignFonts(): boolean {
    return this.#hasForeignFonts;
  }

  /** The document; its worker is started where none runs. Rejects for a file that cannot be opened. */
  async document(care: Care): Promise<PDFDocumentProxy> {
    const running = this.#running.get(care) ?? this.#start(care);
    this.#running.set(care, running);
    return (await running).document;
  }

  /** A page; 1 is the first. Rejects for a page that cannot be read. */
  async page(care: Care, number: number): Promise<PDFPageProxy> {
    const document = await this.document(care);
    return withinLimit(document.getPage(number));
  }

  /** Ends a worker; the next request starts another one. */
  end(care: Care): void {
    const running = this.#running.get(care);
    this.#running.delete(care);
    void running?.then(
      (program) => program.end(),
      () => undefined,
    );
  }

  close(): void {
    this.#isClosed = true;
    this.end('strict');
    this.end('lenient');
  }

  async #start(care: Care): Promise<Program> {
    const pdfjs = await import('pdfjs-dist');
    const port = new Worker(workerAddress, { type: 'module' });
    const worker = new pdfjs.PDFWorker({ port: port as unknown as null, verbosity: 0 });
    const task = pdfjs.getDocument({
      range: rangesOf(pdfjs, this.#file),
      rangeChunkSize: partSize,
      disableAutoFetch: true,
      disableStream: true,
      disableWorkerRendering: true,
      CanvasFactory: WatchedCanvases,
      BinaryDataFactory: bundledResources(() => {
        this.#hasForeignFonts = true;
      }),
      wasmUrl: 'bundle/',
      standardFontDataUrl: 'bundle/',
      cMapUrl: 'bundle/',
      useWorkerFetch: false,
      useSystemFonts: false,
      enableXfa: false,
      stopAtErrors: care === 'strict',
      maxImageSize: mostPixels,
      verbosity: 0,
      worker,
      ...(this.#password === '' ? {} : { password: this.#password }),
    });
    const end = (): void => {
      // The answers that the worker still owes are given up together with the task.
      void task.destroy().catch(() => undefined);
      port.terminate();
    };
    try {
      const document = await withinLimit(task.promise);
      if (this.#isClosed) throw new Error('The document was closed.');
      return { document, end };
    } catch (error) {
      end();
      throw error;
    }
  }
}

/** Reads the file part by part, on request of pdfjs. */
function rangesOf(pdfjs: Pdfjs, file: ByteSource): InstanceType<Pdfjs['PDFDataRangeTransport']> {
  const transport = new pdfjs.PDFDataRangeTransport(file.size, null);
  transport.requestDataRange = (begin, end) => {
    void file.read(begin, end).then(
      (part) => transport.onDataRange(begin, part),
      // If the file cannot be read any more, the document ends as if truncated.
      () => transport.onDataRange(begin, new Uint8Array(0)),
    );
  };
  return transport;
}
