import { maskEveryNumber } from '../../text/taxpayer-number.ts';

/**
 * What a caller may see of the names of certificates:
 *
 * - `whole`: the owner, callers with the scope `certificates:read`, and a person about the person's own certificates.
 * - `masked`: everybody else. They get no list of names, and no whole CPF or CNPJ.
 */
export type AliasSight = 'whole' | 'masked';

/**
 * The alias of a certificate as this caller may see it. A caller that sent the alias gets it back as sent. No other
 * function puts an alias into an answer.
 */
export function aliasFor(sight: AliasSight, alias: string, sent?: string): string {
  if (sight === 'whole') return alias;
  const isSent = sent !== undefined && sent.trim().toLowerCase() === alias.toLowerCase();
  return isSent ? alias : maskEveryNumber(alias);
}

/** A sentence about certificates: with their names for those who may read them, otherwise one without names. */
export const sentenceFor = (sight: AliasSight, withNames: string, withoutNames: string): string =>
  sight === 'whole' ? withNames : withoutNames;
