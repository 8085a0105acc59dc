import { Stack, TextInput } from '@mantine/core';
import { useState, type SyntheticEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { helpBelow, textField } from '../../components/fields/fields.ts';
import type { EnrolmentView } from '../../../../src/ui-contract/identity-calls.ts';
import { FormEnd } from '../../components/dialogs/form-end.tsx';
import { useCore } from '../../data/core-context.ts';
import { useSubmit } from '../../data/use-submit.ts';
import { isTaxpayerNumber, taxpayerCharacters } from '../../format/taxpayer.ts';
import { PhotoField } from './photo-field.tsx';
import { TaxpayerInput } from './taxpayer-input.tsx';

/** The fields of a person. */
export interface PersonFields {
  readonly name: string;
  /** As typed. */
  readonly username: string;
  readonly photo: string | null;
}

interface PersonStepProps {
  readonly fields: PersonFields;
  /** Why this step is shown again. */
  readonly error: string | null;
  readonly taken: readonly string[];
  readonly onChange: (fields: PersonFields) => void;
  readonly onCancel: () => void;
  readonly onDone: (offer: EnrolmentView) => void;
}

/** The core's limit. */
const nameLimit = 120;

/** Asks for name, CPF or CNPJ, and photo. */
export function PersonStep({ fields, error, taken, onChange, onCancel, onDone }: PersonStepProps) {
  const { t } = useTranslation();
  const { bridge } = useCore();
  const [checked, setChecked] = useState(false);
  const begin = useSubmit();
  const username = taxpayerCharacters(fields.username);
  const nameError = fields.name.trim() === '' ? t('users.fields.nameError') : null;
  const usernameError = !isTaxpayerNumber(username)
    ? t('users.fields.usernameError')
    : taken.includes(username)
      ? t('users.fields.usernameTaken')
      : null;
  const submit = async (event: SyntheticEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    setChecked(true);
    const wrong = nameError !== null ? 'name' : usernameError !== null ? 'username' : null;
    if (wrong !== null) {
      event.currentTarget.querySelector<HTMLInputElement>(`input[name="${wrong}"]`)?.focus();
      return;
    }
    const { name, photo } = fields;
    const person = { name: name.trim(), username, photo: photo ?? undefined };
    const offer = await begin.submit(bridge.call('users.begin', person));
    if (offer !== null) onDone(offer);
  };
  const problem = begin.error ?? (checked ? null : error);
  return (
    <form onSubmit={(event) => void submit(event)} noValidate aria-label={t('users.enrolment.person')}>
      <Stack gap="md">
        <TextInput
          data-autofocus
          required
          name="name"
          label={t('users.fields.name')}
          description={t('users.fields.nameHelp')}
          inputWrapperOrder={helpBelow}
          autoComplete="off"
          maxLength={nameLimit}
          {...textField(fields.name, (name) => onChange({ ...fields, name }), checked ? nameError : null)}
        />
        <TaxpayerInput
          name="username"
          value={fields.username}
          error={checked ? usernameError : null}
          onType={(typed) => onChange({ ...fields, username: typed })}
        />
        <PhotoField photo={fields.photo} onChange={(photo) => onChange({ ...fields, photo })} />
        <FormEnd error={problem} busy={begin.busy} submit={t('users.enrolment.next')} onCancel={onCancel} />
      </Stack>
    </form>
  );
}
