import { Button, Menu, useMantineColorScheme, type MantineColorScheme } from '@mantine/core';
import { Check, Languages, Monitor, Moon, Sun } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { chooseLanguage, languages, type Language } from '../i18n/i18n.ts';

const languageNames: Record<Language, string> = { 'pt-BR': 'Português (Brasil)', en: 'English' };
const schemes = ['auto', 'light', 'dark'] as const satisfies readonly MantineColorScheme[];
const schemeIcons = { auto: Monitor, light: Sun, dark: Moon };

/** Chooses language and colours; both are remembered. */
export function Preferences({ compact }: { readonly compact: boolean }) {
  const { t, i18n } = useTranslation();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const check = (chosen: boolean): ReactNode => (chosen ? <Check size={16} aria-hidden /> : null);
  return (
    <Menu position="top-start" width={220} shadow="lg">
      <Menu.Target>
        <Button
          variant="subtle"
          color="gray"
          size={compact ? 'xs' : 'sm'}
          justify="flex-start"
          leftSection={<Languages size={18} aria-hidden />}
          aria-label={t('preferences.title')}
        >
          {i18n.language === 'pt-BR' ? 'PT' : 'EN'} · {t(`preferences.${colorScheme}`)}
        </Button>
      </Menu.Target>
      <Menu.Dropdown aria-label={t('preferences.title')}>
        <Menu.Label>{t('preferences.language')}</Menu.Label>
        {languages.map((language) => (
          <Menu.Item
            key={language}
            lang={language}
            role="menuitemradio"
            aria-checked={i18n.language === language}
            rightSection={check(i18n.language === language)}
            onClick={() => void chooseLanguage(language)}
          >
            {languageNames[language]}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Label>{t('preferences.scheme')}</Menu.Label>
        {schemes.map((scheme) => {
          const Icon = schemeIcons[scheme];
          return (
            <Menu.Item
              key={scheme}
              role="menuitemradio"
              aria-checked={colorScheme === scheme}
              leftSection={<Icon size={16} aria-hidden />}
              rightSection={check(colorScheme === scheme)}
              onClick={() => setColorScheme(scheme)}
            >
              {t(`preferences.${scheme}`)}
            </Menu.Item>
          );
        })}
      </Menu.Dropdown>
    </Menu>
  );
}
