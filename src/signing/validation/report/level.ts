/** The baseline level of a signature (EN 319 122-1 §6, EN 319 142-1 §6), by its valid parts. */
import type { ChainFacts } from '../facts.ts';
import type { JudgedSignature } from '../judge/judge-signature.ts';
import { isValid, type JudgedTimestamp } from '../judge/judge-timestamp.ts';
import type { SignatureLevel } from '../validation-report.ts';

/** True when the signature or its file carries revocation data for every certificate below the anchor. */
function hasMaterial(chain: ChainFacts | undefined): boolean {
  if (chain === undefined || !chain.reachesAnchor) return false;
  return chain.links
    .filter(({ isAnchor }) => !isAnchor)
    .every(({ evidence }) => evidence.some(({ origin }) => origin === 'embedded'));
}

/** A time stamp over the long-term material. */
const isArchive = (stamp: JudgedTimestamp): boolean =>
  isValid(stamp) && (stamp.facts.role === 'archive' || stamp.facts.role === 'document');

/** True for an archive time stamp that covers data about the signer's certificate. */
function coversMaterial(stamp: JudgedTimestamp, chain: ChainFacts): boolean {
  const covered = new Set(stamp.facts.covers);
  return chain.links
    .filter(({ isAnchor }) => !isAnchor)
    .every(({ evidence }) => evidence.some(({ key }) => covered.has(key)));
}

/** The level of a signature. Archive time stamps of version 2 are over material in attributes, and count alike. */
export function levelOf({ facts, timestamps }: JudgedSignature): SignatureLevel {
  if (facts.signingCertificate !== 'matches') return 'none';
  const stamps = timestamps.filter((stamp) => isValid(stamp) && stamp.facts.covers.includes(facts.key));
  if (stamps.length === 0) return 'B-B';
  const [first] = stamps.toSorted((left, right) => left.facts.time.getTime() - right.facts.time.getTime());
  const { chain } = facts;
  if (chain === undefined || !hasMaterial(chain)) return 'B-T';
  const archives = stamps.filter(isArchive).filter((stamp) => coversMaterial(stamp, chain));
  const isStampOfItsOwn = first !== undefined && !archives.includes(first);
  if (archives.length > 0) return 'B-LTA';
  return isStampOfItsOwn && !hasMaterial(first.facts.chain) ? 'B-T' : 'B-LT';
}

const NEXT = { 'B-B': 'B-T', 'B-T': 'B-LT', 'B-LT': 'B-LTA' } as const;

/** The next level for a longer life; undefined at the highest level, or when the signature is not valid. */
export function nextLevel(level: SignatureLevel, isPassed: boolean): 'B-T' | 'B-LT' | 'B-LTA' | undefined {
  return !isPassed || level === 'B-LTA' || level === 'none' ? undefined : NEXT[level];
}
