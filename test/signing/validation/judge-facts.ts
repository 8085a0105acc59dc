/** Facts for the judgement, made by hand: paths with any dates, data and algorithms. */
import type {
  ChainFacts,
  LinkFacts,
  RevocationFact,
  SignatureFacts,
  TimestampFacts,
} from '../../../src/signing/validation/facts.ts';
import type { AlgorithmUse } from '../../../src/signing/validation/judge/algorithm-policy.ts';
import { DEFAULT_ALGORITHM_POLICY } from '../../../src/signing/validation/judge/algorithm-tables.ts';
import type { MadeWith } from '../../../src/signing/validation/judge/judge-chain.ts';
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

/** A path good at `NOW`: the person, the authority above, and the object made with this path. */
export const ana = dated('Ana', '2026-01-01', '2027-01-01');
export const fresh = (fields: Partial<RevocationFact> = {}): RevocationFact =>
  fact({ thisUpdate: day('2026-05-30'), issuedAt: day('2026-05-30'), nextUpdate: day('2026-06-06'), ...fields });
export const leaf = (fields: Partial<LinkFacts> = {}): LinkFacts =>
  link({ certificate: ana, key: 'ana', evidence: [fresh()], ...fields });
export const upper = (fields: Partial<LinkFacts> = {}): LinkFacts =>
  link({ certificate: authority, key: 'ca', evidence: [fresh()], ...fields });
export const made = (fields: Partial<MadeWith> = {}): MadeWith => ({
  kind: 'signature',
  proven: undefined,
  reference: undefined,
  after: undefined,
  ...fields,
});

/** Weak since 2014. */
export const sha1: AlgorithmUse = { kind: 'hash', name: 'sha1' };

export const codesOf = ({ checks }: Judgement): readonly string[] => checks.map(({ code }) => code);

export const server = dated('TSA', '2024-01-01', '2025-01-01');
/** A time stamp right for the stamped data. */
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

/** A right signature in every respect. */
export const signatureFacts = (fields: Partial<SignatureFacts> = {}): SignatureFacts => ({
  id: '1',
  key: 'sig:1',
  format: 'CAdES',
  integrity: { outcome: 'intact' },
  isCounterSignature: false,
  claimedTime: day('2024-06-01'),
  replaysAttributes: false,
  hasSortedAttributes: true,
  remarks: [],
  repeatedAttributes: [],
  signedAttributes: new Set<string>(),
  unsignedAttributes: new Set<string>(),
  certificate: person,
  signingCertificate: 'matches',
  digestAlgorithm: 'sha256',
  signatureAlgorithm: 'ecdsa',
  algorithms: [],
  timestamps: [],
  counterSignatures: [],
  ...fields,
});
export type PdfFacts = NonNullable<SignatureFacts['pdf']>;

/** The parts of a PDF's facts needed by a row. */
export const pdf = (fields: Partial<PdfFacts>): { readonly pdf: PdfFacts } => ({ pdf: fields as PdfFacts });

/** The facts with nothing known of a part. */
export const without = (facts: SignatureFacts, part: keyof SignatureFacts): SignatureFacts =>
  Object.fromEntries(Object.entries(facts).filter(([name]) => name !== part)) as unknown as SignatureFacts;
