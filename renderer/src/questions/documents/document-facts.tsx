import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { OriginalInspection } from '../../../../src/ui-contract/ui-contract.ts';
import { CopyButton } from '../../components/copy-button.tsx';
import { ShownName } from '../../components/text/shown-name.tsx';
import { nameOfDigest } from '../../format/digest.ts';
import { formatSize, groupHex } from '../../format/format.ts';
import type { ApprovalDocument } from './approval-document.ts';
import classes from './documents.module.css';

interface DocumentFactsProps {
  readonly document: ApprovalDocument;
  /** Null before the inspection has ended, and for a document that cannot be read. */
  readonly inspection: OriginalInspection | null;
  /** True when a heading above names the document. */
  readonly isNamed: boolean;
}

/** The facts of a document: its real name and path, the place of the result, and its bytes. */
export function DocumentFacts({ document, inspection, isNamed }: DocumentFactsProps) {
  const { t, i18n } = useTranslation();
  const { name, claimedName, sourcePath, destination, size, checksum, hash } = document;
  const isNameClaimed = sourcePath === null && claimedName !== null;
  const kind = useContentText(inspection);
  const length = size === null ? t('approval.sizeUnknown') : formatSize(size, i18n.language);
  return (
    <dl className={classes.facts}>
      {isNamed && !isNameClaimed ? null : (
        <Fact name={isNameClaimed ? t('approval.claimedName') : t('approval.fileName')}>
          <strong>
            <ShownName name={name} />
          </strong>
          {isNameClaimed ? (
            <span className={classes.detail}>
              {t(hash === undefined ? 'approval.claimedNameHelp' : 'approval.hash.claimedNameHelp')}
            </span>
          ) : null}
        </Fact>
      )}
      {sourcePath === null ? null : (
        <Fact name={t('approval.path')}>
          <ShownName name={sourcePath} />
        </Fact>
      )}
      {sourcePath === null || claimedName === null ? null : (
        <Fact name={t('approval.claimedName')}>
          <ShownName name={claimedName} />
          <span className={classes.detail}>{t('approval.claimedNameOther')}</span>
        </Fact>
      )}
      <Fact name={t('approval.destination')}>
        {destination === null ? t('approval.destinationHere') : <ShownName name={destination} />}
      </Fact>
      <Fact name={t('approval.content')}>
        {hash !== undefined ? t('approval.hash.content') : kind === null ? length : `${kind} · ${length}`}
      </Fact>
      {hash === undefined ? null : (
        <Fact name={t('approval.hash.name', { algorithm: nameOfDigest(hash.digest) })}>
          <span className={classes.checksumLine}>
            <span className={classes.checksum}>{groupHex(hash.value)}</span>
            <CopyButton text={hash.value} name={t('approval.hash.full', { name })} />
          </span>
        </Fact>
      )}
      {checksum === null || hash !== undefined ? null : (
        <Fact name={t('approval.checksum')}>
          <span className={classes.checksumLine}>
            <span className={classes.checksum}>{groupHex(checksum)}</span>
            <CopyButton text={checksum} name={t('approval.fullChecksum', { name })} />
          </span>
        </Fact>
      )}
    </dl>
  );
}

/** The kind of a document by its bytes, in words. */
function useContentText(inspection: OriginalInspection | null): string | null {
  const { t } = useTranslation();
  switch (inspection?.kind) {
    case undefined:
      return null;
    case 'text':
      return t('approval.kind.text');
    case 'image':
      return t('approval.kind.image', { type: imageTypes[inspection.mediaType ?? ''] ?? '' });
    case 'other':
      return inspection.mediaType ?? t('approval.kind.other');
    case 'pdf': {
      if (inspection.pdf?.state !== 'examined') return 'PDF';
      const { pageCount, signedFields, standards } = inspection.pdf;
      const pages = t('approval.kind.pages', { count: pageCount });
      const signatures = t('approval.kind.signatures', { count: signedFields.length });
      const claims = standards.map((standard) => t('approval.kind.claims', { standard }));
      return ['PDF', ...claims, pages, ...(signedFields.length === 0 ? [] : [signatures])].join(', ');
    }
  }
}

const imageTypes: Readonly<Record<string, string>> = {
  'image/png': 'PNG',
  'image/jpeg': 'JPEG',
  'image/gif': 'GIF',
  'image/webp': 'WebP',
};

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
