import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';
import { first as en } from './en/first.ts';
import { first as ptBr } from './pt-br/first.ts';

/** The languages of the GUI. */
export const languages = ['pt-BR', 'en'] as const;
export type Language = (typeof languages)[number];
/** The name of each language in that language. */
export const languageNames: Record<Language, string> = { 'pt-BR': 'Português (Brasil)', en: 'English' };

const storageKey = 'sinete.language';

/** The language chosen earlier, else the browser's first supported language, else English. */
export function preferredLanguage(): Language {
  const stored = window.localStorage.getItem(storageKey);
  for (const wanted of [stored ?? '', ...navigator.languages, navigator.language]) {
    const found = languages.find((language) => language.slice(0, 2) === wanted.slice(0, 2).toLowerCase());
    if (found !== undefined) return found;
  }
  return 'en';
}

/** Loads the texts of the first page. Called once, before it is drawn. */
export async function startTexts(): Promise<void> {
  i18next.on('languageChanged', (language) => {
    document.documentElement.lang = language;
  });
  await i18next.use(initReactI18next).init({
    lng: preferredLanguage(),
    fallbackLng: 'en',
    resources: { 'pt-BR': { translation: ptBr }, en: { translation: en } },
    // React already escapes texts.
    interpolation: { escapeValue: false },
    returnNull: false,
  });
  followOtherWindows();
}

/** Adds texts to those of the first page. */
export function addTexts(texts: Readonly<Record<Language, object>>): void {
  for (const language of languages) i18next.addResourceBundle(language, 'translation', texts[language], true);
}

/** Follows a change of language in another window of the same browser. */
function followOtherWindows(): void {
  window.addEventListener('storage', ({ key }) => {
    if (key === storageKey || key === null) void i18next.changeLanguage(preferredLanguage());
  });
}

/** Changes the language and remembers it. */
export async function chooseLanguage(language: Language): Promise<void> {
  window.localStorage.setItem(storageKey, language);
  await i18next.changeLanguage(language);
}

/** Calls `listener` with the present language, and after each change. */
export function onLanguage(listener: (language: Language) => void): void {
  const tell = (name: string): void => {
    const language = languages.find((one) => one === name);
    if (language !== undefined) listener(language);
  };
  i18next.on('languageChanged', tell);
  tell(i18next.language);
}
