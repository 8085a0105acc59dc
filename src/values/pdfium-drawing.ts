/**
 * Draws pages with PDFium's WebAssembly, in the core and in the window. The package itself is passed in, because this
 * folder imports nothing.
 */

/** The functions of the package `@embedpdf/pdfium` in use. Handles and places in memory are numbers; 0 means failure. */
export interface Pdfium {
  readonly pdfium: { readonly wasmExports: object };
  PDFiumExt_Init(): void;
  PDFiumExt_OpenFormFillInfo(): number;
  PDFiumExt_InitFormFillEnvironment(document: number, information: number): number;
  PDFiumExt_ExitFormFillEnvironment(form: number): void;
  PDFiumExt_CloseFormFillInfo(information: number): void;
  FPDF_LoadMemDocument(place: number, bytes: number, password: string): number;
  FPDF_CloseDocument(document: number): void;
  FPDF_GetPageCount(document: number): number;
  FPDF_LoadPage(document: number, index: number): number;
  FPDF_ClosePage(page: number): void;
  FPDFBitmap_CreateEx(width: number, height: number, format: number, place: number, stride: number): number;
  FPDFBitmap_FillRect(
    bitmap: number,
    left: number,
    top: number,
    width: number,
    height: number,
    colour: number,
  ): boolean;
  FPDFBitmap_GetBuffer(bitmap: number): number;
  FPDFBitmap_Destroy(bitmap: number): void;
  FPDF_RenderPageBitmap(
    bitmap: number,
    page: number,
    left: number,
    top: number,
    width: number,
    height: number,
    rotation: number,
    flags: number,
  ): void;
  FPDF_FFLDraw(
    form: number,
    bitmap: number,
    page: number,
    left: number,
    top: number,
    width: number,
    height: number,
    rotation: number,
    flags: number,
  ): void;
}

/** An open document: the handles that a drawing needs, and the memory that they use. */
export interface PdfiumDocument {
  readonly pdfium: Pdfium;
  readonly document: number;
  readonly form: number;
  readonly information: number;
  readonly place: number;
}

interface Exports {
  readonly memory: { readonly buffer: ArrayBuffer };
  readonly malloc: (bytes: number) => number;
  readonly free: (place: number) => void;
}

/** Bytes of a page of WebAssembly's memory. */
const MEMORY_PAGE = 64 * 1024;
/** PDFium's flags: draw annotations, and give red before blue. */
const WITH_ANNOTATIONS = 0x01;
const RED_FIRST = 0x10;
/** PDFium's format with a byte for each colour and an unused byte. */
const FOUR_BYTES = 3;
const WHITE = 0xffffffff;

const exportsOf = ({ pdfium }: Pdfium): Exports => pdfium.wasmExports as Exports;
/** PDFium's memory, which moves when it grows. */
const memoryOf = (pdfium: Pdfium): Uint8Array => new Uint8Array(exportsOf(pdfium).memory.buffer);

/** A memory of WebAssembly. */
export interface GrowingMemory {
  readonly buffer: { readonly byteLength: number };
  grow(pages: number): number;
}

/** A hostile file may ask for any memory: beyond the limit PDFium is told that there is none. */
export function limitMemory(prototype: GrowingMemory, most: number): void {
  // eslint-disable-next-line @typescript-eslint/unbound-method -- called with its memory below
  const grow = prototype.grow;
  prototype.grow = function (this: GrowingMemory, pages: number): number {
    if (this.buffer.byteLength + pages * MEMORY_PAGE > most) throw new RangeError('The drawing needs too much memory.');
    return grow.call(this, pages);
  };
}

/** Copies a file into PDFium's memory and opens it; null for a file that PDFium cannot open. */
export function openPdfium(pdfium: Pdfium, file: Uint8Array, password: string): PdfiumDocument | null {
  const place = exportsOf(pdfium).malloc(file.length);
  memoryOf(pdfium).set(file, place);
  const document = pdfium.FPDF_LoadMemDocument(place, file.length, password);
  if (document === 0) {
    exportsOf(pdfium).free(place);
    return null;
  }
  const information = pdfium.PDFiumExt_OpenFormFillInfo();
  const form = pdfium.PDFiumExt_InitFormFillEnvironment(document, information);
  return { pdfium, document, form, information, place };
}

/** Gives the memory of a document back. */
export function closePdfium({ pdfium, document, form, information, place }: PdfiumDocument): void {
  if (form !== 0) pdfium.PDFiumExt_ExitFormFillEnvironment(form);
  pdfium.FPDF_CloseDocument(document);
  pdfium.PDFiumExt_CloseFormFillInfo(information);
  exportsOf(pdfium).free(place);
}

/** Draws a page (1 is the first) on white, as opaque RGBA; null for a page that cannot be read. */
export function drawPdfium(
  { pdfium, document, form }: PdfiumDocument,
  number: number,
  width: number,
  height: number,
): { readonly width: number; readonly height: number; readonly pixels: Uint8Array } | null {
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
