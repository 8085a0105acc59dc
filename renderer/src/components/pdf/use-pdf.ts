import { useEffect, useState } from 'react';
import { openPdf, type DrawnPage, type OpenFailure, type OpenPdf } from './open-pdf.ts';
import type { ByteSource } from './pdf-program.ts';

/** The state of a PDF for display. `unavailable`: pdfjs could not be loaded. */
export type PdfState =
  | { readonly kind: 'loading' | 'unavailable' }
  | { readonly kind: OpenFailure }
  | { readonly kind: 'open'; readonly pdf: OpenPdf };

const loading: PdfState = { kind: 'loading' };

/** Opens a file while it is displayed. Null without a file. */
export function usePdf(file: Blob | ByteSource | null, password: string): PdfState {
  const [held, setHeld] = useState<{ readonly of: Blob | ByteSource | null; readonly state: PdfState }>({
    of: null,
    state: loading,
  });
  useEffect(() => {
    if (file === null) return;
    let opened: OpenPdf | null = null;
    let gone = false;
    const show = (state: PdfState): void => {
      if (!gone) setHeld({ of: file, state });
    };
    openPdf(file, password).then(
      (result) => {
        if (typeof result === 'string') {
          show({ kind: result });
          return;
        }
        opened = result;
        if (gone) result.close();
        show({ kind: 'open', pdf: result });
      },
      () => show({ kind: 'unavailable' }),
    );
    return () => {
      gone = true;
      opened?.close();
    };
  }, [file, password]);
  return held.of === file ? held.state : loading;
}

/** A page of the PDF; null while it is read, `damaged` for an unreadable page. */
export function usePage(pdf: OpenPdf | null, number: number): DrawnPage | 'damaged' | null {
  const [held, setHeld] = useState<{
    readonly of: OpenPdf | null;
    readonly number: number;
    readonly page: DrawnPage | 'damaged' | null;
  }>({ of: null, number, page: null });
  useEffect(() => {
    if (pdf === null) return;
    let gone = false;
    const show = (page: DrawnPage | 'damaged'): void => {
      if (!gone) setHeld({ of: pdf, number, page });
    };
    pdf.page(number).then(show, () => show('damaged'));
    return () => {
      gone = true;
    };
  }, [pdf, number]);
  return held.of === pdf && held.number === number ? held.page : null;
}
