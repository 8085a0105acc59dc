import { Button, Group, Text } from '@mantine/core';
import { TakeOutAction } from '../../components/actions.tsx';
import { useTranslation } from 'react-i18next';
import { FileIcon } from '../../components/file-icon.tsx';
import { Section } from '../../components/page.tsx';
import { Mark } from '../../components/status.tsx';
import { useSigningDesk } from './use-signing-desk.ts';
import { formatSize } from '../../format/format.ts';
import type { DeskItem } from './desk-state.ts';
import { RowsInSight } from '../../components/list/rows-in-sight.tsx';
import classes from './sign.module.css';
import { ShownName } from '../../components/text/shown-name.tsx';

/** The files to be signed. */
export function FilesCard({ items }: { readonly items: readonly DeskItem[] }) {
  const { t, i18n } = useTranslation();
  const desk = useSigningDesk();
  const total = items.reduce((sum, item) => sum + item.file.size, 0);
  return (
    <Section
      title={`${t('sign.files', { count: items.length })} · ${formatSize(total, i18n.language)}`}
      flush
      side={
        <Button variant="subtle" color="gray" size="compact-sm" onClick={() => desk.clear()}>
          {t('sign.clear')}
        </Button>
      }
    >
      <RowsInSight items={items} label={t('sign.files', { count: items.length })} keyOf={(item) => item.id}>
        {(item) => <FileRow item={item} onRemove={() => desk.remove(item.id)} />}
      </RowsInSight>
    </Section>
  );
}

function FileRow({ item, onRemove }: { readonly item: DeskItem; readonly onRemove: () => void }) {
  const { t, i18n } = useTranslation();
  const { file } = item;
  return (
    <div className={classes.row}>
      <FileIcon isPdf={item.isPdf} />
      <div className={classes.rowText}>
        <Text className={classes.cut} title={file.name}>
          <ShownName name={file.name} />
        </Text>
        <Group gap={8} wrap="nowrap">
          <Text size="sm" c="dimmed">
            {formatSize(file.size, i18n.language)}
          </Text>
          {file.size === 0 ? (
            <Mark tone="bad" icon="bad">
              {t('sign.empty')}
            </Mark>
          ) : null}
        </Group>
      </div>
      <TakeOutAction name={file.name} onClick={onRemove} />
    </div>
  );
}
