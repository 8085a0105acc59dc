import { init } from '@embedpdf/pdfium';
import { drawPdfium, limitMemory, openPdfium, type PdfiumDocument } from '../../../../src/values/pdfium-drawing.ts';
import { compareDrawings, type Area } from './compare-drawings.ts';

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

let open: PdfiumDocument | null = null;

async function openFile({ program, file, password }: Extract<PdfiumRequest, { kind: 'open' }>): Promise<PdfiumAnswer> {
  limitMemory(WebAssembly.Memory.prototype, MOST_MEMORY + file.byteLength);
  const pdfium = await init({ wasmBinary: program });
  pdfium.PDFiumExt_Init();
  open = openPdfium(pdfium, new Uint8Array(file), password);
  if (open === null) return { kind: 'failed' };
  return { kind: 'opened', pages: pdfium.FPDF_GetPageCount(open.document) };
}

function compare({ page, width, height, pixels }: Extract<PdfiumRequest, { kind: 'compare' }>): PdfiumAnswer {
  const own = open === null ? null : drawPdfium(open, page, width, height);
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
