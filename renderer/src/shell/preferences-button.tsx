import { Button, useMantineColorScheme, type ButtonProps } from '@mantine/core';
import { Languages } from '../components/icons/index.ts';
import type { ComponentProps } from 'react';
import { useTranslation } from 'react-i18next';

interface PreferencesButtonProps extends ButtonProps, Omit<ComponentProps<'button'>, keyof ButtonProps> {
  readonly compact: boolean;
}

/** The button of the preferences. Its menu is loaded late; a click before that opens it when it is loaded. */
export function PreferencesButton({ compact, ...rest }: PreferencesButtonProps) {
  const { t, i18n } = useTranslation();
  const { colorScheme } = useMantineColorScheme();
  const chosen = `${i18n.language === 'pt-BR' ? 'PT' : 'EN'} · ${t(`preferences.${colorScheme}`)}`;
  return (
    <Button
      variant="subtle"
      color="gray"
      size={compact ? 'xs' : 'sm'}
      justify="flex-start"
      leftSection={<Languages size={18} aria-hidden />}
      aria-label={`${t('preferences.title')}: ${chosen}`}
      {...rest}
    >
      {chosen}
    </Button>
  );
}
