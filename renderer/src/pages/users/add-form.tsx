import { Stack } from '@mantine/core';
import { useEffect, useRef, useState, type SyntheticEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { textField } from '../../components/fields/fields.ts';
import { FormEnd } from '../../components/dialogs/form-end.tsx';
import { useToasts } from '../../components/toasts.tsx';
import { useCore } from '../../data/core-context.ts';
import { useSubmit } from '../../data/use-submit.ts';
import { isTaxpayerNumber, taxpayerCharacters } from '../../format/taxpayer.ts';
import { CodeInput } from './code-input.tsx';
import { TaxpayerInput } from './taxpayer-input.tsx';

interface AddFormProps {
  /** CPF or CNPJ; null asks for the number. */
  readonly username: string | null;
  readonly cancel: string;
  readonly submit: string;
  readonly onClose: () => void;
}

/** Makes an enrolled person a user of this computer, by means of a code of the authenticator. */
export function AddForm({ username: known, cancel, submit: label, onClose }: AddFormProps) {
  const { t } = useTranslation();
  const { bridge, queries } = useCore();
  const toasts = useToasts();
  const [username, setUsername] = useState(known ?? '');
  const [code, setCode] = useState('');
  const [checked, setChecked] = useState(false);
  const adding = useSubmit();
  const usernameField = useRef<HTMLInputElement>(null);
  const codeField = useRef<HTMLInputElement>(null);
  useEffect(() => (usernameField.current ?? codeField.current)?.focus(), []);
  const usernameError = isTaxpayerNumber(username) ? null : t('users.fields.usernameError');
  const codeError = code.trim() === '' ? t('users.fields.codeError') : null;
  const submit = async (event: SyntheticEvent): Promise<void> => {
    event.preventDefault();
    setChecked(true);
    if (usernameError !== null || codeError !== null) {
      (usernameError === null ? codeField : usernameField).current?.focus();
      return;
    }
    const user = await adding.submit(
      bridge.call('assistant.add', { username: taxpayerCharacters(username), code: code.trim() }),
      (error) => (error.code === 'INVALID_CREDENTIALS' ? t('users.adding.wrong') : null),
    );
    if (user === null) {
      codeField.current?.select();
      return;
    }
    queries.refresh('assistant.users', 'users.list');
    toasts.done(t('users.adding.done', { name: user.name }));
    onClose();
  };
  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <Stack gap="md">
        {known === null ? (
          <TaxpayerInput
            ref={usernameField}
            data-autofocus
            value={username}
            error={checked ? usernameError : null}
            onType={setUsername}
          />
        ) : null}
        <CodeInput
          ref={codeField}
          {...(known === null ? {} : { 'data-autofocus': true })}
          label={t('users.fields.code')}
          description={t('users.fields.codeHelp')}
          {...textField(code, setCode, checked ? codeError : null)}
        />
        <FormEnd error={adding.error} busy={adding.busy} submit={label} cancel={cancel} onCancel={onClose} />
      </Stack>
    </form>
  );
}
