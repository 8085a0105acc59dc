/** Finds trust data that has expired or expires soon. No other module decides this. */

/** A root or an authority, as in a chain or in the list of trusted certificates. */
export interface TrustedAuthority {
  readonly commonName: string;
  readonly notAfter: Date;
}

/** Trust data that has expired, or expires soon. */
export interface StaleTrust {
  readonly kind: 'policy-list' | 'root' | 'authority';
  /** Common name; empty for the list of approved policies. */
  readonly name: string;
  readonly end: Date;
  readonly hasEnded: boolean;
}

const day = 24 * 60 * 60_000;
/**
 * Milliseconds before the end at which a notice begins. A root is replaced years ahead, because everything below
 * expires with the root; the list of approved policies is replaced at its end.
 */
const notices: Readonly<Record<StaleTrust['kind'], number>> = {
  root: 3 * 365 * day,
  authority: 365 * day,
  'policy-list': 0,
};

/**
 * Finds trust data that has expired or expires soon. `listEnds`: end of the newest list of approved policies; undefined
 * without one.
 */
export function findStaleTrust(
  {
    roots,
    authorities,
    listEnds,
  }: {
    readonly roots: readonly TrustedAuthority[];
    readonly authorities: readonly TrustedAuthority[];
    readonly listEnds: Date | undefined;
  },
  now: Date,
): readonly StaleTrust[] {
  const judge = (kind: StaleTrust['kind'], name: string, end: Date): readonly StaleTrust[] =>
    end.getTime() - now.getTime() < notices[kind] ? [{ kind, name, end, hasEnded: end < now }] : [];
  return [
    ...(listEnds === undefined ? [] : judge('policy-list', '', listEnds)),
    ...roots.flatMap(({ commonName, notAfter }) => judge('root', commonName, notAfter)),
    ...authorities.flatMap(({ commonName, notAfter }) => judge('authority', commonName, notAfter)),
  ];
}

/** `2029-03-02`. */
export const endDay = ({ end }: StaleTrust): string => end.toISOString().slice(0, 10);

/** A sentence about the trust data, with the remedy if there is one. */
export function staleTrustSentence(stale: StaleTrust, language: 'en' | 'pt-BR'): string {
  const { kind, name, hasEnded } = stale;
  if (kind === 'policy-list') {
    return language === 'en'
      ? `The list of approved policies ended on ${endDay(stale)}. "sinete trust update" fetches a newer one.`
      : `A lista de políticas aprovadas terminou em ${endDay(stale)}. "sinete trust update" busca uma mais nova.`;
  }
  if (language === 'en') return `${name} ${hasEnded ? 'ended' : 'ends'} on ${endDay(stale)}.`;
  return `${name} ${hasEnded ? 'terminou' : 'termina'} em ${endDay(stale)}.`;
}
