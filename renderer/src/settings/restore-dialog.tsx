import { Button, Checkbox, Group, Stack } from '@mantine/core';
import { useState, type SyntheticEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { Dialog } from '../components/dialog.tsx';
import { Notice } from '../components/notice.tsx';
import { SecretInput } from '../components/secret-input.tsx';
import { useToasts } from '../components/toasts.tsx';
import { useCore } from '../data/core-context.ts';
import { useSubmit } from '../data/use-submit.ts';
import { isAbsolutePath, pathBelow } from './absolute-path.ts';
import { BackupPathField } from './backup-path-field.tsx';

interface RestoreDialogProps {
  /** Where backups are likely to be. */
  readonly folder: string;
  readonly onClose: () => void;
}

/** Has a backup checked and restored at the next start, after a warning that has to be acknowledged. */
export function RestoreDialog({ folder, onClose }: RestoreDialogProps) {
  const { t } = useTranslation();
  const { bridge, queries } = useCore();
  const toasts = useToasts();
  const [path, setPath] = useState(() => pathBelow(folder, 'sinete.backup'));
  const [passphrase, setPassphrase] = useState('');
  const [understood, setUnderstood] = useState(false);
  const [tried, setTried] = useState(false);
  const { busy, error, submit } = useSubmit();
  const pathError = isAbsolutePath(path) ? null : t('operation.backup.pathError');
  const restore = async (event: SyntheticEvent): Promise<void> => {
    event.preventDefault();
    setTried(true);
    if (pathError !== null || passphrase === '' || !understood) return;
    // What is wrong with a file is told by the core with what to do.
    const answer = await submit(bridge.call('backup.restore', { path, passphrase }), ({ message }) => message);
    if (answer === null) return;
    queries.refresh('backup.read');
    toasts.done(t('operation.backup.restored'));
    onClose();
  };
  return (
    <Dialog title={t('operation.backup.restoreTitle')} onClose={onClose} size="lg">
      <form onSubmit={(event) => void restore(event)} noValidate>
        <Stack gap="md">
          <Notice kind="warning">{t('operation.backup.restoreWarning')}</Notice>
          <BackupPathField
            label={t('operation.backup.restorePath')}
            help={t('operation.backup.restorePathHelp')}
            path={path}
            error={tried ? pathError : null}
            onChange={setPath}
          />
          <SecretInput
            label={t('operation.backup.passphrase')}
            value={passphrase}
            error={tried && passphrase === '' ? t('operation.stores.required') : null}
            onChange={(event) => setPassphrase(event.currentTarget.value)}
          />
          <Checkbox
            label={t('operation.backup.understood')}
            checked={understood}
            error={tried && !understood ? t('operation.backup.understoodError') : null}
            onChange={(event) => setUnderstood(event.currentTarget.checked)}
          />
          {error === null ? null : (
            <Notice kind="error" alert>
              {error}
            </Notice>
          )}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('common.cancel')}
            </Button>
            <Button type="submit" color="red" loading={busy}>
              {t('operation.backup.restoreSubmit')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
