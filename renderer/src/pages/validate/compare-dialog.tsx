import { Loader, Text } from '@mantine/core';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Dialog } from '../../components/dialogs/dialog.tsx';
import { Notice } from '../../components/notice.tsx';
import type { DrawnPage } from '../../components/pdf/open-pdf.ts';
import { PagePicker } from '../../components/pdf/page-picker.tsx';
import { usePage, usePdf } from '../../components/pdf/use-pdf.ts';
import { markDifferences } from './compare-pages.ts';
import classes from './validate.module.css';

interface CompareDialogProps {
  readonly file: Blob;
  /** Bytes of the signed revision, the beginning of the file. */
  readonly signedSize: number;
  readonly name: string;
  readonly onClose: () => void;
}

/** Pixels per point of a drawing: sharp enough for small print. */
const sharpness = 2;

/** Shows a page as it was signed next to the same page now, with the differences marked. */
export function CompareDialog({ file, signedSize, name, onClose }: CompareDialogProps) {
  const { t } = useTranslation();
  const signed = useMemo(() => file.slice(0, signedSize, 'application/pdf'), [file, signedSize]);
  const [number, setNumber] = useState(1);
  const before = usePdf(signed, '');
  const now = usePdf(file, '');
  const pageBefore = usePage(before.kind === 'open' ? before.pdf : null, number);
  const pageNow = usePage(now.kind === 'open' ? now.pdf : null, number);
  const isLoading = before.kind === 'loading' || now.kind === 'loading';
  const canShow = isLoading || (before.kind === 'open' && now.kind === 'open');
  return (
    <Dialog onClose={onClose} title={t('validate.compareTitle', { name })} size="72rem">
      {canShow ? (
        <>
          <PagePicker
            number={number}
            pages={now.kind === 'open' ? now.pdf.pages : 0}
            onChange={setNumber}
            label={t('approval.pages')}
          />
          {typeof pageNow === 'object' && pageNow !== null && pageBefore !== null ? (
            <Comparison before={pageBefore === 'damaged' ? null : pageBefore} now={pageNow} />
          ) : pageNow === 'damaged' ? (
            <Notice kind="warning">{t('approval.pageDamaged')}</Notice>
          ) : (
            <Loader role="img" aria-label={t('common.loading')} />
          )}
        </>
      ) : (
        <Notice kind="warning">{t('validate.cannotCompare')}</Notice>
      )}
    </Dialog>
  );
}

interface ComparisonProps {
  /** Null if the page did not exist. */
  readonly before: DrawnPage | null;
  readonly now: DrawnPage;
}

function Comparison({ before, now }: ComparisonProps) {
  const { t } = useTranslation();
  const left = useRef<HTMLDivElement>(null);
  const right = useRef<HTMLDivElement>(null);
  const [count, setCount] = useState<number | null>(null);
  useEffect(() => {
    const abort = new AbortController();
    const compare = async (): Promise<void> => {
      const [one, other] = [await drawn(before, abort.signal), await drawn(now, abort.signal)];
      if (abort.signal.aborted) return;
      const marked = markDifferences(pixelsOf(one), pixelsOf(other));
      const overlay = document.createElement('canvas');
      [overlay.width, overlay.height] = [marked.marks.width, marked.marks.height];
      const image = new ImageData(new Uint8ClampedArray(marked.marks.data), overlay.width, overlay.height);
      overlay.getContext('2d')?.putImageData(image, 0, 0);
      left.current?.replaceChildren(one);
      right.current?.replaceChildren(other, overlay);
      setCount(marked.count);
    };
    // A page that cannot be drawn stays empty.
    void compare().catch(() => undefined);
    return () => abort.abort();
  }, [before, now]);
  return (
    <>
      <Text role="status" my="sm">
        {count === null ? t('common.loading') : count === 0 ? t('validate.samePage') : t('validate.differentPage')}
      </Text>
      <div className={classes.compared}>
        <figure>
          <figcaption>{t('validate.asSigned')}</figcaption>
          <div ref={left} className={classes.comparedPage} aria-hidden />
        </figure>
        <figure>
          <figcaption>{t('validate.asNow')}</figcaption>
          <div ref={right} className={classes.comparedPage} aria-hidden />
        </figure>
      </div>
    </>
  );
}

/** A drawing of the page; empty if the page did not exist. */
async function drawn(page: DrawnPage | null, signal: AbortSignal): Promise<HTMLCanvasElement> {
  const canvas = document.createElement('canvas');
  if (page === null) [canvas.width, canvas.height] = [1, 1];
  else await page.draw(canvas, sharpness, signal, 'white');
  return canvas;
}

function pixelsOf(canvas: HTMLCanvasElement): ImageData {
  const context = canvas.getContext('2d', { willReadFrequently: true });
  if (context === null) throw new Error('The browser gives no drawing context.');
  return context.getImageData(0, 0, canvas.width, canvas.height);
}
