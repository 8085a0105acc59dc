import { Checkbox } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { CallError } from '../../../../../src/ui-contract/ui-contract.ts';
import { FormDialog } from '../../../components/dialogs/form-dialog.tsx';
import { Notice } from '../../../components/notice.tsx';
import { SecretInput } from '../../../components/dialogs/secret-input.tsx';
import { useToasts } from '../../../components/toasts.tsx';
import { useCore } from '../../../data/core-context.ts';
import { useSubmit } from '../../../data/use-submit.ts';
import { isAbsolutePath, pathBelow } from './absolute-path.ts';
import { BackupPathField } from './backup-path-field.tsx';

/** Texts of errors that mean something special for a backup. */
const wrong = {
  PASSWORD_INCORRECT: 'wrongPassphrase',
  REQUEST_INVALID: 'notBackup',
  DOCUMENT_UNREADABLE: 'damaged',
  KEY_SOURCE_UNAVAILABLE: 'noPlace',
  STORAGE_UNAVAILABLE: 'notRestored',
} as const;

const isKnown = (code: string): code is keyof typeof wrong => Object.hasOwn(wrong, code);

interface RestoreDialogProps {
  /** Where backups are likely to be. */
  readonly folder: string;
  readonly onClose: () => void;
}

/** Checks a backup for a restore at the next start, after a warning to acknowledge. */
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
  const restore = async (): Promise<void> => {
    setTried(true);
    if (pathError !== null || passphrase === '' || !understood) return;
    const words = ({ code }: CallError): string | null => (isKnown(code) ? t(`operation.backup.${wrong[code]}`) : null);
    const answer = await submit(bridge.call('backup.restore', { path, passphrase }), words);
    if (answer === null) return;
    queries.refresh('backup.read');
    toasts.done(t('operation.backup.restored'));
    onClose();
  };
  return (
    <FormDialog
      title={t('operation.backup.restoreTitle')}
      size="lg"
      error={error}
      busy={busy}
      submit={t('operation.backup.restoreSubmit')}
      danger
      onSubmit={restore}
      onClose={onClose}
    >
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
    </FormDialog>
  );
}
