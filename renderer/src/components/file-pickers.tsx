import { Button, FileButton } from '@mantine/core';
import { FilePlus2, FolderPlus } from 'lucide-react';
import type { ComponentProps } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './drop-zone.module.css';

/** A folder picker is an attribute unknown to React's types. */
const folderInput = { webkitdirectory: '' } as unknown as NonNullable<ComponentProps<typeof FileButton>['inputProps']>;

interface FilePickersProps {
  /** Beside chosen files, where another button is the main one. */
  readonly isSecondary?: boolean;
  readonly onFiles: (files: readonly File[]) => void;
}

/** The buttons that open the system's pickers for files, and for a folder. */
export function FilePickers({ isSecondary = false, onFiles }: FilePickersProps) {
  const { t } = useTranslation();
  return (
    <div className={classes.pickers}>
      <FileButton multiple onChange={onFiles} inputProps={{ 'aria-label': t('sign.chooseFiles') }}>
        {(props) => (
          <Button
            {...props}
            variant={isSecondary ? 'default' : 'filled'}
            leftSection={<FilePlus2 size={18} aria-hidden />}
          >
            {t('sign.chooseFiles')}
          </Button>
        )}
      </FileButton>
      <FileButton multiple onChange={onFiles} inputProps={{ ...folderInput, 'aria-label': t('sign.chooseFolder') }}>
        {(props) => (
          <Button {...props} variant="default" leftSection={<FolderPlus size={18} aria-hidden />}>
            {t('sign.chooseFolder')}
          </Button>
        )}
      </FileButton>
    </div>
  );
}
