/** The path of a certificate with the facts about each certificate in the path. */
import type { Certificate } from '../../certificates/certificate.ts';
import type { PathProblemCode, PathPurpose, PathResult } from '../../certificates/path/path-result.ts';
import type { TrustAnchors } from '../../certificates/trust/trust-anchors.ts';
import { RevocationOid, readRevocationSources } from '../../revocation/revocation-sources.ts';
import { CLOCK_SKEW, freshUntil, type RevocationProblem } from '../../revocation/revocation-result.ts';
import { type ChainFacts, type LinkFacts, type RevocationFact, certificateKey, objectKey } from '../facts.ts';
import { issuerUse, keyUse } from './algorithm-uses.ts';
import type { PooledEvidence, GatherContext } from './evidence-pool.ts';

/** Dates and strengths are judged by the facts, not by the path. */
const JUDGED_ELSEWHERE: ReadonlySet<PathProblemCode> = new Set([
  'CERTIFICATE_EXPIRED',
  'CERTIFICATE_NOT_YET_VALID',
  'ALGORITHM_WEAK',
]);

function inValidity({ notBefore, notAfter }: Certificate, at: Date): Date {
  if (at < notBefore) return notBefore;
  return at > notAfter ? notAfter : at;
}

/**
 * Valid paths by trust and certificate. A path stays valid while all its certificates are valid, whatever else is
 * known.
 */
const validPaths = new WeakMap<TrustAnchors, WeakMap<Certificate, Map<PathPurpose, PathResult>>>();

const isWithin = ({ path }: PathResult, at: Date): boolean =>
  path.every(({ notBefore, notAfter }) => notBefore <= at && at <= notAfter);

function rememberValid(trust: TrustAnchors, certificate: Certificate, purpose: PathPurpose, result: PathResult): void {
  const byCertificate = validPaths.get(trust) ?? new WeakMap<Certificate, Map<PathPurpose, PathResult>>();
  validPaths.set(trust, byCertificate);
  const byPurpose = byCertificate.get(certificate) ?? new Map<PathPurpose, PathResult>();
  byCertificate.set(certificate, byPurpose.set(purpose, result));
}

/** The path as of now. Without a valid path now, the better of this path and the path at the certificate's own time. */
async function findPath(certificate: Certificate, purpose: PathPurpose, context: GatherContext): Promise<PathResult> {
  const { services, at, pool, signal } = context;
  const { anchors, intermediates } = services.trust;
  const remembered = validPaths.get(services.trust)?.get(certificate)?.get(purpose);
  if (remembered !== undefined && isWithin(remembered, at)) return remembered;
  const known = [...pool.certificates, ...intermediates];
  const build = (time: Date): Promise<PathResult> =>
    services.completePath(
      { certificate, intermediates: known, anchors, at: time, purpose, allowLegacyAlgorithms: true },
      signal,
    );
  const current = await build(at);
  if (current.outcome === 'valid') rememberValid(services.trust, certificate, purpose, current);
  const then = inValidity(certificate, at);
  if (current.outcome === 'valid' || then === at) return current;
  const past = await build(then);
  return past.outcome === 'valid' || past.problems.length < current.problems.length ? past : current;
}

/** The answer of cache and network, as a fact. */
async function askOnline(
  certificate: Certificate,
  issuer: Certificate,
  { services, at, pool, signal }: GatherContext,
): Promise<PooledEvidence> {
  const embedded = { certificates: pool.certificates, ocspResponses: [], crls: [] };
  const cancel = signal === undefined ? {} : { signal };
  const result = await services.revocation.check({ certificate, issuer, at, embedded, ...cancel });
  if (result.status === 'unknown') return { facts: [], problems: result.reasons };
  const { kind, origin, der, thisUpdate, nextUpdate, signer } = result.evidence;
  const revocation = result.status === 'revoked' ? { time: result.time, reason: result.reason } : result.revokedLater;
  const fact: RevocationFact = {
    kind,
    origin,
    // Only embedded data has a provable time of existence; data fetched now has none.
    key: origin === 'embedded' ? objectKey(der) : 'online',
    thisUpdate,
    nextUpdate,
    ...(revocation === undefined ? {} : { revocation }),
    signer,
    algorithms: keyUse(signer),
  };
  return { facts: [fact], problems: [] };
}

