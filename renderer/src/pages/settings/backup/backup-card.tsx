import { Button, Group, Stack, Text } from '@mantine/core';
import { ArchiveRestore, FileLock2 } from '../../../components/icons/index.ts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { BackupView } from '../../../../../src/ui-contract/settings-calls.ts';
import { Notice } from '../../../components/notice.tsx';
import { Section } from '../../../components/page.tsx';
import { useCore, useQuery } from '../../../data/core-context.ts';
import { useFinish } from '../../../components/use-finish.ts';
import { formatInstant } from '../../../format/format.ts';
import { BackupDialog } from './backup-dialog.tsx';
import { RestoreDialog } from './restore-dialog.tsx';

/** Makes a backup of everything, and restores a backup at the next start. */
export function BackupCard() {
  const { t } = useTranslation();
  const { value } = useQuery('backup.read', {});
  const [open, setOpen] = useState<'backup' | 'restore' | null>(null);
  const close = (): void => setOpen(null);
  return (
    <Section title={t('operation.backup.title')}>
      <Stack gap="md">
        <Text size="sm" c="dimmed">
          {t('operation.backup.text')}
        </Text>
        {value?.pending == null ? null : <Pending pending={value.pending} />}
        <Group gap="sm">
          <Button leftSection={<FileLock2 size={18} aria-hidden />} onClick={() => setOpen('backup')}>
            {t('operation.backup.make')}
          </Button>
          <Button
            variant="default"
            leftSection={<ArchiveRestore size={18} aria-hidden />}
            onClick={() => setOpen('restore')}
          >
            {t('operation.backup.restore')}
          </Button>
        </Group>
      </Stack>
      {open === 'backup' ? <BackupDialog folder={value?.folder ?? ''} onClose={close} /> : null}
      {open === 'restore' ? <RestoreDialog folder={value?.folder ?? ''} onClose={close} /> : null}
    </Section>
  );
}

function Pending({ pending }: { readonly pending: NonNullable<BackupView['pending']> }) {
  const { t, i18n } = useTranslation();
  const { bridge } = useCore();
  const finish = useFinish('backup.read');
  const cancel = async (): Promise<void> =>
    finish(await bridge.call('backup.cancelRestore', {}), t('operation.backup.cancelled'));
  return (
    <Notice kind="warning" title={t('operation.backup.pendingTitle')}>
      <Text size="sm">
        {t('operation.backup.pending', { time: formatInstant(pending.createdAt, i18n.language) })}{' '}
        {pending.auditIntact ? null : t('operation.backup.pendingBroken')}
      </Text>
      <Button size="xs" variant="default" mt="xs" onClick={() => void cancel()}>
        {t('operation.backup.cancel')}
      </Button>
    </Notice>
  );
}
