import { Button, Group } from '@mantine/core';
import { useState, type SyntheticEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { textField } from '../fields/fields.ts';
import { SecretInput } from '../dialogs/secret-input.tsx';
import { Notice } from '../notice.tsx';

interface PasswordFormProps {
  readonly wrong: boolean;
  readonly onPassword: (password: string) => void;
}

/** Asks for the password of a PDF. Not a form element, because it may be inside the form of a batch. */
export function PasswordForm({ wrong, onPassword }: PasswordFormProps) {
  const { t } = useTranslation();
  const [password, setPassword] = useState('');
  const use = (event: SyntheticEvent): void => {
    event.preventDefault();
    if (password !== '') onPassword(password);
  };
  return (
    <Notice kind="information">
      <Group align="flex-end" gap="sm">
        <SecretInput
          flex="1 1 12rem"
          label={t('stamp.password')}
          {...textField(password, setPassword, wrong ? t('stamp.wrongPassword') : null)}
          onKeyDown={(event) => {
            if (event.key === 'Enter') use(event);
          }}
        />
        <Button onClick={use}>{t('stamp.open')}</Button>
      </Group>
    </Notice>
  );
}
