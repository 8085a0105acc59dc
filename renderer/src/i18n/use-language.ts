import { useTranslation } from 'react-i18next';
import { languages, type Language } from './i18n.ts';

/** The language of the window, for calls whose answers depend on it. */
export function useLanguage(): Language {
  const { i18n } = useTranslation();
  return languages.find((one) => one === i18n.language) ?? 'en';
}
