/** Validation time sliding (EN 319 102-1 §5.6.2.2): back to a time with a reliable path. */
import type { ObjectKey, ChainFacts, LinkFacts, RevocationFact } from '../facts.ts';
import { CLOCK_SKEW, freshUntil } from '../../revocation/revocation-result.ts';
import { reliableUntil, type AlgorithmPolicy } from './algorithm-policy.ts';

/** Proven times of existence (EN 319 102-1 §5.6.2.3): the earliest proven time of each object. */
export class Proofs {
  readonly #earliest = new Map<ObjectKey, Date>();

  /** Every available object exists now. Without a proof no earlier time is known. */
  existedAt(key: ObjectKey): Date | undefined {
    return this.#earliest.get(key);
  }

  add(key: ObjectKey, at: Date): void {
    const known = this.#earliest.get(key);
    if (known === undefined || at < known) this.#earliest.set(key, at);
  }
}

/** Shared state of one validation's judgement. */
export interface JudgeContext {
  /** The time of validation. */
  readonly at: Date;
  readonly proofs: Proofs;
}

const earlier = (left: Date, right: Date | undefined): Date => (right !== undefined && right < left ? right : left);

/** The earliest known time of existence: proven, or the time of validation. */
const knownAt = ({ proofs, at }: JudgeContext, key: string): Date => proofs.existedAt(key) ?? at;

/** Evidence usable at the control time: issued, proven, and with a signer's certificate valid at the control time. */
function usableEvidence(link: LinkFacts, control: Date, context: JudgeContext): RevocationFact | undefined {
  return link.evidence.find((fact) => {
    const known = knownAt(context, fact.key);
    return (
      fact.thisUpdate.getTime() <= control.getTime() + CLOCK_SKEW && known <= control && known <= fact.signer.notAfter
    );
  });
}

/** The control time after one certificate; undefined: a proof is missing. */
function slideOver(
  link: LinkFacts,
  control: Date,
  reference: Date,
  policy: AlgorithmPolicy,
  context: JudgeContext,
): Date | undefined {
  const fact = usableEvidence(link, control, context);
  if (fact === undefined || knownAt(context, link.key) > control) return undefined;
  const isFresh = freshUntil(fact).getTime() + CLOCK_SKEW >= reference.getTime();
  const afterStatus =
    fact.revocation === undefined ? (isFresh ? control : fact.thisUpdate) : earlier(control, fact.revocation.time);
  const weakSince = reliableUntil([...link.algorithms, ...fact.algorithms], policy);
  return earlier(earlier(earlier(control, afterStatus), link.certificate.notAfter), weakSince);
}

/**
 * The latest time of a good path. Revocation data is fresh when it reaches `reference`, the time of the requested
 * revocation status: this is the freshness constraint. Undefined: a proof is missing (NO_POE).
 */
export function slideTime(
  chain: ChainFacts,
  reference: Date,
  policy: AlgorithmPolicy,
  context: JudgeContext,
): Date | undefined {
  const anchor = chain.links.at(-1);
  let control: Date | undefined = earlier(context.at, anchor?.certificate.notAfter);
  for (const link of chain.links.slice(0, -1).toReversed()) {
    control = slideOver(link, control, reference, policy, context);
    if (control === undefined) return undefined;
  }
  return control;
}
