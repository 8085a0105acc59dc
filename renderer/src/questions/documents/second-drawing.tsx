import { useElementSize } from '@mantine/hooks';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { TFunction } from 'i18next';
import { Notice } from '../../components/notice.tsx';
import type { PageReport } from '../../components/pdf/check-page.ts';
import type { DrawnPage } from '../../components/pdf/open-pdf.ts';
import type { Opinion } from '../../components/pdf/second-engine.ts';
import classes from './documents.module.css';

/** Says what could not be drawn, or is drawn differently by a second program. Nothing for a page that both draw alike. */
export function PageNotice({ report }: { readonly report: PageReport | null }) {
  const { t } = useTranslation();
  const sentences = report === null ? [] : sentencesOf(report, t);
  if (sentences.length === 0) return null;
  return <Notice kind="warning">{sentences.join(' ')}</Notice>;
}

function sentencesOf({ drawing, opinion }: PageReport, t: TFunction): readonly string[] {
  switch (drawing) {
    case 'failed':
      return [t('approval.pageDamaged')];
    case 'too-slow':
      return [t('approval.pageTooSlow')];
    case 'partial':
    case 'complete': {
      const parts = drawing === 'partial' ? [t('approval.pagePartial')] : [];
      return [...parts, ...opinionOf(opinion, t)];
    }
  }
}

function opinionOf(opinion: Opinion | null, t: TFunction): readonly string[] {
  switch (opinion?.kind) {
    case undefined:
    case 'same':
      return [];
    case 'differs':
      return [t('approval.pageDiffers')];
    case 'failed':
      return [t('approval.pageAlone')];
    case 'too-large':
      return [t('approval.pageTooLarge')];
  }
}

type Difference = Extract<Opinion, { kind: 'differs' }>;

/** Marks on a sheet where the drawings differ. */
export function DifferenceMarks({ opinion: { other, areas } }: { readonly opinion: Difference }) {
  const share = (part: number, whole: number): string => `${(100 * part) / whole}%`;
  return areas.map(({ left, top, width, height }) => (
    <div
      key={`${left} ${top}`}
      className={classes.difference}
      style={{
        left: share(left, other.width),
        top: share(top, other.height),
        width: share(width, other.width),
        height: share(height, other.height),
      }}
    />
  ));
}

interface SecondDrawingProps {
  readonly page: DrawnPage;
  readonly opinion: Difference;
  readonly zoom: number;
}

/** The page as the second program draws it, with marks where the drawings differ. */
export function SecondDrawing({ page, opinion, zoom }: SecondDrawingProps) {
  const { t } = useTranslation();
  const { ref, width } = useElementSize();
  const canvas = useRef<HTMLCanvasElement>(null);
  const { other } = opinion;
  useEffect(() => {
    const pixels = new Uint8ClampedArray(other.pixels);
    canvas.current?.getContext('2d')?.putImageData(new ImageData(pixels, other.width, other.height), 0, 0);
  }, [other]);
  const scale = (Math.max(80, width) / page.size.width) * zoom;
  return (
    <figure className={classes.second}>
      <figcaption>{t('approval.secondDrawing')}</figcaption>
      <div className={classes.paper} tabIndex={0} role="group" aria-label={t('approval.secondDrawing')}>
        <div ref={ref} />
        <div className={classes.sheet} style={{ width: page.size.width * scale, height: page.size.height * scale }}>
          <canvas
            ref={canvas}
            width={other.width}
            height={other.height}
            className={`${classes.fill ?? ''} ${classes.whole ?? ''}`}
            aria-hidden
          />
          <DifferenceMarks opinion={opinion} />
        </div>
      </div>
    </figure>
  );
}
