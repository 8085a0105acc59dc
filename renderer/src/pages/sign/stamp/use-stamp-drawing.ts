import { useEffect, useState } from 'react';
import type { CallError, CallInput } from '../../../../../src/ui-contract/ui-contract.ts';
import { useCore } from '../../../data/core-context.ts';
import { bytesOf } from '../../../format/bytes-of.ts';
import { openPdf, type DrawnPage, type OpenPdf } from '../../../components/pdf/open-pdf.ts';

/** The drawing of the stamp as of now; after a failure the last good drawing is kept with the error. */
export interface StampDrawing {
  readonly page: DrawnPage | null;
  readonly error: CallError | null;
}

/** Milliseconds without typing or dragging before the core is asked. */
const settling = 150;

/** Has the core draw the stamp in the same way as for the signature; nothing is drawn for null. */
export function useStampDrawing(input: CallInput<'stamps.preview'> | null): StampDrawing {
  const { bridge } = useCore();
  const [drawing, setDrawing] = useState<StampDrawing>({ page: null, error: null });
  const key = input === null ? null : JSON.stringify(input);
  useEffect(() => {
    if (key === null) return;
    let opened: OpenPdf | null = null;
    let gone = false;
    const isGone = (): boolean => gone;
    const draw = async (): Promise<void> => {
      const result = await bridge.call('stamps.preview', JSON.parse(key) as CallInput<'stamps.preview'>);
      if (isGone()) return;
      if (!result.ok) {
        setDrawing((before) => ({ ...before, error: result.error }));
        return;
      }
      const pdf = await openPdf(new Blob([bytesOf(result.value.pdf)]), '');
      if (typeof pdf === 'string') return;
      opened = pdf;
      const page = await pdf.page(1);
      if (isGone()) pdf.close();
      else setDrawing({ page, error: null });
    };
    // The page reports a failure to load pdfjs.
    const timer = setTimeout(() => void draw().catch(() => undefined), settling);
    return () => {
      clearTimeout(timer);
      gone = true;
      opened?.close();
    };
  }, [bridge, key]);
  return drawing;
}
