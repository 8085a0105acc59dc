import { useEffect, useState } from 'react';
import { emptyPlace } from '../../../../../src/values/empty-place.ts';
import type { DrawnPage } from '../../../components/pdf/open-pdf.ts';
import type { Box } from '../../../components/pdf/page-size.ts';

/** Pixels for a point, as in the core, and most pixels of a drawing. */
const scale = 2;
const mostPixels = 6_000_000;

/** The nearest empty part of the page, which the core will find too; null as long as it is unknown, and without a wish. */
export function useClearBox(page: DrawnPage | null, wanted: Box | null): Box | null {
  const key = wanted === null ? '' : [wanted.left, wanted.top, wanted.width, wanted.height].join(' ');
  const [found, setFound] = useState<{ readonly page: DrawnPage; readonly key: string; readonly box: Box } | null>(
    null,
  );
  useEffect(() => {
    if (page === null || key === '') return;
    const [left = 0, top = 0, width = 0, height = 0] = key.split(' ').map(Number);
    const abort = new AbortController();
    const find = async (): Promise<void> => {
      const box = await findIn(page, { left, top, width, height }, abort.signal);
      if (box !== null && !abort.signal.aborted) setFound({ page, key, box });
    };
    // A page that cannot be drawn keeps the stamp at its place, as in the core.
    void find().catch(() => undefined);
    return () => abort.abort();
  }, [page, key]);
  return found !== null && found.page === page && found.key === key ? found.box : null;
}

async function findIn(page: DrawnPage, wanted: Box, signal: AbortSignal): Promise<Box | null> {
  const canvas = document.createElement('canvas');
  const { width, height } = page.size;
  const sharp = Math.min(scale, Math.sqrt(mostPixels / (width * height)));
  const [outcome, taken] = await Promise.all([page.draw(canvas, sharp, signal, 'white'), page.signatureFields()]);
  if (outcome !== 'complete' && outcome !== 'partial') return null;
  const pixels = canvas.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height).data;
  if (pixels === undefined) return null;
  return (
    emptyPlace({ width, height, drawing: { width: canvas.width, height: canvas.height, pixels }, taken }, wanted) ??
    null
  );
}
