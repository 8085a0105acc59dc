import type * as PdfjsModule from 'pdfjs-dist';
import type { PDFDocumentProxy, PDFPageProxy, PDFWorker } from 'pdfjs-dist';
import workerAddress from 'pdfjs-dist/build/pdf.worker.min.mjs?url';
import type { Box, Size } from './page-size.ts';
import { BundledResources } from './pdf-resources.ts';

/** A signature field on a page. */
export interface FieldBox extends Box {
  /** The full name of the field. */
  readonly name: string;
}

/** The bytes of a file, read in parts. */
export interface ByteSource {
  readonly size: number;
  /** The bytes from `begin` up to, but not including, `end`. */
  read(begin: number, end: number): Promise<Uint8Array>;
}

/** A page as displayed: rotated and cropped. Sizes are points. */
export interface DrawnPage {
  readonly size: Size;
  /**
   * Draws the page into a canvas with this number of pixels per point. Resolves to false for an interrupted drawing.
   */
  draw(canvas: HTMLCanvasElement, scale: number, signal: AbortSignal): Promise<boolean>;
  /** The words of the page, for screen readers; empty for a scanned page. */
  text(): Promise<string>;
  /** The visible signature fields of the page, signed or not. */
  signatureFields(): Promise<readonly FieldBox[]>;
}

/** An open PDF. */
export interface OpenPdf {
  readonly pages: number;
  /** Page 1 is the first. */
  page(number: number): Promise<DrawnPage>;
  /** True when the form has a signature field, signed or not, visible or not. */
  hasSignatureFields(): Promise<boolean>;
  close(): void;
}

/**
 * - `password`: a password is needed. `wrong-password`: the password is wrong.
 * - `damaged`: the file cannot be drawn as a PDF.
 */
export type OpenFailure = 'password' | 'wrong-password' | 'damaged';

/** Bytes of a part: files are read in parts, so that large files need little memory. */
const partSize = 256 * 1024;

type Pdfjs = typeof PdfjsModule;

interface Program {
  readonly pdfjs: Pdfjs;
  readonly worker: PDFWorker;
}

let program: Promise<Program> | null = null;

/** Loads pdfjs once, and starts its worker. After a failure, loading is tried again with the next file. */
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
export async function openPdf(file: Blob | ByteSource, password: string): Promise<OpenPdf | OpenFailure> {
  const { pdfjs, worker } = await loadProgram();
  const task = pdfjs.getDocument({
    range: rangesOf(pdfjs, file instanceof Blob ? sourceOf(file) : file),
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

const sourceOf = (file: Blob): ByteSource => ({
  size: file.size,
  read: async (begin, end) => new Uint8Array(await file.slice(begin, end).arrayBuffer()),
});

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

function opened(document: PDFDocumentProxy): OpenPdf {
  return {
    pages: document.numPages,
    page: async (number) => drawn(await document.getPage(number)),
    hasSignatureFields: async () => {
      // pdfjs declares an object here, but returns a Map.
      const fields: unknown = await document.getFieldObjects();
      if (!(fields instanceof Map)) return false;
      const all = [...(fields as ReadonlyMap<string, readonly Field[]>).values()];
      return all.some((widgets) => widgets.some(({ type }) => type === 'signature'));
    },
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
        // Created here, because pdfjs would create an opaque context, and stamps are transparent.
        const canvasContext = canvas.getContext('2d');
        if (canvasContext === null) return false;
        const task = page.render({ canvas: null, canvasContext, viewport, background: 'rgba(0,0,0,0)' });
        signal.addEventListener('abort', () => task.cancel(), { once: true });
        await task.promise;
        return !signal.aborted;
      } catch {
        // The drawing was cancelled, or its file was closed: the earlier drawing stays.
        return false;
      }
    },
    text: async () => {
      const { items } = await page.getTextContent();
      return items.map((item) => ('str' in item ? `${item.str}${item.hasEOL ? '\n' : ''}` : '')).join('');
    },
    signatureFields: async () => {
      const annotations = (await page.getAnnotations()) as readonly Annotation[];
      const viewport = page.getViewport({ scale: 1 });
      return annotations.flatMap(({ fieldType, fieldName, rect }) => {
        if (fieldType !== 'Sig' || rect === undefined) return [];
        const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = rect;
        const [left = 0, top = 0] = viewport.convertToViewportPoint(x1, y1) as number[];
        const [right = 0, bottom = 0] = viewport.convertToViewportPoint(x2, y2) as number[];
        const box = {
          left: Math.min(left, right),
          top: Math.min(top, bottom),
          width: Math.abs(right - left),
          height: Math.abs(bottom - top),
        };
        return box.width > 0 && box.height > 0 ? [{ ...box, name: fieldName ?? '' }] : [];
      });
    },
  };
}

/** The part of a field object of pdfjs that is used here. */
interface Field {
  readonly type?: string;
}

/** The parts of an annotation of pdfjs that are used here. */
interface Annotation {
  readonly fieldType?: string;
  readonly fieldName?: string;
  /** Coordinates of the page itself, before its rotation. */
  readonly rect?: readonly number[];
}
