/** Facts for the judgement, made by hand: paths with any dates, data and algorithms. */
import type { ChainFacts, LinkFacts, RevocationFact, TimestampFacts } from '../../../src/signing/validation/facts.ts';
import { DEFAULT_ALGORITHM_POLICY, type AlgorithmUse } from '../../../src/signing/validation/judge/algorithm-policy.ts';
import { Proofs, type JudgeContext } from '../../../src/signing/validation/judge/slide-time.ts';
import type { Judgement } from '../../../src/signing/validation/judge/verdict.ts';
import { makeParty } from '../certificates/path/path-pki.ts';

export const day = (text: string): Date => new Date(`${text}T00:00:00Z`);
export const later = (date: Date, milliseconds: number): Date => new Date(date.getTime() + milliseconds);
export const NOW = day('2026-06-01');
export const policy = DEFAULT_ALGORITHM_POLICY;
export const contextOf = (proofs: Readonly<Record<string, Date>> = {}, at = NOW): JudgeContext => {
  const known = new Proofs();
  for (const [key, time] of Object.entries(proofs)) known.add(key, time);
  return { at, proofs: known };
};

export const dated = (name: string, notBefore: string, notAfter: string) =>
  makeParty({ name, notBefore: day(notBefore), notAfter: day(notAfter) }).certificate;
export const root = dated('Root', '2015-01-01', '2040-01-01');
export const authority = dated('CA', '2016-01-01', '2035-01-01');
export const person = dated('Maria', '2024-01-01', '2025-01-01');

export const fact = (fields: Partial<RevocationFact> = {}): RevocationFact => ({
  kind: 'crl',
  origin: 'embedded',
  key: 'list',
  thisUpdate: day('2024-06-01'),
  nextUpdate: day('2024-06-08'),
  issuedAt: day('2024-06-01'),
  signer: authority,
  algorithms: [],
  ...fields,
});
export const link = (fields: Partial<LinkFacts> = {}): LinkFacts => ({
  certificate: person,
  key: 'person',
  isAnchor: false,
  algorithms: [],
  evidence: [fact()],
  problems: [],
  ...fields,
});
export const anchorLink: LinkFacts = link({ certificate: root, key: 'root', isAnchor: true, evidence: [] });
export const chainOf = (...links: readonly LinkFacts[]): ChainFacts => ({
  reachesAnchor: true,
  links: [...links, anchorLink],
  problems: [],
  hierarchy: undefined,
  isForTimestampsOnly: false,
});

/** Weak since 2014. */
export const sha1: AlgorithmUse = { kind: 'hash', name: 'sha1' };

export const codesOf = ({ checks }: Judgement): readonly string[] => checks.map(({ code }) => code);

export const server = dated('TSA', '2024-01-01', '2025-01-01');
/** A time stamp that is right for what it stamps. */
export const stampFacts = (fields: Partial<TimestampFacts> = {}): TimestampFacts => ({
  role: 'signature',
  key: 'stamp',
  time: day('2024-06-01'),
  imprint: 'right',
  integrity: { outcome: 'intact' },
  certificate: server,
  algorithms: [],
  covers: [],
  ...fields,
});
