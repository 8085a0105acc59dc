import { checkPage, drawForComparison } from '../../../renderer/src/components/pdf/check-page.ts';
import type { FileLook, PageLook } from '../look.ts';
import { openPdf, sourceOf } from '../../../renderer/src/components/pdf/open-pdf.ts';
import { SecondEngine } from '../../../renderer/src/components/pdf/second-engine.ts';

/**
 * Draws the first pages of a file with the window's own modules. Each drawing is sent to `/drawing/<page>`, for
 * comparison with the drawings of other programs.
 */
async function look(address: string, mostPages: number, password: string): Promise<FileLook> {
  const file = await (await fetch(address)).blob();
  const pdf = await openPdf(file, password);
  if (typeof pdf === 'string') return { opening: pdf, pages: 0, looks: [] };
  const engine = new SecondEngine(sourceOf(file), password);
  const looks: PageLook[] = [];
  try {
    for (let number = 1; number <= Math.min(pdf.pages, mostPages); number += 1) looks.push(await lookAt(number));
  } finally {
    pdf.close();
    engine.close();
  }
  return { opening: 'open', pages: pdf.pages, looks };

  async function lookAt(number: number): Promise<PageLook> {
    const signal = new AbortController().signal;
    if (typeof pdf === 'string') throw new Error(pdf);
    const page = await pdf.page(number).catch(() => null);
    if (page === null) return { drawing: 'failed', opinion: null, width: 0, height: 0, fields: [] };
    const report = await checkPage(page, number, engine, signal);
    const { drawing } = await drawForComparison(page, signal);
    if (drawing !== null) {
      await fetch(`/drawing/${number}`, { method: 'POST', body: new Uint8Array(drawing.pixels) });
    }
    const { width = 0, height = 0 } = drawing ?? {};
    const scale = width / page.size.width;
    // The worker of a page without a drawing has ended, and answers nothing more.
    const fields = (drawing === null ? [] : await page.signatureFields()).map((field) => ({
      name: field.name,
      hasAppearance: field.hasAppearance,
      left: field.left * scale,
      top: field.top * scale,
      width: field.width * scale,
      height: field.height * scale,
    }));
    return { drawing: report?.drawing ?? 'failed', opinion: report?.opinion?.kind ?? null, width, height, fields };
  }
}

Object.assign(globalThis, { look });
