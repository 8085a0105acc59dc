import { Button } from '@mantine/core';
import { DialogActions } from './dialog-actions.tsx';
import { Notice } from '../notice.tsx';

export interface FormEndProps {
  /** The last attempt's error that belongs to no field; null if there is none. */
  readonly error: string | null;
  /** True if an attempt is under way. */
  readonly busy: boolean;
  /** The text of the submit button. */
  readonly submit: string;
  /** True if submitting destroys something, such as a certificate. */
  readonly danger?: boolean;
  readonly cancel?: string;
  readonly onCancel: () => void;
}

/** The end of a form in a dialog: the last attempt's error, Cancel, and the submit button. */
export function FormEnd({ error, busy, submit, danger = false, cancel, onCancel }: FormEndProps) {
  return (
    <>
      {error === null ? null : (
        <Notice kind="error" alert>
          {error}
        </Notice>
      )}
      <DialogActions cancel={cancel} onCancel={onCancel}>
        <Button type="submit" loading={busy} {...(danger ? { color: 'red' } : {})}>
          {submit}
        </Button>
      </DialogActions>
    </>
  );
}
