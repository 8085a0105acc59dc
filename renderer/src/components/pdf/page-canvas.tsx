import { useEffect, useRef } from 'react';
import classes from './pdf.module.css';
import type { DrawingOutcome, DrawnPage, Paper } from './open-pdf.ts';

interface PageCanvasProps {
  readonly page: DrawnPage;
  /** CSS pixels per point. */
  readonly scale: number;
  readonly className?: string;
  /** `none` for a drawing that covers something else, such as a stamp. */
  readonly paper?: Paper;
  /** Called when the drawing has ended. */
  readonly onEnd?: (outcome: Exclude<DrawingOutcome, 'interrupted'>) => void;
}

/** Maximum number of pixels of a drawing, and of one side of it: browsers draw nothing on a larger canvas. */
const mostPixels = 6_000_000;
const longestSide = 16_000;

/**
 * A page, drawn with twice the resolution of most screens for small print. The earlier drawing stays until the new one
 * is complete.
 */
export function PageCanvas({ page, scale, className, paper = 'white', onEnd }: PageCanvasProps) {
  const frame = useRef<HTMLDivElement>(null);
  const told = useRef(onEnd);
  useEffect(() => {
    told.current = onEnd;
  });
  useEffect(() => {
    const abort = new AbortController();
    const canvas = document.createElement('canvas');
    const { width, height } = page.size;
    const sharp = scale * Math.max(2, window.devicePixelRatio);
    const coarsest = Math.min(Math.sqrt(mostPixels / (width * height)), longestSide / Math.max(width, height));
    void page.draw(canvas, Math.min(sharp, coarsest), abort.signal, paper).then((outcome) => {
      if (outcome === 'interrupted' || abort.signal.aborted) return;
      if (outcome === 'complete' || outcome === 'partial') frame.current?.replaceChildren(canvas);
      told.current?.(outcome);
    });
    return () => abort.abort();
  }, [page, scale, paper]);
  return <div ref={frame} className={`${classes.canvas ?? ''} ${className ?? ''}`} aria-hidden />;
}
