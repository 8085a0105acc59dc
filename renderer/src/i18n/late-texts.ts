import { late as en } from './en/late.ts';
import { late as ptBr } from './pt-br/late.ts';
import type { Language } from './i18n.ts';

/** Texts of parts loaded later. */
export const lateTexts: Readonly<Record<Language, object>> = { 'pt-BR': ptBr, en };
