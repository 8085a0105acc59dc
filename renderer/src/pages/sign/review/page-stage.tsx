import { Button, Loader, Text } from '@mantine/core';
import { useEffect, useLayoutEffect, useRef, useState, type CSSProperties, type RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import type { DrawnPage, FieldBox } from '../../../components/pdf/open-pdf.ts';
import type { Box, Size } from '../../../components/pdf/page-size.ts';
import { PageCanvas } from '../../../components/pdf/page-canvas.tsx';
import { boxOf, inside, positionOf, type Position } from '../stamp/geometry.ts';
import { useClearBox } from '../stamp/use-clear-box.ts';
import { StampBox } from '../stamp/stamp-box.tsx';
import classes from './review.module.css';
import { signatureIn, type Signatures } from './use-signatures.ts';

/** ISO A4, in points: assumed for the stamp as long as the size of its page is unknown. */
const usualSheet: Size = { width: 595, height: 842 };

/** The initials on a page. */
export interface PlacedInitials {
  readonly place: Position;
  /** Null before the core has drawn them. */
  readonly drawing: DrawnPage | null;
  readonly onMove: (position: Position) => void;
}

interface PageStageProps {
  /** Null during reading, or for a page that cannot be drawn. */
  readonly page: DrawnPage | null;
  readonly isLoading: boolean;
  /** The place of the stamp; null on a page without the stamp. */
  readonly place: Position | null;
  readonly onMove: (position: Position) => void;
  /** The stamp of the signature; null before its drawing. */
  readonly stamp: DrawnPage | null;
  /** The initials on this page; null for none. */
  readonly initials: PlacedInitials | null;
  readonly signatures: Signatures;
  /** The field that the new signature fills. */
  readonly filled: string | null;
  readonly onField: (fieldName: string) => void;
  /** Puts the stamp on this page; null if there is no need. */
  readonly onPutHere: (() => void) | null;
}

/** A page as large as the space allows, with the stamp, the fields and the existing signatures. */
export function PageStage(props: PageStageProps) {
  const { page, isLoading, place, stamp, initials, onPutHere } = props;
  const { t } = useTranslation();
  const frame = useRef<HTMLDivElement>(null);
  const room = useRoom(frame);
  const sheet = page?.size ?? usualSheet;
  const scale = Math.min(room.width / sheet.width, room.height / sheet.height);
  return (
    <div ref={frame} className={classes.stage}>
      <div className={classes.sheet} style={{ width: sheet.width * scale, height: sheet.height * scale }}>
        {page === null ? null : <PageCanvas page={page} scale={scale} className={classes.fill} />}
        {isLoading ? <Loader className={classes.loader} role="img" aria-label={t('common.loading')} /> : null}
        {page === null ? null : <Fields {...props} page={page} scale={scale} />}
        {isLoading || initials === null ? null : (
          <PlacedStamp
            kind="initials"
            place={initials.place}
            sheet={sheet}
            scale={scale}
            page={page}
            onMove={initials.onMove}
          >
            {initials.drawing}
          </PlacedStamp>
        )}
        {isLoading || place === null ? null : (
          <PlacedStamp kind="stamp" place={place} sheet={sheet} scale={scale} page={page} onMove={props.onMove}>
            {stamp}
          </PlacedStamp>
        )}
      </div>
      {onPutHere === null || isLoading ? null : (
        <Button className={classes.putHere} size="xs" onClick={onPutHere}>
          {t('stamp.putHere')}
        </Button>
      )}
    </div>
  );
}

interface PlacedStampProps {
  readonly kind: 'stamp' | 'initials';
  readonly place: Position;
  readonly sheet: Size;
  readonly scale: number;
  /** Null before the page is known: the sheet is then an assumed one. */
  readonly page: DrawnPage | null;
  readonly onMove: (position: Position) => void;
  readonly children: DrawnPage | null;
}

function PlacedStamp({ kind, place, sheet, scale, page, onMove, children: drawn }: PlacedStampProps) {
  const { t } = useTranslation();
  const asked = boxOf(place, sheet);
  const box = useClearBox(page, place.clear === true ? inside(asked, sheet) : null) ?? asked;
  const held = inside(box, sheet);
  const isOutside =
    page !== null &&
    (['left', 'top', 'width', 'height'] as const).some((side) => Math.abs(box[side] - held[side]) > 0.05);
  useLayoutEffect(() => {
    // The shown place must be the requested one: a place from a larger page is moved onto this page.
    if (isOutside) onMove({ ...positionOf(held, sheet), clear: place.clear });
  });
  return (
    <StampBox kind={kind} box={held} page={sheet} scale={scale} onChange={(next) => onMove(positionOf(next, sheet))}>
      {drawn === null ? (
        <Text size="xs" component="span" className={classes.pending}>
          {t('stamp.pending')}
        </Text>
      ) : (
        <PageCanvas page={drawn} scale={(held.width * scale) / drawn.size.width} paper="none" />
      )}
    </StampBox>
  );
}

const styleOf = ({ left, top, width, height }: Box, scale: number): CSSProperties => ({
  left: left * scale,
  top: top * scale,
  width: width * scale,
  height: height * scale,
});

/** The signature fields of the page: an empty one is a button, a signed one shows its verdict. */
function Fields({
  page,
  scale,
  signatures,
  filled,
  onField,
}: Pick<PageStageProps, 'signatures' | 'filled' | 'onField'> & { readonly page: DrawnPage; readonly scale: number }) {
  const { t } = useTranslation();
  return useFields(page).map((field) => {
    const signature = signatureIn(signatures, field.name);
    const style = styleOf(field, scale);
    if (signature !== undefined) {
      return (
        <div key={field.name} className={classes.signed} data-verdict={signature.indication} style={style}>
          <span>{signature.verdict}</span>
        </div>
      );
    }
    // A field may be signed already as long as the core has not answered.
    if (signatures.kind === 'reading' || signatures.kind === 'unknown') return null;
    const isFilled = field.name === filled;
    return (
      <button
        key={field.name}
        type="button"
        className={classes.field}
        style={style}
        aria-pressed={isFilled}
        aria-label={t('stamp.useField', { name: field.name })}
        onClick={() => onField(field.name)}
      >
        <span aria-hidden>{t(isFilled ? 'stamp.fieldChosen' : 'stamp.fieldEmpty')}</span>
      </button>
    );
  });
}

function useFields(page: DrawnPage): readonly FieldBox[] {
  const [held, setHeld] = useState<{ readonly of: DrawnPage | null; readonly fields: readonly FieldBox[] }>({
    of: null,
    fields: [],
  });
  useEffect(() => {
    let gone = false;
    page.signatureFields().then(
      (fields) => {
        if (!gone) setHeld({ of: page, fields });
      },
      // A page with unreadable annotations is drawn without them.
      () => undefined,
    );
    return () => {
      gone = true;
    };
  }, [page]);
  return held.of === page ? held.fields : [];
}

/** The space available for the page, in CSS pixels. */
function useRoom(frame: RefObject<HTMLDivElement | null>): Size {
  const [room, setRoom] = useState<Size>({ width: 320, height: 450 });
  useLayoutEffect(() => {
    const element = frame.current;
    if (element === null) return;
    const measure = (): void => {
      const width = element.clientWidth;
      const height = Math.max(260, Math.min(640, window.innerHeight - 300));
      setRoom((before) => (before.width === width && before.height === height ? before : { width, height }));
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [frame]);
  return room;
}
