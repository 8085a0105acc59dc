import { Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { textField } from '../../../components/fields/fields.ts';
import type { CallOutput } from '../../../../../src/ui-contract/ui-contract.ts';
import { Dialog } from '../../../components/dialogs/dialog.tsx';
import { FormDialog } from '../../../components/dialogs/form-dialog.tsx';
import { Notice } from '../../../components/notice.tsx';
import { SecretInput } from '../../../components/dialogs/secret-input.tsx';
import { useCore } from '../../../data/core-context.ts';
import { useSubmit } from '../../../data/use-submit.ts';
import { formatSize } from '../../../format/format.ts';
import { isAbsolutePath, pathBelow } from './absolute-path.ts';
import { BackupPathField } from './backup-path-field.tsx';

const shortestPassphrase = 8;

interface BackupDialogProps {
  /** The proposed folder. */
  readonly folder: string;
  readonly onClose: () => void;
}

/** Asks for a file and a passphrase, twice, and writes everything into the file. */
export function BackupDialog({ folder, onClose }: BackupDialogProps) {
  const { t } = useTranslation();
  const { bridge, queries } = useCore();
  const [path, setPath] = useState(() => pathBelow(folder, `sinete-${new Date().toISOString().slice(0, 10)}.backup`));
  const [passphrase, setPassphrase] = useState('');
  const [again, setAgain] = useState('');
  const [tried, setTried] = useState(false);
  const [made, setMade] = useState<CallOutput<'backup.make'> | null>(null);
  const { busy, error, submit } = useSubmit();
  const pathError = isAbsolutePath(path) ? null : t('operation.backup.pathError');
  const shortError = passphrase.length >= shortestPassphrase ? null : t('operation.backup.passphraseError');
  const againError = passphrase === again ? null : t('operation.backup.againError');
  const make = async (): Promise<void> => {
    setTried(true);
    if (pathError !== null || shortError !== null || againError !== null) return;
    const answer = await submit(bridge.call('backup.make', { path, passphrase }));
    queries.refresh('audit.list');
    if (answer === null) return;
    setPassphrase('');
    setAgain('');
    setMade(answer);
  };
  if (made !== null) return <Made made={made} path={path} onClose={onClose} />;
  return (
    <FormDialog
      title={t('operation.backup.makeTitle')}
      size="lg"
      error={error}
      busy={busy}
      submit={t('operation.backup.submit')}
      onSubmit={make}
      onClose={onClose}
    >
      <BackupPathField
        label={t('operation.backup.path')}
        help={t('operation.backup.pathHelp')}
        path={path}
        error={tried ? pathError : null}
        onChange={setPath}
      />
      <SecretInput
        label={t('operation.backup.passphrase')}
        description={t('operation.backup.passphraseHelp')}
        autoComplete="new-password"
        {...textField(passphrase, setPassphrase, tried ? shortError : null)}
      />
      <SecretInput
        label={t('operation.backup.again')}
        autoComplete="new-password"
        {...textField(again, setAgain, tried ? againError : null)}
      />
    </FormDialog>
  );
}

interface MadeProps {
  readonly made: CallOutput<'backup.make'>;
  readonly path: string;
  readonly onClose: () => void;
}

function Made({ made: { size, documents }, path, onClose }: MadeProps) {
  const { t, i18n } = useTranslation();
  const told = { path, size: formatSize(size, i18n.language), count: documents };
  return (
    <Dialog title={t('operation.backup.makeTitle')} onClose={onClose} size="lg">
      <Stack gap="md">
        <Notice kind="information" title={t('operation.backup.made')} alert>
          <Text size="sm">{t('operation.backup.madeText', told)}</Text>
        </Notice>
        <Group justify="flex-end">
          <Button onClick={onClose} data-autofocus>
            {t('common.close')}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
