import { Loader, Text } from '@mantine/core';
import { useEffect, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Dialog } from '../../components/dialogs/dialog.tsx';
import { Notice } from '../../components/notice.tsx';
import type { DrawnPage, Medium } from '../../components/pdf/open-pdf.ts';
import { PagePicker } from '../../components/pdf/page-picker.tsx';
import { usePage, usePdf } from '../../components/pdf/use-pdf.ts';
import { markDifferences, type Pixels } from './compare-pages.ts';
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

/** The pages as a screen shows them, and as they are printed where print differs from the screen. */
function Comparison({ before, now }: ComparisonProps) {
  const { t } = useTranslation();
  const [pairs, setPairs] = useState<{ readonly screen: Pair; readonly print: Pair | null } | null>(null);
  useEffect(() => {
    const abort = new AbortController();
    const compare = async (): Promise<void> => {
      const screen = await drawPair(before, now, 'screen', abort.signal);
      const print = await drawPair(before, now, 'print', abort.signal);
      const isSame = markDifferences(screen.now, print.now).count + markDifferences(screen.before, print.before).count === 0; // prettier-ignore
      if (!abort.signal.aborted) setPairs({ screen, print: isSame ? null : print });
    };
    // A page that cannot be drawn stays empty.
    void compare().catch(() => undefined);
    return () => abort.abort();
  }, [before, now]);
  if (pairs === null) {
    return (
      <Text role="status" my="sm">
        {t('common.loading')}
      </Text>
    );
  }
  const { screen, print } = pairs;
  return (
    <>
      <ComparedPair
        pair={screen}
        verdict={screen.marked.count === 0 ? t('validate.samePage') : t('validate.differentPage')}
      />
      {print === null ? null : (
        <section aria-label={t('validate.printed')}>
          <ComparedPair
            pair={print}
            verdict={print.marked.count === 0 ? t('validate.samePrint') : t('validate.differentPrint')}
          />
        </section>
      )}
    </>
  );
}

/** Drawings of a page as signed and now, with the differences. */
interface Pair {
  readonly before: ImageData;
  readonly now: ImageData;
  readonly marked: ReturnType<typeof markDifferences>;
}

async function drawPair(before: DrawnPage | null, now: DrawnPage, medium: Medium, signal: AbortSignal): Promise<Pair> {
  const one = await drawn(before, medium, signal);
  const other = await drawn(now, medium, signal);
  return { before: one, now: other, marked: markDifferences(one, other) };
}

function ComparedPair({ pair, verdict }: { readonly pair: Pair; readonly verdict: string }) {
  const { t } = useTranslation();
  return (
    <>
      <Text role="status" my="sm">
        {verdict}
      </Text>
      <div className={classes.compared}>
        <figure>
          <figcaption>{t('validate.asSigned')}</figcaption>
          <Pictures of={[pair.before]} />
        </figure>
        <figure>
          <figcaption>{t('validate.asNow')}</figcaption>
          <Pictures of={[pair.now, pair.marked.marks]} />
        </figure>
      </div>
    </>
  );
}

/** Pictures on top of each other. */
function Pictures({ of }: { readonly of: readonly Pixels[] }) {
  return (
    <div className={classes.comparedPage} aria-hidden>
      {of.map((pixels, index) => (
        <canvas
          key={index}
          width={pixels.width}
          height={pixels.height}
          ref={(canvas) => {
            const image = new ImageData(new Uint8ClampedArray(pixels.data), pixels.width, pixels.height);
            canvas?.getContext('2d')?.putImageData(image, 0, 0);
          }}
        />
      ))}
    </div>
  );
}

/** A drawing of the page; empty if the page did not exist. */
async function drawn(page: DrawnPage | null, medium: Medium, signal: AbortSignal): Promise<ImageData> {
  const canvas = document.createElement('canvas');
  if (page === null) [canvas.width, canvas.height] = [1, 1];
  else await page.draw(canvas, sharpness, signal, 'white', medium);
  return pixelsOf(canvas);
}

function pixelsOf(canvas: HTMLCanvasElement): ImageData {
  const context = canvas.getContext('2d', { willReadFrequently: true });
  if (context === null) throw new Error('The browser gives no drawing context.');
  return context.getImageData(0, 0, canvas.width, canvas.height);
}
