import { errorSentencesEn, errorSentencesPt } from '../../text/error-words/index.ts';
import { formatSize } from '../monitoring/index.ts';
import type { Check } from './check.ts';
import type { CheckLanguage, FindingWords, Reader, Remedied, Sentence } from './finding-words.ts';
import { english } from './words-en.ts';
import { portuguese } from './words-pt-br.ts';

/** The words of a check for a reader. */
export interface CheckWords {
  readonly title: string;
  readonly message: string;
  /** Why the check matters. */
  readonly purpose: string;
  /** Null if nothing needs to be done. */
  readonly remedy: string | null;
}

const languages: Readonly<Record<CheckLanguage, FindingWords>> = { en: english, 'pt-BR': portuguese };

/** Values that are sizes in bytes. */
const sizes: ReadonlySet<string> = new Set(['free', 'kept', 'awaited', 'quota']);

/** Describes a check in a language. */
export function describeCheck(
  { finding, area, values }: Pick<Check, 'finding' | 'area' | 'values'>,
  language: CheckLanguage = 'en',
  reader: Reader = 'program',
): CheckWords {
  const words = languages[language];
  const shown = (name: string): string => {
    const value = values[name];
    if (name === 'because') return sentenceOf(values['problem'] ?? values['code'], language);
    if (sizes.has(name)) return typeof value === 'number' ? formatSize(value).replace('.', words.decimal) : '?';
    if (name === 'day' && reader === 'window' && typeof value === 'string') return formatDay(value, language);
    return String(value ?? `{{${name}}}`);
  };
  const say = (sentence: Sentence): string => {
    const text = typeof sentence === 'string' ? sentence : sentence(values, shown, reader);
    return text.replaceAll(/\{\{(\w+)\}\}/g, (_whole, name: string) => shown(name)).trim();
  };
  const entry: Sentence | Remedied = words.findings[finding];
  const [message, remedy, inWindow] = isRemedied(entry) ? entry : [entry];
  const told = reader === 'window' ? (inWindow ?? remedy) : remedy;
  const [title, purpose] = words.areas[area];
  return { title: say(title), message: say(message), purpose, remedy: told === undefined ? null : say(told) };
}

const isRemedied = (entry: Sentence | Remedied): entry is Remedied => typeof entry === 'object';

const sentences: Readonly<Record<CheckLanguage, Readonly<Record<string, string>>>> = {
  en: errorSentencesEn,
  'pt-BR': errorSentencesPt,
};

/** The sentence about an error code; empty for a code without one. */
const sentenceOf = (code: string | number | undefined, language: CheckLanguage): string =>
  (code === undefined || !Object.hasOwn(sentences[language], code) ? undefined : sentences[language][code]) ?? '';

function formatDay(day: string, language: CheckLanguage): string {
  const format = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeZone: 'UTC' });
  return format.format(new Date(`${day}T12:00:00Z`));
}
