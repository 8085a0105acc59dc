import type { Drawing } from './compare-drawings.ts';
import type { DrawingOutcome, DrawnPage } from './open-pdf.ts';
import type { Opinion, SecondEngine } from './second-engine.ts';

/** The report about a page: the result of drawing the page, and the second engine's opinion of the drawing. */
export interface PageReport {
  readonly drawing: Exclude<DrawingOutcome, 'interrupted'>;
  /** Null where there is no drawing to compare. */
  readonly opinion: Opinion | null;
}

/** Pixels of a compared drawing: small print is five pixels high on a page of A4. */
const mostPixels = 1_500_000;

/** Pixels per point of a small page, and of one whose letters each engine takes from a font of its own. */
const finest = 2;
const finestForeign = 1;

const scaleFor = ({ width, height }: DrawnPage['size'], most: number): number =>
  Math.min(most, Math.sqrt(mostPixels / (width * height)));

/** Draws a page as it is compared; no drawing when interrupted, or when the page cannot be drawn. */
export async function drawForComparison(
  page: DrawnPage,
  signal: AbortSignal,
): Promise<{ readonly outcome: DrawingOutcome; readonly drawing: Drawing | null }> {
  const drawAt = async (most: number): Promise<{ outcome: DrawingOutcome; drawing: Drawing | null }> => {
    const canvas = document.createElement('canvas');
    const outcome = await page.draw(canvas, scaleFor(page.size, most), signal, 'white');
    return { outcome, drawing: outcome === 'complete' || outcome === 'partial' ? pixelsOf(canvas) : null };
  };
  const fine = await drawAt(finest);
  return fine.drawing !== null && page.hasForeignFonts() ? drawAt(finestForeign) : fine;
}

/** Draws a page and has the second engine draw it too. Null when interrupted. */
export async function checkPage(
  page: DrawnPage,
  number: number,
  engine: SecondEngine,
  signal: AbortSignal,
): Promise<PageReport | null> {
  const { outcome, drawing } = await drawForComparison(page, signal);
  if (outcome === 'interrupted') return null;
  if (drawing === null) return { drawing: outcome, opinion: null };
  const [opinion, hasErrors] = await Promise.all([engine.judge(number, drawing), page.hasErrors()]);
  return signal.aborted ? null : { drawing: hasErrors ? 'partial' : outcome, opinion };
}

function pixelsOf(canvas: HTMLCanvasElement): Drawing | null {
  const { width, height } = canvas;
  const pixels = canvas.getContext('2d')?.getImageData(0, 0, width, height).data;
  return pixels === undefined ? null : { width, height, pixels };
}
