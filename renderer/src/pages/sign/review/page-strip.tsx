import { useEffect, useRef, useState, type RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import type { OpenPdf } from '../../../components/pdf/open-pdf.ts';
import { PageCanvas } from '../../../components/pdf/page-canvas.tsx';
import { usePage } from '../../../components/pdf/use-pdf.ts';
import classes from './review.module.css';

/** The most thumbnails; further pages are reached by their number. */
const mostThumbnails = 40;

/** CSS pixels of a thumbnail's width. */
const thumbnailWidth = 56;

interface PageStripProps {
  readonly pdf: OpenPdf;
  readonly number: number;
  readonly onChoose: (number: number) => void;
}

/** Thumbnails of the pages around the shown one; none for a single page. */
export function PageStrip({ pdf, number, onChoose }: PageStripProps) {
  const { t } = useTranslation();
  const first = Math.max(1, Math.min(number - mostThumbnails / 2, pdf.pages - mostThumbnails + 1));
  const count = Math.min(mostThumbnails, pdf.pages);
  if (pdf.pages < 2) return null;
  return (
    <div className={classes.strip} role="group" aria-label={t('stamp.thumbnails')}>
      {Array.from({ length: count }, (_, index) => first + index).map((one) => (
        <Thumbnail key={one} pdf={pdf} number={one} isShown={one === number} onChoose={() => onChoose(one)} />
      ))}
    </div>
  );
}

interface ThumbnailProps {
  readonly pdf: OpenPdf;
  readonly number: number;
  readonly isShown: boolean;
  readonly onChoose: () => void;
}

function Thumbnail({ pdf, number, isShown, onChoose }: ThumbnailProps) {
  const { t } = useTranslation();
  const button = useRef<HTMLButtonElement>(null);
  const isNear = useIsNear(button);
  return (
    <button
      ref={button}
      type="button"
      className={classes.thumbnail}
      aria-label={t('stamp.goToPage', { number })}
      aria-current={isShown ? 'page' : undefined}
      onClick={onChoose}
    >
      <span className={classes.thumbnailSheet}>{isNear ? <ThumbnailPage pdf={pdf} number={number} /> : null}</span>
      <span aria-hidden>{number}</span>
    </button>
  );
}

function ThumbnailPage({ pdf, number }: Pick<ThumbnailProps, 'pdf' | 'number'>) {
  const page = usePage(pdf, number);
  if (page === null || page === 'damaged') return null;
  return <PageCanvas page={page} scale={thumbnailWidth / page.size.width} />;
}

/** True once the element has been near the visible area, so that pages of a long file are drawn only when needed. */
function useIsNear(element: RefObject<HTMLElement | null>): boolean {
  const [isNear, setNear] = useState(false);
  useEffect(() => {
    const { current } = element;
    if (current === null) return;
    const observer = new IntersectionObserver(([entry]) => {
      if (entry?.isIntersecting !== true) return;
      setNear(true);
      observer.disconnect();
    });
    observer.observe(current);
    return () => observer.disconnect();
  }, [element]);
  return isNear;
}
