import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { textField } from '../../components/fields/fields.ts';
import type { AccountView } from '../../../../src/ui-contract/identity-calls.ts';
import { FormDialog } from '../../components/dialogs/form-dialog.tsx';
import { useToasts } from '../../components/toasts.tsx';
import { useCore } from '../../data/core-context.ts';
import { useSubmit } from '../../data/use-submit.ts';
import { PhotoField } from './photo-field.tsx';

interface EditDialogProps {
  readonly account: AccountView;
  readonly onClose: () => void;
}

/** Changes name and photo of an enrolled person. */
export function EditDialog({ account, onClose }: EditDialogProps) {
  const { t } = useTranslation();
  const { bridge, queries } = useCore();
  const toasts = useToasts();
  const [name, setName] = useState(account.name);
  const [photo, setPhoto] = useState(account.photo);
  const [checked, setChecked] = useState(false);
  const saving = useSubmit();
  const nameError = name.trim() === '' ? t('users.fields.nameError') : null;
  const submit = async (form: HTMLFormElement): Promise<void> => {
    setChecked(true);
    if (nameError !== null) {
      form.querySelector('input')?.focus();
      return;
    }
    const changed = await saving.submit(bridge.call('users.change', { id: account.id, name: name.trim(), photo }));
    if (changed === null) return;
    queries.refresh('users.list', 'assistant.users');
    toasts.done(t('users.editing.done'));
    onClose();
  };
  return (
    <FormDialog
      title={t('users.editing.title')}
      error={saving.error}
      busy={saving.busy}
      submit={t('users.editing.submit')}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextInput
        data-autofocus
        required
        label={t('users.fields.name')}
        autoComplete="off"
        maxLength={120}
        {...textField(name, setName, checked ? nameError : null)}
      />
      <PhotoField photo={photo} onChange={setPhoto} />
    </FormDialog>
  );
}
