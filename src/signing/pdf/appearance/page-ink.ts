/** The drawing of a page as a stamp finds it, so that the stamp is placed where nothing is drawn. */
import { readFile, stat } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { emptyPlace, type PageBox } from '../../../values/empty-place.ts';
import {
  closePdfium,
  drawPdfium,
  limitMemory,
  openPdfium,
  type Pdfium,
  type GrowingMemory,
  type PdfiumDocument,
} from '../../../values/pdfium-drawing.ts';
import { shownSize, type PageGeometry, type Placement } from './page-geometry.ts';

/** PDFium needs the whole file in memory; stamps of larger files stay at their place. */
const LARGEST_FILE = 96 * 2 ** 20;
/** Bytes of memory that PDFium may use, besides the file. */
const MOST_MEMORY = 512 * 2 ** 20;
/** Pixels for a point, and most pixels of a drawing. */
const SCALE = 2;
const MOST_PIXELS = 6_000_000;

/** The global of Node, which its types do not name. */
declare const WebAssembly: { readonly Memory: { readonly prototype: GrowingMemory } };

let loading: Promise<Pdfium> | undefined;

/** Loads PDFium once for a thread. */
async function loadPdfium(): Promise<Pdfium> {
  const { init } = await import('@embedpdf/pdfium');
  limitMemory(WebAssembly.Memory.prototype, MOST_MEMORY + LARGEST_FILE);
  const program = await readFile(fileURLToPath(import.meta.resolve('@embedpdf/pdfium/pdfium.wasm')));
  const pdfium = await init({ wasmBinary: Uint8Array.from(program).buffer });
  pdfium.PDFiumExt_Init();
  return pdfium;
}

/** Draws the pages of a file, and finds empty parts of them. */
export class PageInk {
  readonly #open: PdfiumDocument;

  private constructor(open: PdfiumDocument) {
    this.#open = open;
  }

  /** Undefined for a file that is too large, or that PDFium cannot open: its stamps stay at their place. */
  static async open(path: string, password: string | undefined): Promise<PageInk | undefined> {
    if ((await stat(path)).size > LARGEST_FILE) return undefined;
    try {
      loading ??= loadPdfium();
      const open = openPdfium(await loading, await readFile(path), password ?? '');
      return open === null ? undefined : new PageInk(open);
    } catch {
      // A program of WebAssembly that was ended by a file is of no use for the next.
      loading = undefined;
      return undefined;
    }
  }

  /**
   * The empty part of a page (1 is the first, below 1 the last) nearest to the wanted place; undefined where there is
   * none, or the page cannot be drawn.
   *
   * @param taken parts of the page that count as drawn, such as empty fields
   */
  emptyPlace(
    page: number,
    geometry: PageGeometry,
    wanted: Placement,
    taken: readonly Placement[],
  ): Placement | undefined {
    const { width, height } = shownSize(geometry);
    const scale = Math.min(SCALE, Math.sqrt(MOST_PIXELS / (width * height)));
    const number = page < 1 ? this.#open.pdfium.FPDF_GetPageCount(this.#open.document) : page;
    const fromTop = (box: Placement): PageBox => ({
      left: box.x,
      top: height - box.y - box.height,
      width: box.width,
      height: box.height,
    });
    try {
      const pixels = [width, height].map((side) => Math.max(1, Math.round(side * scale)));
      const drawing = drawPdfium(this.#open, number, pixels[0] ?? 1, pixels[1] ?? 1);
      if (drawing === null) return undefined;
      const found = emptyPlace({ width, height, drawing, taken: taken.map(fromTop) }, fromTop(wanted));
      if (found === undefined) return undefined;
      return { x: found.left, y: height - found.top - found.height, width: found.width, height: found.height };
    } catch {
      return undefined;
    }
  }

  close(): void {
    try {
      closePdfium(this.#open);
    } catch {
      loading = undefined;
    }
  }
}
