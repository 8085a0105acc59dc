import { Button, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useToasts } from '../../../components/toasts.tsx';
import { useCore } from '../../../data/core-context.ts';
import { pathBelow } from './absolute-path.ts';
import classes from '../settings.module.css';

interface BackupPathFieldProps {
  readonly label: string;
  readonly help: string;
  readonly path: string;
  readonly error: string | null;
  readonly onChange: (path: string) => void;
}

/** The path of a backup: typed, or on the desktop with its folder chosen. */
export function BackupPathField({ label, help, path, error, onChange }: BackupPathFieldProps) {
  const { t } = useTranslation();
  const { bridge } = useCore();
  const toasts = useToasts();
  const { desktop } = bridge;
  const [, folder = '', name = ''] = /^(.*)[\\/]([^\\/]*)$/.exec(path) ?? [];
  const choose = async (): Promise<void> => {
    const title = t('operation.backup.chooseFolder');
    const result = await desktop?.call('desktop.chooseFolder', { title, ...(folder === '' ? {} : { from: folder }) });
    if (result === undefined) return;
    if (!result.ok) toasts.failed(result.error);
    else if (result.value.path !== null) onChange(pathBelow(result.value.path, name === '' ? 'sinete.backup' : name));
  };
  return (
    <div className={classes.pathField}>
      <TextInput
        data-autofocus
        className={classes.pathInput}
        label={label}
        description={help}
        inputWrapperOrder={['label', 'input', 'error', 'description']}
        spellCheck={false}
        autoComplete="off"
        maxLength={4096}
        value={path}
        error={error}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      {desktop === null ? null : (
        <Button variant="default" onClick={() => void choose()}>
          {t('operation.backup.chooseFolder')}
        </Button>
      )}
    </div>
  );
}
