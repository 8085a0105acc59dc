import { Text } from '@mantine/core';
import { useCallback, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ShownName } from '../../components/text/shown-name.tsx';
import { formatSize } from '../../format/format.ts';
import type { ApprovalDocument } from './approval-document.ts';
import { DocumentFacts } from './document-facts.tsx';
import { DocumentList } from './document-list.tsx';
import { DocumentView } from './document-view.tsx';
import classes from './documents.module.css';
import { countUninspected, type Inspections } from './inspection-queue.ts';

interface DocumentDeskProps {
  readonly documents: readonly ApprovalDocument[];
  readonly inspections: Inspections;
  /** Key of the shown document. */
  readonly shown: string | null;
  readonly onShow: (key: string) => void;
  /** Told whether the view of the shown document is complete. */
  readonly onSettled: (key: string, isSettled: boolean) => void;
  /** Notices about the documents, below the heading. */
  readonly children: ReactNode;
}

/**
 * The exact documents to sign: their number or name, notices about them, the list, and the chosen document with its
 * facts. The heading names a single document, because a narrow window shows its facts further below.
 */
export function DocumentDesk({ documents, inspections, shown, onShow, onSettled, children }: DocumentDeskProps) {
  const { t, i18n } = useTranslation();
  const document = documents.find(({ key }) => key === shown) ?? documents[0];
  const sizes = documents.map(({ size }) => size).filter((size) => size !== null);
  const total = sizes.reduce((sum, size) => sum + size, 0);
  const label = useLabel(documents);
  const isBatch = documents.length > 1;
  const left = countUninspected(documents, inspections);
  const key = document?.key ?? '';
  const settle = useCallback((isSettled: boolean) => onSettled(key, isSettled), [onSettled, key]);
  if (document === undefined) return null;
  const inspected = inspections.get(document.key);
  return (
    <div className={classes.documents}>
      <Text fw={600} size="sm" className={classes.heading}>
        {label}
        {isBatch ? null : (
          <>
            {': '}
            <strong>
              <ShownName name={document.name} />
            </strong>
          </>
        )}
        {isBatch && sizes.length === documents.length ? (
          <Text component="span" size="sm" c="dimmed" fw={400}>
            {' · '}
            {t('approval.total', { size: formatSize(total, i18n.language) })}
          </Text>
        ) : null}
        {isBatch && left > 0 ? (
          <Text component="span" size="sm" c="dimmed" fw={400}>
            {' · '}
            {t('approval.checking', { done: documents.length - left, count: documents.length })}
          </Text>
        ) : null}
      </Text>
      {children}
      <div className={classes.desk} data-batch={isBatch}>
        {isBatch ? (
          <DocumentList
            documents={documents}
            inspections={inspections}
            shown={document.key}
            onShow={onShow}
            label={label}
          />
        ) : null}
        <div className={classes.document}>
          <DocumentFacts
            document={document}
            inspection={inspected?.ok === true ? inspected.value : null}
            isNamed={!isBatch}
          />
          <DocumentView document={document} inspected={inspected} onSettled={settle} />
        </div>
      </div>
    </div>
  );
}

const LABELS = {
  documents: 'approval.documents',
  hashes: 'approval.hash.documents',
  data: 'approval.data.documents',
} as const;

/** The number of documents, or of hashes or bytes in their place. */
function useLabel(documents: readonly ApprovalDocument[]): string {
  const { t } = useTranslation();
  const subjects = new Set(documents.map(({ subject }) => subject));
  const subject = (['hashes', 'data'] as const).find((one) => subjects.has(one)) ?? 'documents';
  return t(LABELS[subject], { count: documents.length });
}
