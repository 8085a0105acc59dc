import { FileText, TriangleAlert } from '../../components/icons/index.ts';
import { useTranslation } from 'react-i18next';
import { RowsInSight } from '../../components/list/rows-in-sight.tsx';
import { ShownName } from '../../components/text/shown-name.tsx';
import { nameOfDigest } from '../../format/digest.ts';
import { formatSize, shortenHex } from '../../format/format.ts';
import { concernsOf, type ApprovalDocument } from './approval-document.ts';
import classes from './documents.module.css';
import type { Inspections } from './inspection-queue.ts';

interface DocumentListProps {
  readonly documents: readonly ApprovalDocument[];
  readonly inspections: Inspections;
  /** Key of the shown document. */
  readonly shown: string | null;
  readonly onShow: (key: string) => void;
  readonly label: string;
}

/**
 * The documents of a batch, by name; a click shows one. Only visible rows are drawn, so long lists are as fast as short
 * ones.
 */
export function DocumentList({ documents, inspections, shown, onShow, label }: DocumentListProps) {
  return (
    <div className={classes.list}>
      <RowsInSight items={documents} label={label} keyOf={({ key }) => key}>
        {(document) => (
          <DocumentRow
            document={document}
            isShown={document.key === shown}
            inspections={inspections}
            onShow={() => onShow(document.key)}
          />
        )}
      </RowsInSight>
    </div>
  );
}

interface DocumentRowProps {
  readonly document: ApprovalDocument;
  readonly isShown: boolean;
  readonly inspections: Inspections;
  readonly onShow: () => void;
}

function DocumentRow({ document, isShown, inspections, onShow }: DocumentRowProps) {
  const { t, i18n } = useTranslation();
  const { name, size, checksum, hash, key } = document;
  const shownHash = hash?.value ?? checksum;
  const inspected = inspections.get(key);
  const isBad = inspected !== undefined && (!inspected.ok || concernsOf(inspected.value).length > 0);
  return (
    <button type="button" className={classes.row} aria-pressed={isShown} onClick={onShow}>
      {isBad ? (
        <TriangleAlert size={18} className={classes.alarm} role="img" aria-label={t('approval.look')} />
      ) : (
        <FileText size={18} aria-hidden />
      )}
      <span className={classes.rowText}>
        <span className={classes.rowName} title={name}>
          <ShownName name={name} />
        </span>
        <span className={classes.detail}>
          {hash !== undefined
            ? nameOfDigest(hash.digest)
            : size === null
              ? t('approval.sizeUnknown')
              : formatSize(size, i18n.language)}
          {shownHash === null ? null : (
            <>
              {' · '}
              <span className={classes.checksum}>{shortenHex(shownHash)}</span>
            </>
          )}
        </span>
      </span>
    </button>
  );
}
