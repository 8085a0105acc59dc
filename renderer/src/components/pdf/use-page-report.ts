import { useEffect, useMemo, useState } from 'react';
import { checkPage, type PageReport } from './check-page.ts';
import type { DrawnPage } from './open-pdf.ts';
import type { ByteSource } from './pdf-program.ts';
import { SecondEngine } from './second-engine.ts';

/** How a page could be drawn, and the second engine's opinion of it. Null until both are known. */
export function usePageReport(
  file: ByteSource,
  password: string,
  page: DrawnPage | 'damaged' | null,
  number: number,
): PageReport | null {
  const engine = useSecondEngine(file, password);
  const [held, setHeld] = useState<{ readonly of: DrawnPage | null; readonly report: PageReport | null }>({
    of: null,
    report: null,
  });
  useEffect(() => {
    if (page === null || page === 'damaged') return;
    const abort = new AbortController();
    const tell = (report: PageReport | null): void => {
      if (report !== null && !abort.signal.aborted) setHeld({ of: page, report });
    };
    checkPage(page, number, engine, abort.signal).then(tell, () => tell({ drawing: 'failed', opinion: null }));
    return () => abort.abort();
  }, [page, number, engine]);
  return held.of === page ? held.report : null;
}

/** The second engine of a file, for as long as the file is on view. */
function useSecondEngine(file: ByteSource, password: string): SecondEngine {
  const engine = useMemo(() => new SecondEngine(file, password), [file, password]);
  useEffect(() => () => engine.close(), [engine]);
  return engine;
}
