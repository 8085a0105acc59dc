import { Button, FileButton, Text } from '@mantine/core';
import { FilePlus2, FolderPlus, type IconComponent } from './icons/index.ts';
import type { ComponentProps, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './drop-zone.module.css';

interface DropZoneProps {
  readonly icon: IconComponent;
  /** `line`: above chosen files. `fitting`: in a row of cards. `large` and `largest`: on an otherwise empty page. */
  readonly size: 'line' | 'fitting' | 'large' | 'largest';
  /** The invitation to drop files here. */
  readonly text: string;
  /** The words before the buttons, shown if there is space. */
  readonly or: string;
  /** The buttons of the pickers. */
  readonly children: ReactNode;
}

/** Invites to drop files, and offers the pickers. The window itself accepts files at any place. */
export function DropZone({ icon: Icon, size, text, or, children }: DropZoneProps) {
  const isLine = size === 'line';
  return (
    <div className={classes.zone} data-size={size}>
      <Icon size={isLine ? 24 : 44} strokeWidth={1.5} aria-hidden />
      <Text fw={600} size={isLine ? 'md' : 'lg'} className={classes.text}>
        {text}
        {isLine ? null : (
          <Text component="span" c="dimmed" fw={400}>
            {' '}
            {or}
          </Text>
        )}
      </Text>
      {children}
    </div>
  );
}

/** React's types do not know the attribute of a folder picker. */
const folderInput = { webkitdirectory: '' } as unknown as NonNullable<ComponentProps<typeof FileButton>['inputProps']>;

interface FilePickersProps {
  /** True beside chosen files, where another button is the main one. */
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
