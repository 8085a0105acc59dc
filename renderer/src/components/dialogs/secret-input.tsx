import { PasswordInput, type PasswordInputProps } from '@mantine/core';
import { useTranslation } from 'react-i18next';

/**
 * A field for a password or PIN, with a button to show the text, and with pasting: hidden typing costs more attempts
 * than it protects on one's own screen.
 */
export function SecretInput(props: PasswordInputProps) {
  const { t } = useTranslation();
  return (
    <PasswordInput
      autoComplete="off"
      spellCheck={false}
      visibilityToggleButtonProps={{ 'aria-label': `${t('common.show')} / ${t('common.hide')}`, tabIndex: 0 }}
      {...props}
    />
  );
}
