import { Button } from '@mantine/core';
import { DialogActions } from './dialog-actions.tsx';
import { Notice } from '../notice.tsx';

export interface FormEndProps {
  /** What the last attempt met with, where its field does not tell; null when nothing did. */
  readonly error: string | null;
  /** Whether an attempt is under way. */
  readonly busy: boolean;
  /** The text of the button that submits. */
  readonly submit: string;
  /** Whether submitting destroys something. */
  readonly danger?: boolean;
  readonly cancel?: string;
  readonly onCancel: () => void;
}

/** The end of a form in a dialog: what the last attempt met with, Cancel, and the button that submits. */
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
