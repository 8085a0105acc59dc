import { PasswordInput, type PasswordInputProps } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { technical } from '../fields/fields.ts';

/**
 * A field for a password or PIN. It has a button that shows the text, and permits pasting: hidden typing causes more
 * failed attempts than it prevents on one's own screen.
 */
export function SecretInput(props: PasswordInputProps) {
  const { t } = useTranslation();
  return (
    <PasswordInput
      {...technical}
      visibilityToggleButtonProps={{ 'aria-label': `${t('common.show')} / ${t('common.hide')}`, tabIndex: 0 }}
      {...props}
    />
  );
}
