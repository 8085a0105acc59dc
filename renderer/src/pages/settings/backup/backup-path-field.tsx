import { Button, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { helpBelow, technical, textField } from '../../../components/fields/fields.ts';
import { useFolderChoice } from '../../../components/fields/use-folder-choice.ts';
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
  const [, folder = '', name = ''] = /^(.*)[\\/]([^\\/]*)$/.exec(path) ?? [];
  const choose = useFolderChoice((chosen) => onChange(pathBelow(chosen, name === '' ? 'sinete.backup' : name)));
  return (
    <div className={classes.pathField}>
      <TextInput
        data-autofocus
        className={classes.pathInput}
        label={label}
        description={help}
        inputWrapperOrder={helpBelow}
        {...technical}
        maxLength={4096}
        {...textField(path, onChange, error)}
      />
      {choose === null ? null : (
        <Button variant="default" onClick={() => void choose(t('operation.backup.chooseFolder'), folder)}>
          {t('operation.backup.chooseFolder')}
        </Button>
      )}
    </div>
  );
}
