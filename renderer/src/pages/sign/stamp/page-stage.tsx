import { Loader, Text } from '@mantine/core';
import { useLayoutEffect, useRef, useState, type RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import type { DrawnPage } from '../../../components/pdf/open-pdf.ts';
import type { Size } from '../../../components/pdf/page-size.ts';
import { boxOf, inside, positionOf, type Position } from './geometry.ts';
import { PageCanvas } from '../../../components/pdf/page-canvas.tsx';
import classes from './stamp.module.css';
import { StampBox } from './stamp-box.tsx';

/** ISO A4, in points: the sheet for a stamp before its page is known. */
const usualSheet: Size = { width: 595, height: 842 };

interface PageStageProps {
  /** Null during reading, or for a page that cannot be drawn. */
  readonly page: DrawnPage | null;
  readonly isLoading: boolean;
  readonly position: Position;
  readonly onMove: (position: Position) => void;
  /** The stamp of the signature; null before its drawing. */
  readonly stamp: DrawnPage | null;
}

/** A page in the available room, with the stamp. */
export function PageStage({ page, isLoading, position, onMove, stamp }: PageStageProps) {
  const { t } = useTranslation();
  const frame = useRef<HTMLDivElement>(null);
  const room = useRoom(frame);
  const sheet = page?.size ?? usualSheet;
  const scale = Math.min(room.width / sheet.width, room.height / sheet.height);
  const box = boxOf(position, sheet);
  const held = inside(box, sheet);
  const isOutside =
    page !== null &&
    (['left', 'top', 'width', 'height'] as const).some((side) => Math.abs(box[side] - held[side]) > 0.05);
  useLayoutEffect(() => {
    // The shown place is the requested place: a place from a larger page is moved onto this page.
    if (isOutside) onMove(positionOf(held, sheet));
  });
  return (
    <div ref={frame} className={classes.stage}>
      <div className={classes.sheet} style={{ width: sheet.width * scale, height: sheet.height * scale }}>
        {page === null ? null : <PageCanvas page={page} scale={scale} className={classes.fill} />}
        {isLoading ? <Loader className={classes.loader} role="img" aria-label={t('common.loading')} /> : null}
        {isLoading ? null : (
          <StampBox box={held} page={sheet} scale={scale} onChange={(next) => onMove(positionOf(next, sheet))}>
            {stamp === null ? (
              <Text size="xs" component="span" className={classes.pending}>
                {t('stamp.pending')}
              </Text>
            ) : (
              <PageCanvas page={stamp} scale={(held.width * scale) / stamp.size.width} />
            )}
          </StampBox>
        )}
      </div>
    </div>
  );
}

/** How large the page may be drawn, in CSS pixels. */
function useRoom(frame: RefObject<HTMLDivElement | null>): Size {
  const [room, setRoom] = useState<Size>({ width: 320, height: 450 });
  useLayoutEffect(() => {
    const element = frame.current;
    if (element === null) return;
    const measure = (): void => {
      const width = element.clientWidth;
      const height = Math.max(260, Math.min(640, window.innerHeight - 160));
      setRoom((before) => (before.width === width && before.height === height ? before : { width, height }));
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [frame]);
  return room;
}
