/** Facts about a time stamp token at any place. */
import { contentOfBytes } from '../../signed-data/content.ts';
import type { ReadableDigestAlgorithm } from '../../algorithms/algorithms.ts';
import { verifySigner, type SignerVerification } from '../../signed-data/verify-signer.ts';
import { SigningError } from '../../errors.ts';
import { openTimestampToken, type OpenToken } from '../../timestamps/timestamp-token.ts';
import { type IntegrityFacts, type ObjectKey, type TimestampFacts, objectKey } from '../facts.ts';
import type { AlgorithmUse } from '../judge/algorithm-policy.ts';
import type { TimestampRole } from '../validation-report.ts';
import { keyUse, signerUses } from './algorithm-uses.ts';
import { gatherChain } from './gather-chain.ts';
import type { GatherContext } from './evidence-pool.ts';

/** The data under a token at its place. */
export interface Stamped {
  /** Possible digests of the imprint; empty: the stamped data could not be read. */
  readonly imprints: readonly Buffer[];
  readonly covers: readonly ObjectKey[];
  readonly indexProblem?: string;
}

/** The place of a token, and a way to find the stamped data. */
export interface TokenPlace {
  readonly role: TimestampRole;
  /** OID of the attribute with the token. */
  readonly attribute?: string;
  readonly der: Buffer;
  /** Other bytes may follow, as in a PDF's `Contents`. */
  readonly padded?: boolean;
  readonly stamped: (algorithm: ReadableDigestAlgorithm) => Promise<Stamped> | Stamped;
}

/** The outcome of a signer's verification, without its other facts. */
export function integrityOf({ outcome, problem, reason }: SignerVerification): IntegrityFacts {
  return {
    outcome,
    problem,
    reason,
  };
}

const DAMAGED: IntegrityFacts = { outcome: 'broken', problem: 'damaged' };

const inAttribute = ({ attribute }: Pick<TokenPlace, 'attribute'>) => ({ attribute });

/** Facts about a token that cannot be read; `damage` is a sentence. */
export function damagedTimestamp(
  place: Pick<TokenPlace, 'role' | 'attribute' | 'der'>,
  damage: string,
): TimestampFacts {
  const { role, der } = place;
  const base = {
    role,
    ...inAttribute(place),
    key: objectKey(der),
    damage,
    time: new Date(0),
    integrity: { ...DAMAGED, reason: damage },
  };
  return { ...base, imprint: 'wrong', algorithms: [], covers: [] };
}

function judgeImprint(
  { value }: OpenToken['token']['imprint'],
  imprints: readonly Buffer[],
): TimestampFacts['imprint'] {
  if (imprints.length === 0) return 'unknown';
  return imprints.some((imprint) => imprint.equals(value)) ? 'right' : 'wrong';
}

/** A token's signer has to name its certificate (RFC 3161 §2.4.1 with RFC 5816). */
function withName(verified: SignerVerification): IntegrityFacts {
  if (verified.outcome !== 'intact' || verified.signingCertificateMatches === true) return integrityOf(verified);
  const reason = 'The signed attributes of the time stamp do not name its signer’s certificate.';
  return { outcome: 'broken', problem: 'certificate-not-named', reason };
}

async function gather(place: TokenPlace, context: GatherContext): Promise<TimestampFacts> {
  const { role, der, padded = false, stamped } = place;
  const { token, signedData, content } = openTimestampToken(der, padded);
  const [signer] = signedData.signers;
  if (signer === undefined) return damagedTimestamp(place, 'Nobody signed the time stamp.');
  const certificates = [...signedData.certificates, ...context.pool.certificates];
  const verified = await verifySigner(signer, { ...signedData, certificates }, contentOfBytes(content));
  const { certificate } = verified;
  const what = await stamped(token.imprint.algorithm);
  const imprintUse: AlgorithmUse = { kind: 'hash', name: token.imprint.algorithm };
  return {
    role,
    ...inAttribute(place),
    key: objectKey(token.der),
    time: token.time,
    integrity: withName(verified),
    imprint: judgeImprint(token.imprint, what.imprints),
    imprintAlgorithm: token.imprint.algorithm,
    indexProblem: what.indexProblem,
    certificate,
    chain: certificate && (await gatherChain(certificate, 'time-stamping', context)),
    algorithms: [imprintUse, ...signerUses(signer), ...(certificate === undefined ? [] : keyUse(certificate))],
    covers: what.covers,
  };
}

/** Gathers the facts of a token; a damaged token is a fact, not an error. */
export async function gatherTimestamp(place: TokenPlace, context: GatherContext): Promise<TimestampFacts> {
  try {
    return await gather(place, context);
  } catch (error) {
    if (!(error instanceof SigningError) || error.code === 'CANCELLED') throw error;
    return damagedTimestamp(place, error.message);
  }
}
