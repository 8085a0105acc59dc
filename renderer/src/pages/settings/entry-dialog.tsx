import { useState, type ReactNode } from 'react';
import type { CallError, CallResult } from '../../../../src/ui-contract/ui-contract.ts';
import { FormDialog } from '../../components/dialogs/form-dialog.tsx';
import { useToasts } from '../../components/toasts.tsx';
import { useCore } from '../../data/core-context.ts';
import type { ReadingCall } from '../../data/query-cache.ts';
import { useSubmit } from '../../data/use-submit.ts';

/** Input of a part of an entry's form. */
export interface EntryPart<Form, Problems> {
  readonly form: Form;
  /** The problems shown at the fields; none before the first attempt to save. */
  readonly problems: Partial<Problems>;
  /** True if the entry is new. */
  readonly isNew: boolean;
  readonly change: (part: Partial<Form>) => void;
}

interface EntryDialogProps<Form, Problems> {
  readonly title: string;
  readonly isNew: boolean;
  readonly begin: () => Form;
  /** Problems that the core would refuse, checked in advance. */
  readonly problemsOf: (form: Form) => Problems;
  readonly save: (form: Form) => Promise<CallResult<unknown>>;
  /** More precise texts for errors of the core. */
  readonly wordsFor?: (error: CallError) => string | null;
  /** The queries whose answers change with the entry. */
  readonly changed: readonly ReadingCall[];
  /** The text of the save button, and of the notice afterwards. */
  readonly submit: string;
  readonly saved: string;
  readonly onClose: () => void;
  /** The fields. */
  readonly children: (part: EntryPart<Form, Problems>) => ReactNode;
}

/** Adds or changes an entry of a list in Settings. Problems are shown after the first attempt to save. */
export function EntryDialog<Form extends object, Problems extends object>(props: EntryDialogProps<Form, Problems>) {
  const { title, isNew, onClose } = props;
  const { queries } = useCore();
  const toasts = useToasts();
  const [form, setForm] = useState(props.begin);
  const [tried, setTried] = useState(false);
  const { busy, error, submit } = useSubmit();
  const present = props.problemsOf(form);
  const save = async (): Promise<void> => {
    setTried(true);
    if (Object.keys(present).length > 0) return;
    if ((await submit(props.save(form), props.wordsFor)) === null) return;
    queries.refresh(...props.changed);
    toasts.done(props.saved);
    onClose();
  };
  const change = (part: Partial<Form>): void => setForm((before) => ({ ...before, ...part }));
  return (
    <FormDialog
      title={title}
      size="lg"
      error={error}
      busy={busy}
      submit={props.submit}
      onSubmit={save}
      onClose={onClose}
    >
      {props.children({ form, problems: tried ? present : {}, isNew, change })}
    </FormDialog>
  );
}
