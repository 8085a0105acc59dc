import { Menu, useMantineColorScheme } from '@mantine/core';
import { Monitor, Moon, Sun } from '../components/icons/index.ts';
import { useTranslation } from 'react-i18next';
import { chooseLanguage, languageNames, languages } from '../i18n/i18n.ts';
import { schemes } from '../theme.ts';
import { PreferencesButton } from './preferences-button.tsx';

const schemeIcons = { auto: Monitor, light: Sun, dark: Moon };

interface PreferencesMenuProps {
  readonly compact: boolean;
  /** True if the menu is open when first shown. */
  readonly isOpened: boolean;
}

/** The button of the preferences, with its menu. */
export function PreferencesMenu({ compact, isOpened }: PreferencesMenuProps) {
  const { t, i18n } = useTranslation();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <Menu
      defaultOpened={isOpened}
      position="top-start"
      width={220}
      shadow="lg"
      withinPortal={false}
      withInitialFocusPlaceholder={false}
    >
      <Menu.Target>
        <PreferencesButton compact={compact} />
      </Menu.Target>
      <Menu.Dropdown aria-label={t('preferences.title')}>
        <Menu.Label aria-hidden>{t('preferences.language')}</Menu.Label>
        <Menu.RadioGroup
          value={i18n.language}
          onChange={(value) => {
            const language = languages.find((one) => one === value);
            if (language !== undefined) void chooseLanguage(language);
          }}
        >
          {languages.map((language) => (
            <Menu.RadioItem key={language} value={language} lang={language} closeMenuOnClick>
              {languageNames[language]}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
        <Menu.Divider />
        <Menu.Label aria-hidden>{t('preferences.scheme')}</Menu.Label>
        <Menu.RadioGroup
          value={colorScheme}
          onChange={(value) => {
            const scheme = schemes.find((one) => one === value);
            if (scheme !== undefined) setColorScheme(scheme);
          }}
        >
          {schemes.map((scheme) => {
            const Icon = schemeIcons[scheme];
            return (
              <Menu.RadioItem
                key={scheme}
                value={scheme}
                closeMenuOnClick
                rightSection={<Icon size={16} aria-hidden />}
              >
                {t(`preferences.${scheme}`)}
              </Menu.RadioItem>
            );
          })}
        </Menu.RadioGroup>
      </Menu.Dropdown>
    </Menu>
  );
}
