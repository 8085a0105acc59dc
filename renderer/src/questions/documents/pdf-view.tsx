import { Loader } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { useEffect, useMemo, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { OriginalInspection } from '../../../../src/ui-contract/ui-contract.ts';
import { Notice } from '../../components/notice.tsx';
import type { PageReport } from '../../components/pdf/check-page.ts';
import { UNREADABLE } from '../../components/pdf/drawn-words.ts';
import type { DrawnPage, FieldBox } from '../../components/pdf/open-pdf.ts';
import { PageCanvas } from '../../components/pdf/page-canvas.tsx';
import { PagePicker } from '../../components/pdf/page-picker.tsx';
import { PasswordForm } from '../../components/pdf/password-form.tsx';
import { usePageReport } from '../../components/pdf/use-page-report.ts';
import { usePage, usePdf } from '../../components/pdf/use-pdf.ts';
import { useCore } from '../../data/core-context.ts';
import classes from './documents.module.css';
import { originalBytes, type OriginalPlace } from './original-bytes.ts';
import { DifferenceMarks, PageNotice, SecondDrawing } from './second-drawing.tsx';
import { ZoomButtons } from './zoom-buttons.tsx';

interface PdfViewProps {
  readonly place: OriginalPlace;
  readonly inspection: OriginalInspection;
  /** Told whether the page on view is drawn, or is said not to be. */
  readonly onSettled: (isSettled: boolean) => void;
}

/** Every page of a PDF, one at a time; existing signatures are marked. A second program draws each page too. */
export function PdfView({ place, inspection, onSettled }: PdfViewProps) {
  const { t } = useTranslation();
  const { bridge } = useCore();
  const { tcn, documentId, size, partSize } = place;
  const source = useMemo(
    () => originalBytes(bridge, { tcn, documentId, size, partSize }),
    [bridge, tcn, documentId, size, partSize],
  );
  const [password, setPassword] = useState(inspection.password ?? '');
  const [number, setNumber] = useState(1);
  const [zoom, setZoom] = useState(1);
  const state = usePdf(source, password);
  const pdf = state.kind === 'open' ? state.pdf : null;
  const page = usePage(pdf, number);
  const report = usePageReport(source, password, page, number);
  const isSettled = (state.kind !== 'loading' && state.kind !== 'open') || page === 'damaged' || report !== null;
  useEffect(() => onSettled(isSettled), [onSettled, isSettled]);
  const signed = inspection.pdf?.state === 'examined' ? inspection.pdf.signedFields : [];
  switch (state.kind) {
    case 'password':
    case 'wrong-password':
      return <PasswordForm wrong={state.kind === 'wrong-password'} onPassword={setPassword} />;
    case 'damaged':
      return <Notice kind="warning">{t('approval.pdfDamaged')}</Notice>;
    case 'unavailable':
      return <Notice kind="warning">{t('stamp.unavailable')}</Notice>;
    case 'loading':
    case 'open':
      return (
        <>
          <div className={classes.tools}>
            <PagePicker number={number} pages={pdf?.pages ?? 0} onChange={setNumber} label={t('approval.pages')} />
            <ZoomButtons zoom={zoom} onZoom={setZoom} />
          </div>
          {page === 'damaged' ? (
            <Notice kind="warning">{t('approval.pageDamaged')}</Notice>
          ) : (
            <PageDrawings page={page} report={report} zoom={zoom} signed={signed} number={number} />
          )}
        </>
      );
  }
}

interface PageDrawingsProps {
  /** Null while the page is read. */
  readonly page: DrawnPage | null;
  readonly report: PageReport | null;
  readonly zoom: number;
  /** Names of the fields with a signature. */
  readonly signed: readonly string[];
  readonly number: number;
}

/** The page as the first program draws it, and where the second one draws it differently, both. */
function PageDrawings({ page, report, zoom, signed, number }: PageDrawingsProps) {
  const { t } = useTranslation();
  const isShown = report?.drawing !== 'failed' && report?.drawing !== 'too-slow';
  const difference = report?.opinion?.kind === 'differs' ? report.opinion : null;
  return (
    <>
      <PageNotice report={report} />
      <div className={classes.drawings} data-pair={difference !== null}>
        {difference === null ? null : <span className={classes.detail}>{t('approval.firstDrawing')}</span>}
        {isShown ? (
          <PageSheet
            page={page}
            zoom={zoom}
            signed={signed}
            label={t('approval.page', { number })}
            isDrawn={report !== null}
            marks={difference === null ? null : <DifferenceMarks opinion={difference} />}
          />
        ) : null}
        {page === null || difference === null ? null : <SecondDrawing page={page} opinion={difference} zoom={zoom} />}
      </div>
    </>
  );
}

interface PageSheetProps {
  /** Null while the page is read. */
  readonly page: DrawnPage | null;
  readonly zoom: number;
  /** Names of the fields with a signature. */
  readonly signed: readonly string[];
  readonly label: string;
  /** The drawing has ended, so that its words can be read. */
  readonly isDrawn: boolean;
  /** Marks above the drawing. */
  readonly marks: ReactNode;
}

function PageSheet({ page, zoom, signed, label, isDrawn, marks }: PageSheetProps) {
  const { t } = useTranslation();
  const { ref, width } = useElementSize();
  const fields = useRead(page, readFields) ?? [];
  const text = useRead(isDrawn ? page : null, readWords) ?? '';
  const scale = page === null ? 1 : (Math.max(80, width) / page.size.width) * zoom;
  return (
    <div className={classes.paper} tabIndex={0} role="group" aria-label={label}>
      <div ref={ref} />
      {page === null ? (
        <Loader role="img" aria-label={t('common.loading')} />
      ) : (
        <div className={classes.sheet} style={{ width: page.size.width * scale, height: page.size.height * scale }}>
          <PageCanvas page={page} scale={scale} className={classes.fill} />
          {marks}
          {text === '' ? null : (
            <p className={classes.spoken}>
              {t('approval.spokenWords')} {text.replaceAll(UNREADABLE, t('approval.unreadableLetters'))}
            </p>
          )}
          {fields
            .filter(({ name }) => signed.includes(name))
            .map(({ name, left, top, width: wide, height }) => (
              <div
                key={name}
                className={classes.signature}
                style={{ left: left * scale, top: top * scale, width: wide * scale, height: height * scale }}
              >
                <span>{t('approval.existingSignature')}</span>
              </div>
            ))}
        </div>
      )}
    </div>
  );
}

const readFields = (page: DrawnPage): Promise<readonly FieldBox[]> => page.signatureFields();
const readWords = (page: DrawnPage): Promise<string> => page.text();

/** Reads a part of a page: null before the end, without a page, and for an unreadable part. */
function useRead<Value>(of: DrawnPage | null, read: (page: DrawnPage) => Promise<Value>): Value | null {
  const [held, setHeld] = useState<{ readonly of: DrawnPage | null; readonly value: Value | null }>({
    of: null,
    value: null,
  });
  useEffect(() => {
    if (of === null) return;
    let gone = false;
    read(of).then(
      (value) => {
        if (!gone) setHeld({ of, value });
      },
      // A page with unreadable annotations or words is drawn without them.
      () => undefined,
    );
    return () => {
      gone = true;
    };
  }, [of, read]);
  return held.of === of ? held.value : null;
}
