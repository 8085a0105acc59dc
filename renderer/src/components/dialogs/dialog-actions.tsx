import { Button, Group } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './dialog.module.css';

interface DialogActionsProps {
  /** A word to show instead of "Cancel". */
  readonly cancel?: string;
  readonly onCancel: () => void;
  /** The confirming button. */
  readonly children: ReactNode;
}

/** The buttons at the end of a dialog: Cancel, then the confirming button. */
export function DialogActions({ cancel, onCancel, children }: DialogActionsProps) {
  const { t } = useTranslation();
  return (
    <Group justify="flex-end" className={classes.end ?? ''}>
      <Button variant="default" onClick={onCancel}>
        {cancel ?? t('common.cancel')}
      </Button>
      {children}
    </Group>
  );
}
