import { Loader } from '@mantine/core';
import { Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { lazyPart } from '../../components/lazy-part.tsx';
import { Notice } from '../../components/notice.tsx';
import { useErrorText } from '../../i18n/error-text.ts';
import type { ApprovalDocument } from './approval-document.ts';
import classes from './documents.module.css';
import { AttributesView } from './attributes-view.tsx';
import { HashView } from './hash-view.tsx';
import type { Inspected } from './inspection-queue.ts';

const PdfView = lazyPart(async () => (await import('./pdf-view.tsx')).PdfView);
const TextView = lazyPart(async () => (await import('./text-view.tsx')).TextView);
const ImageView = lazyPart(async () => (await import('./image-view.tsx')).ImageView);

interface DocumentViewProps {
  readonly document: ApprovalDocument;
  /** Undefined before the inspection has ended. */
  readonly inspected: Inspected | undefined;
  /** Told whether the view is complete: drawn, or a message that it cannot be. */
  readonly onSettled: (isSettled: boolean) => void;
}

/** The document itself, or a message that it cannot be shown. */
export function DocumentView({ document, inspected, onSettled }: DocumentViewProps) {
  const { t } = useTranslation();
  return (
    <section className={classes.view} aria-label={t('approval.view')}>
      <Suspense fallback={<Loader role="img" aria-label={t('common.loading')} />}>
        <Content document={document} inspected={inspected} onSettled={onSettled} />
      </Suspense>
    </section>
  );
}

function Content({ document, inspected, onSettled }: DocumentViewProps) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  if (document.hash !== undefined) return <HashView key={document.key} hash={document.hash} />;
  if (inspected === undefined) return <Loader role="img" aria-label={t('common.loading')} />;
  if (!inspected.ok) {
    if (inspected.error.code === 'NOT_FOUND') return <Notice kind="information">{t('approval.notKept')}</Notice>;
    return (
      <Notice kind="error" title={t('approval.notRead')}>
        {errorText(inspected.error)}
      </Notice>
    );
  }
  const inspection = inspected.value;
  if (inspection.signedAttributes !== undefined) return <AttributesView attributes={inspection.signedAttributes} />;
  const place = { ...inspection, tcn: document.tcn, documentId: document.id };
  switch (inspection.kind) {
    case 'pdf':
      return <PdfView key={document.key} place={place} inspection={inspection} onSettled={onSettled} />;
    case 'text':
      return <TextView key={document.key} place={place} encoding={inspection.encoding ?? 'utf-8'} />;
    case 'image':
      return <ImageView key={document.key} place={place} mediaType={inspection.mediaType ?? ''} />;
    case 'other':
      return <Notice kind="information">{t('approval.cannotShow')}</Notice>;
  }
}
