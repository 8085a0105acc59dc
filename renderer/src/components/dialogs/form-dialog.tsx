import { Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { Dialog } from './dialog.tsx';
import { FormEnd, type FormEndProps } from './form-end.tsx';

interface FormDialogProps extends Omit<FormEndProps, 'onCancel'> {
  readonly title: string;
  readonly size?: 'md' | 'lg';
  /** The distance between the fields. */
  readonly gap?: 'md' | 'lg';
  /** Gets the form, so that a wrong field can get the focus. */
  readonly onSubmit: (form: HTMLFormElement) => void | Promise<void>;
  readonly onClose: () => void;
  /** The fields. Fields show their own problems; the browser does not. */
  readonly children: ReactNode;
}

/** A dialog with a single form: its fields, the last attempt's error, Cancel, and the submit button. */
export function FormDialog(props: FormDialogProps) {
  const { title, size = 'md', gap = 'md', onSubmit, onClose, children, ...end } = props;
  return (
    <Dialog title={title} onClose={onClose} size={size}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void onSubmit(event.currentTarget);
        }}
      >
        <Stack gap={gap}>
          {children}
          <FormEnd {...end} onCancel={onClose} />
        </Stack>
      </form>
    </Dialog>
  );
}
