import { Button, useMantineColorScheme, type ButtonProps } from '@mantine/core';
import { Languages } from 'lucide-react';
import { Suspense, useState, type ComponentProps } from 'react';
import { useTranslation } from 'react-i18next';
import { soon } from '../late.tsx';

interface PreferencesProps {
  readonly compact: boolean;
}

const PreferencesMenu = soon(
  (parts) => parts.PreferencesMenu,
  ({ compact }) => <PreferencesButton compact={compact} />,
);

/** Chooses language and colours; both are remembered. */
export function Preferences({ compact }: PreferencesProps) {
  const [isAsked, setAsked] = useState(false);
  return (
    <Suspense fallback={<PreferencesButton compact={compact} aria-haspopup="menu" onClick={() => setAsked(true)} />}>
      <PreferencesMenu compact={compact} isOpened={isAsked} />
    </Suspense>
  );
}

/** The button of the preferences: it shows what is chosen. Its menu comes late, and opens if it was asked for before. */
export function PreferencesButton({ compact, ...rest }: PreferencesProps & ButtonProps & ComponentProps<'button'>) {
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
