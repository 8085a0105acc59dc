import { Button, Checkbox, Group, Text } from '@mantine/core';
import { FileText } from 'lucide-react';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { UiDocument } from '../../../src/ui-contract/ui-contract.ts';
import { CopyButton } from '../components/copy-button.tsx';
import { formatSize, groupHex, shortenHex } from '../format/format.ts';
import classes from './approval.module.css';

/** How many are drawn at first, and with each step: a batch may hold thousands. */
const step = 100;

/** The exact documents to sign: each with its size and SHA-256, and their number. */
export function DocumentList({ documents }: { readonly documents: readonly UiDocument[] }) {
  const { t, i18n } = useTranslation();
  const [shown, setShown] = useState(step);
  const [full, setFull] = useState(false);
  const title = useId();
  const sizes = documents.map(({ size }) => size).filter((size) => size !== null);
  const total = sizes.reduce((sum, size) => sum + size, 0);
  const rest = documents.length - shown;
  return (
    <div>
      <div className={classes.listHead}>
        <Text fw={600} size="sm" id={title}>
          {t('approval.documents', { count: documents.length })}
          {documents.length > 1 && sizes.length === documents.length ? (
            <Text component="span" size="sm" c="dimmed" fw={400}>
              {' · '}
              {t('approval.total', { size: formatSize(total, i18n.language) })}
            </Text>
          ) : null}
        </Text>
        {documents.some(({ checksum }) => checksum !== null) ? (
          <Checkbox
            size="xs"
            label={t('approval.showFull')}
            checked={full}
            onChange={(event) => setFull(event.currentTarget.checked)}
          />
        ) : null}
      </div>
      <ul
        className={classes.documents}
        aria-labelledby={title}
        {...(documents.length > 3 || full ? { tabIndex: 0 } : {})}
      >
        {documents.slice(0, shown).map((document) => (
          <DocumentRow key={document.id} document={document} full={full} />
        ))}
      </ul>
      {rest > 0 ? (
        <Group justify="center" mt="xs">
          <Button size="xs" variant="subtle" onClick={() => setShown(shown + step)}>
            {t('approval.more', { count: Math.min(rest, step) })}
          </Button>
        </Group>
      ) : null}
    </div>
  );
}

function DocumentRow({ document, full }: { readonly document: UiDocument; readonly full: boolean }) {
  const { t, i18n } = useTranslation();
  const { name, size, checksum } = document;
  return (
    <li className={classes.document}>
      <FileText size={18} aria-hidden />
      <div className={classes.documentText}>
        <span className={classes.documentName}>{name}</span>
        <span className={classes.detail}>
          {size === null ? t('approval.sizeUnknown') : formatSize(size, i18n.language)}
          {checksum === null ? null : (
            <>
              {' · '}
              {t('approval.checksum')}{' '}
              <span className={classes.checksum} title={groupHex(checksum)}>
                {full ? groupHex(checksum) : shortenHex(checksum)}
              </span>
            </>
          )}
        </span>
      </div>
      {checksum === null ? null : <CopyButton text={checksum} name={t('approval.fullChecksum', { name })} />}
    </li>
  );
}
