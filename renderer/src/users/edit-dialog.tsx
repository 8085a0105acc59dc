import { Button, Group, Stack, TextInput } from '@mantine/core';
import { useState, type SyntheticEvent } from 'react';
import { useTranslation } from 'react-i18next';
import type { AccountView } from '../../../src/ui-contract/identity-calls.ts';
import { Dialog } from '../components/dialog.tsx';
import { Notice } from '../components/notice.tsx';
import { useToasts } from '../components/toasts.tsx';
import { useCore } from '../data/core-context.ts';
import { useSubmit } from '../data/use-submit.ts';
import { PhotoField } from './photo-field.tsx';

interface EditDialogProps {
  readonly account: AccountView;
  readonly onClose: () => void;
}

/** Changes name and photo of somebody who is enrolled here. */
export function EditDialog({ account, onClose }: EditDialogProps) {
  const { t } = useTranslation();
  const { bridge, queries } = useCore();
  const toasts = useToasts();
  const [name, setName] = useState(account.name);
  const [photo, setPhoto] = useState(account.photo);
  const [checked, setChecked] = useState(false);
  const saving = useSubmit();
  const nameError = name.trim() === '' ? t('users.fields.nameError') : null;
  const submit = async (event: SyntheticEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    setChecked(true);
    if (nameError !== null) {
      event.currentTarget.querySelector('input')?.focus();
      return;
    }
    const changed = await saving.submit(bridge.call('users.change', { id: account.id, name: name.trim(), photo }));
    if (changed === null) return;
    queries.refresh('users.list', 'assistant.users');
    toasts.done(t('users.editing.done'));
    onClose();
  };
  return (
    <Dialog title={t('users.editing.title')} onClose={onClose}>
      <form onSubmit={(event) => void submit(event)} noValidate>
        <Stack gap="md">
          <TextInput
            data-autofocus
            required
            label={t('users.fields.name')}
            autoComplete="off"
            maxLength={120}
            value={name}
            error={checked ? nameError : null}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <PhotoField photo={photo} onChange={setPhoto} />
          {saving.error === null ? null : (
            <Notice kind="error" alert>
              {saving.error}
            </Notice>
          )}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('common.cancel')}
            </Button>
            <Button type="submit" loading={saving.busy}>
              {t('users.editing.submit')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
