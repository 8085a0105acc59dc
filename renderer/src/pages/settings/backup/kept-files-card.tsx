import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { BackupView } from '../../../../../src/ui-contract/settings-calls.ts';
import { CopyButton } from '../../../components/copy-button.tsx';
import { Intro } from '../../../components/intro.tsx';
import { Notice } from '../../../components/notice.tsx';
import { Rows, Section } from '../../../components/page.tsx';
import { useQuery } from '../../../data/core-context.ts';
import { formatInstant, formatSize } from '../../../format/format.ts';
import classes from '../settings.module.css';

/** Automatic copies of the database, and files set aside. Shows nothing if there are none. */
export function KeptFilesCard() {
  const { t } = useTranslation();
  const { value } = useQuery('backup.read', {});
  if (value === null) return null;
  const { copies, aside } = value;
  const isDamaged = aside.some(({ kind }) => kind === 'damaged');
  return (
    <>
      {aside.length === 0 ? null : (
        <Section title={t('operation.backup.aside')} flush>
          <div className={classes.intro}>
            <Notice kind={isDamaged ? 'warning' : 'information'}>{t('operation.backup.asideText')}</Notice>
          </div>
          <Rows label={t('operation.backup.aside')}>
            {aside.map((file) => (
              <FileRow key={file.path} file={file} name={t(`operation.backup.kinds.${file.kind}`)} />
            ))}
          </Rows>
        </Section>
      )}
      {copies.length === 0 ? null : (
        <Section title={t('operation.backup.copies')} flush>
          <Intro>{t('operation.backup.copiesText')}</Intro>
          <Rows label={t('operation.backup.copies')}>
            {copies.map((file) => (
              <FileRow key={file.path} file={file} command={`sinete restore "${file.path}" --replace`} />
            ))}
          </Rows>
        </Section>
      )}
    </>
  );
}

interface FileRowProps {
  readonly file: BackupView['copies'][number];
  readonly name?: string;
  /** The command that restores the file. */
  readonly command?: string;
}

function FileRow({ file: { path, time, size }, name, command }: FileRowProps) {
  const { t, i18n } = useTranslation();
  const when = formatInstant(time, i18n.language);
  return (
    <li className={classes.row}>
      <div className={classes.rowText}>
        <Text fw={600} size="sm">
          {[name, when, formatSize(size, i18n.language)].filter((part) => part !== undefined).join(' · ')}
        </Text>
        <Text size="sm" c="dimmed">
          {path}
        </Text>
        {command === undefined ? null : (
          <Text size="sm" component="div" mt={4}>
            {t('operation.backup.putBack')} <code className={classes.hex}>{command}</code>{' '}
            <CopyButton text={command} name={t('operation.backup.command')} />
          </Text>
        )}
      </div>
    </li>
  );
}
