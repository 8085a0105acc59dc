import type { PDFDocumentProxy, PDFPageProxy } from 'pdfjs-dist';
import { drawnWords } from './drawn-words.ts';
import type { Box, Size } from './page-size.ts';
import { PdfPrograms, TooSlow, withinLimit, type ByteSource } from './pdf-program.ts';

/** A signature field on a page. */
export interface FieldBox extends Box {
  /** The full name of the field. */
  readonly name: string;
  /** True for a field that the page draws. */
  readonly hasAppearance: boolean;
}

/**
 * - `complete`: everything is drawn. `partial`: parts that cannot be read or decoded are left out.
 * - `failed`: nothing can be drawn. `too-slow`: the drawing was given up, and its worker has ended.
 * - `interrupted`: the drawing is needed no longer.
 */
export type DrawingOutcome = 'complete' | 'partial' | 'failed' | 'too-slow' | 'interrupted';

/** Colours of a page are mixed with those of the paper: pages are drawn on white, stamps on nothing. */
export type Paper = 'white' | 'none';

/** The page of a screen or of a printer: notes and layers may be on one of them only. */
export type Medium = 'screen' | 'print';

/** A page as displayed: rotated and cropped. Sizes are points. */
export interface DrawnPage {
  readonly size: Size;
  /** Draws the page into a canvas with this number of pixels per point. */
  draw(
    canvas: HTMLCanvasElement,
    scale: number,
    signal: AbortSignal,
    paper: Paper,
    medium?: Medium,
  ): Promise<DrawingOutcome>;
  /** True when the drawing leaves out what cannot be read. */
  hasErrors(): Promise<boolean>;
  /** True when a font of the pages drawn so far is not in the file: each program draws with a similar one. */
  hasForeignFonts(): boolean;
  /** The words of the page as drawn, for screen readers; `UNREADABLE` among them. Empty for a scanned page. */
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

/** The bytes of a file of the browser. */
export const sourceOf = (file: Blob): ByteSource => ({
  size: file.size,
  read: async (begin, end) => new Uint8Array(await file.slice(begin, end).arrayBuffer()),
});

/** Opens a PDF for drawing; a failure caused by the file is a value. Rejects when pdfjs cannot be loaded. */
export async function openPdf(file: Blob | ByteSource, password: string): Promise<OpenPdf | OpenFailure> {
  const { PasswordException, PasswordResponses } = await import('pdfjs-dist');
  const programs = new PdfPrograms(file instanceof Blob ? sourceOf(file) : file, password);
  try {
    return opened(await programs.document('lenient'), programs);
  } catch (error) {
    programs.close();
    if (!(error instanceof PasswordException)) return 'damaged';
    return error.code === PasswordResponses.INCORRECT_PASSWORD ? 'wrong-password' : 'password';
  }
}

function opened({ numPages }: PDFDocumentProxy, programs: PdfPrograms): OpenPdf {
  // A page that was too slow is not tried again: each try takes as long.
  const tooSlow = new Set<number>();
  return {
    pages: numPages,
    page: async (number) => {
      const read = await programs.page('lenient', number);
      const { width, height } = read.getViewport({ scale: 1 });
      return {
        size: { width, height },
        draw: async (...how) => {
          if (tooSlow.has(number)) return 'too-slow';
          try {
            const outcome = await withinLimit(drawPage(await programs.page('lenient', number), ...how));
            // Another drawing of this page was too slow, and its end was the end of this one.
            return outcome === 'failed' && tooSlow.has(number) ? 'too-slow' : outcome;
          } catch (error) {
            if (!(error instanceof TooSlow)) return tooSlow.has(number) ? 'too-slow' : 'failed';
            tooSlow.add(number);
            programs.end('lenient');
            return 'too-slow';
          }
        },
        hasErrors: () => hasErrors(programs, number),
        hasForeignFonts: () => programs.hasForeignFonts || missesFonts(read),
        ...contentsOf(read),
      };
    },
    hasSignatureFields: async () => {
      // pdfjs declares an object here, but returns a Map.
      const fields: unknown = await (await programs.document('lenient')).getFieldObjects();
      if (!(fields instanceof Map)) return false;
      const all = [...(fields as ReadonlyMap<string, readonly Field[]>).values()];
      return all.some((widgets) => widgets.some(({ type }) => type === 'signature'));
    },
    close: () => programs.close(),
  };
}

/** Reads the instructions of a page strictly: where the drawing leaves something out, this reading fails. */
async function hasErrors(programs: PdfPrograms, number: number): Promise<boolean> {
  try {
    const page = await programs.page('strict', number);
    await withinLimit(page.getOperatorList());
    return false;
  } catch (error) {
    if (error instanceof TooSlow) programs.end('strict');
    return true;
  }
}

type DrawingParameters = Parameters<DrawnPage['draw']>;

/** Draws what the worker reads of a page. */
async function drawPage(page: PDFPageProxy, ...how: DrawingParameters): Promise<DrawingOutcome> {
  const [canvas, scale, signal, paper, medium = 'screen'] = how;
  const viewport = page.getViewport({ scale });
  canvas.width = Math.max(1, Math.round(viewport.width));
  canvas.height = Math.max(1, Math.round(viewport.height));
  // Created here, because pdfjs would create an opaque context, and stamps are transparent.
  const canvasContext = canvas.getContext('2d');
  if (canvasContext === null) return 'failed';
  const background = paper === 'white' ? '#ffffff' : 'rgba(0,0,0,0)';
  const intent = medium === 'print' ? 'print' : 'display';
  const task = page.render({ canvas: null, canvasContext, viewport, background, intent });
  const cancel = (): void => task.cancel();
  signal.addEventListener('abort', cancel, { once: true });
  try {
    await task.promise;
    if (signal.aborted) return 'interrupted';
    return lacksPictures(page) ? 'partial' : 'complete';
  } catch {
    return signal.aborted ? 'interrupted' : 'failed';
  } finally {
    signal.removeEventListener('abort', cancel);
    // A drawing that was given up would go on in the background.
    cancel();
  }
}

/** The parts of a font of pdfjs that are used here; other objects have neither. */
interface KeptObject {
  readonly missingFile?: boolean;
  readonly isType3Font?: boolean;
}

/** True for a font that is neither in the file nor in the bundle. */
const isMissing = ([, object]: readonly [string, KeptObject | null]): boolean =>
  object?.missingFile === true && object.isType3Font !== true;

const missesFonts = (page: PDFPageProxy): boolean =>
  [...(page.commonObjs as Iterable<readonly [string, KeptObject | null]>)].some(isMissing);

/** True when pdfjs left out a picture that it could not decode. */
const lacksPictures = ({ objs, commonObjs }: PDFPageProxy): boolean =>
  [objs, commonObjs].some((kept) =>
    [...(kept as Iterable<readonly [string, unknown]>)].some(
      ([name, object]) => name.includes('img_') && object === null,
    ),
  );

/** The words and fields of a page. */
function contentsOf(page: PDFPageProxy): Pick<DrawnPage, 'text' | 'signatureFields'> {
  return {
    text: () => withinLimit(drawnWords(page)),
    signatureFields: async () => {
      const annotations = (await page.getAnnotations()) as readonly Annotation[];
      const viewport = page.getViewport({ scale: 1 });
      return annotations.flatMap(({ fieldType, fieldName, rect, hasAppearance = false }) => {
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
        return box.width > 0 && box.height > 0 ? [{ ...box, name: fieldName ?? '', hasAppearance }] : [];
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
  readonly hasAppearance?: boolean;
  /** Coordinates of the page itself, before its rotation. */
  readonly rect?: readonly number[];
}
