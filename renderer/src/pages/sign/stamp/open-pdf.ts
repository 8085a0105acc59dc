import type * as PdfjsModule from 'pdfjs-dist';
import type { PDFDocumentProxy, PDFPageProxy, PDFWorker } from 'pdfjs-dist';
import workerAddress from 'pdfjs-dist/build/pdf.worker.min.mjs?url';
import { BundledResources } from './pdf-resources.ts';
import type { Size } from './geometry.ts';

/** A page as displayed: rotated and cropped. Sizes are points. */
export interface DrawnPage {
  readonly size: Size;
  /**
   * Draws the page into a canvas with this number of pixels per point. Resolves to false for an interrupted drawing.
   */
  draw(canvas: HTMLCanvasElement, scale: number, signal: AbortSignal): Promise<boolean>;
}

/** An open PDF. */
export interface OpenPdf {
  readonly pages: number;
  /** Page 1 is the first. */
  page(number: number): Promise<DrawnPage>;
  close(): void;
}

/**
 * - `password`: a password is needed. `wrong-password`: the password is wrong.
 * - `damaged`: the file cannot be drawn as a PDF.
 */
export type OpenFailure = 'password' | 'wrong-password' | 'damaged';

/** Bytes of a part: files are read in parts, so that large files cost no memory. */
const partSize = 256 * 1024;

type Pdfjs = typeof PdfjsModule;

interface Program {
  readonly pdfjs: Pdfjs;
  readonly worker: PDFWorker;
}

let program: Promise<Program> | null = null;

/** Loads pdfjs once, and starts its worker. A failed loading is tried again with the next file. */
async function loadProgram(): Promise<Program> {
  program ??= start().catch((error: unknown) => {
    program = null;
    throw error;
  });
  return program;
}

async function start(): Promise<Program> {
  const pdfjs = await import('pdfjs-dist');
  const port = new Worker(workerAddress, { type: 'module' });
  return { pdfjs, worker: new pdfjs.PDFWorker({ port: port as unknown as null, verbosity: 0 }) };
}

/** Opens a PDF for drawing; a failure caused by the file is a value. */
export async function openPdf(file: Blob, password: string): Promise<OpenPdf | OpenFailure> {
  const { pdfjs, worker } = await loadProgram();
  const task = pdfjs.getDocument({
    range: rangesOf(pdfjs, file),
    rangeChunkSize: partSize,
    disableAutoFetch: true,
    disableStream: true,
    disableWorkerRendering: true,
    BinaryDataFactory: BundledResources,
    wasmUrl: 'bundle/',
    standardFontDataUrl: 'bundle/',
    useWorkerFetch: false,
    useSystemFonts: false,
    enableXfa: false,
    verbosity: 0,
    worker,
    ...(password === '' ? {} : { password }),
  });
  try {
    return opened(await task.promise);
  } catch (error) {
    void task.destroy();
    if (!(error instanceof pdfjs.PasswordException)) return 'damaged';
    return error.code === pdfjs.PasswordResponses.INCORRECT_PASSWORD ? 'wrong-password' : 'password';
  }
}

/** Reads the file part by part, on request of pdfjs. */
function rangesOf(pdfjs: Pdfjs, file: Blob): InstanceType<Pdfjs['PDFDataRangeTransport']> {
  const transport = new pdfjs.PDFDataRangeTransport(file.size, null);
  transport.requestDataRange = (begin, end) => {
    void file
      .slice(begin, end)
      .arrayBuffer()
      .then(
        (part) => transport.onDataRange(begin, new Uint8Array(part)),
        // A file that became unreadable ends like a truncated file.
        () => transport.onDataRange(begin, new Uint8Array(0)),
      );
  };
  return transport;
}

function opened(document: PDFDocumentProxy): OpenPdf {
  return {
    pages: document.numPages,
    page: async (number) => drawn(await document.getPage(number)),
    close: () => void document.loadingTask.destroy(),
  };
}

function drawn(page: PDFPageProxy): DrawnPage {
  const { width, height } = page.getViewport({ scale: 1 });
  return {
    size: { width, height },
    draw: async (canvas, scale, signal) => {
      const viewport = page.getViewport({ scale });
      canvas.width = Math.max(1, Math.round(viewport.width));
      canvas.height = Math.max(1, Math.round(viewport.height));
      try {
        // A context of our own, because pdfjs makes an opaque context, and stamps are transparent.
        const canvasContext = canvas.getContext('2d');
        if (canvasContext === null) return false;
        const task = page.render({ canvas: null, canvasContext, viewport, background: 'rgba(0,0,0,0)' });
        signal.addEventListener('abort', () => task.cancel(), { once: true });
        await task.promise;
        return !signal.aborted;
      } catch {
        // Cancelled, or its file was closed meanwhile: the earlier drawing stays.
        return false;
      }
    },
  };
}
