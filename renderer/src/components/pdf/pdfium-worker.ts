import { init, type WrappedPdfiumModule } from '@embedpdf/pdfium';
import { compareDrawings, type Area, type Drawing } from './compare-drawings.ts';

/** Asks the worker: first to open a file, then to draw its pages. */
export type PdfiumRequest =
  | { readonly kind: 'open'; readonly program: ArrayBuffer; readonly file: ArrayBuffer; readonly password: string }
  | {
      readonly kind: 'compare';
      /** Page 1 is the first. */
      readonly page: number;
      /** The other engine's drawing: opaque, RGBA. */
      readonly width: number;
      readonly height: number;
      readonly pixels: ArrayBuffer;
    };

/** The answer to the last request. `failed`: PDFium cannot open the file, or cannot read the page. */
export type PdfiumAnswer =
  | { readonly kind: 'opened'; readonly pages: number }
  | { readonly kind: 'failed' }
  | {
      readonly kind: 'compared';
      readonly unlike: number;
      readonly areas: readonly Area[];
      /** PDFium's own drawing, of the same size. */
      readonly pixels: ArrayBuffer;
    };

/** The parts of a worker's global that are used here. */
interface Host {
  onmessage: ((event: MessageEvent<PdfiumRequest>) => void) | null;
  postMessage(answer: PdfiumAnswer, transfer?: Transferable[]): void;
}

/** Bytes of memory that PDFium may use, besides the file. */
const MOST_MEMORY = 768 * 1024 * 1024;

/** Bytes of a page of WebAssembly's memory. */
const MEMORY_PAGE = 64 * 1024;

/** PDFium's flags: draw annotations, and give red before blue. */
const WITH_ANNOTATIONS = 0x01;
const RED_FIRST = 0x10;

/** PDFium's format with a byte for each colour and an unused byte. */
const FOUR_BYTES = 3;

const WHITE = 0xffffffff;

interface OpenFile {
  readonly pdfium: WrappedPdfiumModule;
  readonly document: number;
  readonly form: number;
}

let open: OpenFile | null = null;

/** A hostile file may ask for any memory: beyond the limit PDFium is told that there is none. */
function limitMemory(most: number): void {
  // eslint-disable-next-line @typescript-eslint/unbound-method -- called with its memory below
  const grow = WebAssembly.Memory.prototype.grow;
  WebAssembly.Memory.prototype.grow = function (this: WebAssembly.Memory, pages: number): number {
    if (this.buffer.byteLength + pages * MEMORY_PAGE > most) throw new RangeError('The drawing needs too much memory.');
    return grow.call(this, pages);
  };
}

async function openFile({ program, file, password }: Extract<PdfiumRequest, { kind: 'open' }>): Promise<PdfiumAnswer> {
  limitMemory(MOST_MEMORY + file.byteLength);
  const pdfium = await init({ wasmBinary: program });
  pdfium.PDFiumExt_Init();
  const bytes = new Uint8Array(file);
  const place = pdfium.pdfium.wasmExports.malloc(bytes.length);
  memoryOf(pdfium).set(bytes, place);
  const document = pdfium.FPDF_LoadMemDocument(place, bytes.length, password);
  if (document === 0) return { kind: 'failed' };
  const form = pdfium.PDFiumExt_InitFormFillEnvironment(document, pdfium.PDFiumExt_OpenFormFillInfo());
  open = { pdfium, document, form };
  return { kind: 'opened', pages: pdfium.FPDF_GetPageCount(document) };
}

/** Its memory, which moves when it grows. */
function memoryOf({ pdfium }: WrappedPdfiumModule): Uint8Array {
  const { memory } = pdfium.wasmExports as unknown as { readonly memory: WebAssembly.Memory };
  return new Uint8Array(memory.buffer);
}

/** Draws a page in the size of the other engine's drawing; null for an unreadable page. */
function draw({ pdfium, document, form }: OpenFile, number: number, width: number, height: number): Drawing | null {
  const page = pdfium.FPDF_LoadPage(document, number - 1);
  if (page === 0) return null;
  const bitmap = pdfium.FPDFBitmap_CreateEx(width, height, FOUR_BYTES, 0, 0);
  if (bitmap === 0) return null;
  pdfium.FPDFBitmap_FillRect(bitmap, 0, 0, width, height, WHITE);
  const flags = WITH_ANNOTATIONS | RED_FIRST;
  pdfium.FPDF_RenderPageBitmap(bitmap, page, 0, 0, width, height, 0, flags);
  if (form !== 0) pdfium.FPDF_FFLDraw(form, bitmap, page, 0, 0, width, height, 0, flags);
  const begin = pdfium.FPDFBitmap_GetBuffer(bitmap);
  const pixels = memoryOf(pdfium).slice(begin, begin + width * height * 4);
  for (let at = 3; at < pixels.length; at += 4) pixels[at] = 255;
  pdfium.FPDFBitmap_Destroy(bitmap);
  pdfium.FPDF_ClosePage(page);
  return { width, height, pixels };
}

function compare({ page, width, height, pixels }: Extract<PdfiumRequest, { kind: 'compare' }>): PdfiumAnswer {
  const own = open === null ? null : draw(open, page, width, height);
  if (own === null) return { kind: 'failed' };
  const { unlike, areas } = compareDrawings({ width, height, pixels: new Uint8Array(pixels) }, own);
  return { kind: 'compared', unlike, areas, pixels: own.pixels.buffer as ArrayBuffer };
}

const host = globalThis as unknown as Host;

host.onmessage = ({ data }) => {
  const answered = data.kind === 'open' ? openFile(data) : Promise.resolve().then(() => compare(data));
  void answered
    // PDFium ends by an exception when memory or stack are used up.
    .catch((): PdfiumAnswer => ({ kind: 'failed' }))
    .then((answer) => host.postMessage(answer, answer.kind === 'compared' ? [answer.pixels] : []));
};
