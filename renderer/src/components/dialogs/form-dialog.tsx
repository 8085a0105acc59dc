import { Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { Dialog } from './dialog.tsx';
import { FormEnd, type FormEndProps } from './form-end.tsx';

interface FormDialogProps extends Omit<FormEndProps, 'onCancel'> {
  readonly title: string;
  readonly size?: 'md' | 'lg';
  /** The distance between the fields. */
  readonly gap?: 'md' | 'lg';
  /** Takes the form, so that what is wrong in it can be given the focus. */
  readonly onSubmit: (form: HTMLFormElement) => void | Promise<void>;
  readonly onClose: () => void;
  /** The fields. Problems are told by them, never by the browser. */
  readonly children: ReactNode;
}

/** A dialog that is one form: its fields, what the last attempt met with, Cancel, and the button that submits. */
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
