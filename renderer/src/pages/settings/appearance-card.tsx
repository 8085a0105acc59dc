import { Group, Radio, Text, useMantineColorScheme } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Section } from '../../components/page.tsx';
import { chooseLanguage, languageNames, languages } from '../../i18n/i18n.ts';
import { schemes } from '../../theme.ts';
import classes from './settings.module.css';

/** Language and colours of the window. */
export function AppearanceCard() {
  const { t, i18n } = useTranslation();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <Section title={t('settings.appearance.title')}>
      <Text size="sm" c="dimmed" mb="md">
        {t('settings.appearance.text')}
      </Text>
      <div className={classes.choices}>
        <Radio.Group
          label={t('settings.appearance.language')}
          value={i18n.language}
          onChange={(value) => {
            const language = languages.find((one) => one === value);
            if (language !== undefined) void chooseLanguage(language);
          }}
        >
          <Group gap="lg" mt="xs">
            {languages.map((language) => (
              <Radio key={language} value={language} label={languageNames[language]} lang={language} />
            ))}
          </Group>
        </Radio.Group>
        <Radio.Group
          label={t('settings.appearance.scheme')}
          value={colorScheme}
          onChange={(value) => {
            const scheme = schemes.find((one) => one === value);
            if (scheme !== undefined) setColorScheme(scheme);
          }}
        >
          <Group gap="lg" mt="xs">
            {schemes.map((scheme) => (
              <Radio key={scheme} value={scheme} label={t(`preferences.${scheme}`)} />
            ))}
          </Group>
        </Radio.Group>
      </div>
    </Section>
  );
}
