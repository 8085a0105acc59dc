import { useEffect, useRef } from 'react';
import classes from './pdf.module.css';
import type { DrawnPage } from './open-pdf.ts';

interface PageCanvasProps {
  readonly page: DrawnPage;
  /** CSS pixels per point. */
  readonly scale: number;
  readonly className?: string;
  /** Called when the drawing is complete. */
  readonly onDrawn?: () => void;
  /** Called if the page cannot be drawn. */
  readonly onFailed?: () => void;
}

/** Maximum number of pixels of a drawing, and of one side of it: browsers draw nothing on a larger canvas. */
const mostPixels = 6_000_000;
const longestSide = 16_000;

/**
 * A page, drawn with twice the resolution of most screens for small print. The earlier drawing stays until the new one
 * is complete.
 */
export function PageCanvas({ page, scale, className, onDrawn, onFailed }: PageCanvasProps) {
  const frame = useRef<HTMLDivElement>(null);
  const told = useRef({ onDrawn, onFailed });
  useEffect(() => {
    told.current = { onDrawn, onFailed };
  });
  useEffect(() => {
    const abort = new AbortController();
    const canvas = document.createElement('canvas');
    const { width, height } = page.size;
    const sharp = scale * Math.max(2, window.devicePixelRatio);
    const coarsest = Math.min(Math.sqrt(mostPixels / (width * height)), longestSide / Math.max(width, height));
    void page.draw(canvas, Math.min(sharp, coarsest), abort.signal).then((complete) => {
      if (!complete) {
        if (!abort.signal.aborted) told.current.onFailed?.();
        return;
      }
      frame.current?.replaceChildren(canvas);
      told.current.onDrawn?.();
    });
    return () => abort.abort();
  }, [page, scale]);
  return <div ref={frame} className={`${classes.canvas ?? ''} ${className ?? ''}`} aria-hidden />;
}
