import { useEffect, useRef } from 'react';
import classes from './pdf.module.css';
import type { DrawnPage } from './open-pdf.ts';

interface PageCanvasProps {
  readonly page: DrawnPage;
  /** CSS pixels a point. */
  readonly scale: number;
  readonly className?: string | undefined;
  /** Told when the picture is complete. */
  readonly onDrawn?: () => void;
}

/** Most pixels of a drawing; larger drawings are coarser. */
const mostPixels = 6_000_000;

/**
 * A page, drawn twice as sharp as most screens, for small print. The earlier drawing stays until the new drawing is
 * complete.
 */
export function PageCanvas({ page, scale, className, onDrawn }: PageCanvasProps) {
  const frame = useRef<HTMLDivElement>(null);
  const told = useRef(onDrawn);
  useEffect(() => {
    told.current = onDrawn;
  });
  useEffect(() => {
    const abort = new AbortController();
    const canvas = document.createElement('canvas');
    const { width, height } = page.size;
    const sharp = scale * Math.max(2, window.devicePixelRatio);
    const coarsest = Math.sqrt(mostPixels / (width * height));
    void page.draw(canvas, Math.min(sharp, coarsest), abort.signal).then((complete) => {
      if (!complete) return;
      frame.current?.replaceChildren(canvas);
      told.current?.();
    });
    return () => abort.abort();
  }, [page, scale]);
  return <div ref={frame} className={`${classes.canvas ?? ''} ${className ?? ''}`} aria-hidden />;
}
