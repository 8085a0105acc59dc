import { Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { Dialog } from './dialog.tsx';
import { FormEnd, type FormEndProps } from './form-end.tsx';

interface FormDialogProps extends Omit<FormEndProps, 'onCancel'> {
  readonly title: string;
  readonly size?: 'md' | 'lg';
  /** The distance between the fields. */
  readonly gap?: 'md' | 'lg';
  /** Receives the form, so that a wrong field can get the focus. */
  readonly onSubmit: (form: HTMLFormElement) => void | Promise<void>;
  readonly onClose: () => void;
  /** The fields, which show their own problems instead of the browser. */
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
          const form = event.currentTarget;
          void onSubmit(form);
          // The problems are drawn by the next frame.
          requestAnimationFrame(() => focusFirstProblem(form));
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

/** Leads to the first field with a problem, unless such a field has the focus already. */
function focusFirstProblem(form: HTMLFormElement): void {
  const hasProblem = '[aria-invalid=true]';
  if (document.activeElement?.matches(hasProblem) === true) return;
  form.querySelector<HTMLElement>(hasProblem)?.focus();
}