const isFresh = (fact: RevocationFact, at: Date): boolean => freshUntil(fact).getTime() + CLOCK_SKEW >= at.getTime();

/** A delegated responder has to be good itself, unless its issuer waives the check (RFC 6960 §4.2.2.2.1). */
async function isGoodSigner(
  { signer, thisUpdate }: RevocationFact,
  issuer: Certificate,
  context: GatherContext,
): Promise<boolean> {
  if (signer.publicKeyInfo.equals(issuer.publicKeyInfo) || signer.extensions.has(RevocationOid.ocspNoCheck))
    return true;
  if (readRevocationSources(signer).crls.length === 0) return true;
  const pooled = await context.pool.evidenceFor(signer, issuer);
  const lists = pooled.facts.filter(({ kind }) => kind === 'crl');
  const facts = lists.length > 0 ? lists : (await askOnline(signer, issuer, context)).facts;
  const [latest] = latestFirst(facts);
  return latest !== undefined && (latest.revocation === undefined || latest.revocation.time > thisUpdate);
}

const latestFirst = (facts: readonly RevocationFact[]): readonly RevocationFact[] =>
  facts.toSorted((left, right) => right.thisUpdate.getTime() - left.thisUpdate.getTime());

const unusableSigner: RevocationProblem = {
  code: 'SIGNATURE_INVALID',
  sentence: 'Whether the certificate of the OCSP responder was revoked cannot be told.',
};

async function gatherEvidence(
  certificate: Certificate,
  issuer: Certificate,
  context: GatherContext,
): Promise<PooledEvidence> {
  if (context.pool.hasNoEvidence) return askOnline(certificate, issuer, context);
  const pooled = await context.pool.evidenceFor(certificate, issuer);
  const facts: RevocationFact[] = [];
  const problems: RevocationProblem[] = [...pooled.problems];
  for (const fact of pooled.facts) {
    if (await isGoodSigner(fact, issuer, context)) facts.push(fact);
    else problems.push(unusableSigner);
  }
  const isEnough = facts.some((fact) => isFresh(fact, context.at));
  if (isEnough || (facts.length > 0 && certificate.notAfter < context.at)) {
    return { facts: latestFirst(facts), problems };
  }
  const online = await askOnline(certificate, issuer, context);
  return { facts: latestFirst([...facts, ...online.facts]), problems: [...problems, ...online.problems] };
}

async function gatherLink(
  certificate: Certificate,
  issuer: Certificate | undefined,
  isAnchor: boolean,
  context: GatherContext,
): Promise<LinkFacts> {
  const evidence =
    isAnchor || issuer === undefined ? { facts: [], problems: [] } : await gatherEvidence(certificate, issuer, context);
  return {
    certificate,
    key: certificateKey(certificate),
    isAnchor,
    algorithms: isAnchor ? keyUse(certificate) : [...keyUse(certificate), ...issuerUse(certificate)],
    evidence: evidence.facts,
    problems: evidence.problems,
  };
}

async function gather(certificate: Certificate, purpose: PathPurpose, context: GatherContext): Promise<ChainFacts> {
  const { path, problems } = await findPath(certificate, purpose, context);
  const { trust } = context.services;
  const last = path.at(-1);
  const reachesAnchor = last !== undefined && trust.isAnchor(last);
  const links: LinkFacts[] = [];
  for (const [index, member] of path.entries()) {
    // Without an anchor no authority's word counts, so no authority is asked.
    const issuer = reachesAnchor ? path[index + 1] : undefined;
    links.push(await gatherLink(member, issuer, reachesAnchor && index === path.length - 1, context));
  }
  return {
    reachesAnchor,
    links,
    problems: problems.filter(({ code }) => !JUDGED_ELSEWHERE.has(code)),
    hierarchy: trust.hierarchyOfPath(path),
  };
}

/** The path of the certificate for this purpose; gathered once in a validation. */
export function gatherChain(
  certificate: Certificate,
  purpose: PathPurpose,
  context: GatherContext,
): Promise<ChainFacts> {
  const key = `${purpose} ${certificate.fingerprint}`;
  const chain = context.chains.get(key) ?? gather(certificate, purpose, context);
  context.chains.set(key, chain);
  return chain;
}
