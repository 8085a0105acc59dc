/** The path of a certificate with the facts about each certificate in the path. */
import { isValidAt, type Certificate } from '../../certificates/certificate.ts';
import { isSameName } from '../../certificates/path/distinguished-name.ts';
import type { PathProblem, PathProblemCode, PathPurpose, PathResult } from '../../certificates/path/path-result.ts';
import type { TrustAnchors } from '../../certificates/trust/trust-anchors.ts';
import type { PathRequest } from '../../certificates/path/build-path.ts';
import { isAfter } from '../../revocation/list-signers.ts';
import { leavesKeyGood, otherPaths } from '../../revocation/other-paths.ts';
import { readRevocationSources } from '../../revocation/revocation-sources.ts';
import { CLOCK_SKEW, freshUntil, isIssuedAfter, type RevocationProblem } from '../../revocation/revocation-result.ts';
import { type ChainFacts, type LinkFacts, type RevocationFact, certificateKey, objectKey } from '../facts.ts';
import { issuerUse, keyUse } from './algorithm-uses.ts';
import type { GatherContext, PooledFact } from './evidence-pool.ts';

/** Dates and strengths are judged later from the facts, not during path building. */
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

const isWithin = ({ path }: PathResult, at: Date): boolean => path.every((certificate) => isValidAt(certificate, at));

function rememberValid(trust: TrustAnchors, certificate: Certificate, purpose: PathPurpose, result: PathResult): void {
  const byCertificate = validPaths.get(trust) ?? new WeakMap<Certificate, Map<PathPurpose, PathResult>>();
  validPaths.set(trust, byCertificate);
  const byPurpose = byCertificate.get(certificate) ?? new Map<PathPurpose, PathResult>();
  byCertificate.set(certificate, byPurpose.set(purpose, result));
}

/** The path as of now. Without a valid path now, the better of this path and the path at the certificate's own time. */
async function findPath(certificate: Certificate, purpose: PathPurpose, context: GatherContext): Promise<PathResult> {
  const { services, at, pool, signal } = context;
  const remembered = validPaths.get(services.trust)?.get(certificate)?.get(purpose);
  if (remembered !== undefined && isWithin(remembered, at)) return remembered;
  const { anchors, intermediates, refused } = services.trust;
  const anchorsFor = services.trust.anchorsFor(purpose);
  // Anchors for other purposes serve as untrusted intermediate certificates.
  const others = anchors.filter((anchor) => !anchorsFor.includes(anchor));
  const known = [...pool.certificates, ...intermediates, ...others];
  const build = (time: Date): Promise<PathResult> =>
    services.completePath(
      {
        certificate,
        intermediates: known,
        anchors: anchorsFor,
        refused,
        at: time,
        purpose,
        allowLegacyAlgorithms: true,
      },
      signal,
    );
  const current = await build(at);
  if (current.outcome === 'valid') rememberValid(services.trust, certificate, purpose, current);
  const then = inValidity(certificate, at);
  if (current.outcome === 'valid' || then === at) return current;
  const past = await build(then);
  return past.outcome === 'valid' || past.problems.length < current.problems.length ? past : current;
}

/** The path above a certificate, from its issuer to the anchor. */
type PathAbove = readonly [Certificate, ...Certificate[]];

const isPathAbove = (path: readonly Certificate[]): path is PathAbove => path.length > 0;

/** Judged revocation data, and the reasons for missing data. */
interface Evidence {
  readonly facts: readonly RevocationFact[];
  readonly problems: readonly RevocationProblem[];
}

/** The answer of cache and network, as a fact. */
async function askOnline(
  certificate: Certificate,
  path: PathAbove,
  { services, at, pool, signal }: GatherContext,
  since?: Date,
): Promise<Evidence> {
  const [issuer] = path;
  const above = path.slice(1);
  const embedded = { certificates: pool.accepted, ocspResponses: [], crls: [] };
  const cancel = { signal, newerThan: since };
  const result = await services.revocation.check({ certificate, issuer, above, at, embedded, ...cancel });
  if (result.status === 'unknown') return { facts: [], problems: result.reasons };
  const { kind, origin, der, thisUpdate, nextUpdate, issuedAt, signer } = result.evidence;
  const revocation = result.status === 'revoked' ? { time: result.time, reason: result.reason } : result.revokedLater;
  const fact: RevocationFact = {
    kind,
    origin,
    // Only embedded data has a provable time of existence; data fetched now has none.
    key: origin === 'embedded' ? objectKey(der) : 'online',
    thisUpdate,
    nextUpdate,
    issuedAt,
    revocation,
    signer,
    algorithms: keyUse(signer),
  };
  return { facts: [fact], problems: [] };
}

const isFresh = (fact: RevocationFact, at: Date): boolean => freshUntil(fact).getTime() + CLOCK_SKEW >= at.getTime();

/**
 * A delegated responder and a separate signer of lists have to be unrevoked themselves (RFC 6960 §4.2.2.2.1, RFC 5280
 * §6.3.3 (f)), by data that is valid at the time of their own statement. `asking` holds the signers under examination,
 * because no signer can vouch for itself. A responder without any source of revocation data is accepted.
 */
async function isGoodSigner(
  { kind, signer, aboveSigner, thisUpdate }: PooledFact,
  context: GatherContext,
  asking: ReadonlySet<string>,
): Promise<boolean> {
  const [issuer, ...above] = aboveSigner;
  if (issuer === undefined) return true;
  if (asking.has(signer.fingerprint)) return namesItself(signer);
  const path: PathAbove = [issuer, ...above];
  const pooled = await judgePooled(signer, path, context, new Set([...asking, signer.fingerprint]));
  const lists = pooled.facts.filter((fact) => fact.kind === 'crl' && isFresh(fact, thisUpdate));
  const { crls, ocsp } = readRevocationSources(signer);
  const hasSource = crls.length > 0 || (kind === 'crl' && ocsp.length > 0);
  const facts = lists.length > 0 || !hasSource ? lists : (await askOnline(signer, path, context)).facts;
  const [latest] = latestFirst(facts);
  if (latest === undefined) return kind === 'ocsp' && !hasSource;
  return latest.revocation === undefined || isAfter(latest.revocation, thisUpdate);
}

/** The authority itself named this signer for the state of the signer's own certificate (RFC 5280 §4.2.1.13). */
const namesItself = (signer: Certificate): boolean =>
  readRevocationSources(signer).points.some(({ crlIssuers = [] }) =>
    crlIssuers.some((name) => isSameName(name, signer.subject)),
  );

const latestFirst = (facts: readonly RevocationFact[]): readonly RevocationFact[] =>
  facts.toSorted((left, right) => right.thisUpdate.getTime() - left.thisUpdate.getTime());

const SIGNER_NAMES = { ocsp: 'OCSP responder', crl: 'signer of the revocation list' } as const;

/** The pool's data about the certificate, without data of signers that are revoked or cannot be judged. */
async function judgePooled(
  certificate: Certificate,
  path: PathAbove,
  context: GatherContext,
  asking: ReadonlySet<string> = new Set(),
): Promise<Evidence> {
  const pooled = await context.pool.evidenceFor(certificate, path);
  const facts: RevocationFact[] = [];
  const problems: RevocationProblem[] = [...pooled.problems];
  for (const { aboveSigner, ...fact } of pooled.facts) {
    if (await isGoodSigner({ aboveSigner, ...fact }, context, asking)) facts.push(fact);
    else {
      const sentence = `The certificate of the ${SIGNER_NAMES[fact.kind]} is revoked, or its status could not be determined.`;
      problems.push({ code: 'SIGNATURE_INVALID', sentence });
    }
  }
  return { facts, problems };
}

/** The pool's data about the certificate, and the answer of cache and network where the pool's data is not enough. */
function gatherEvidence(
  certificate: Certificate,
  path: PathAbove,
  context: GatherContext,
  since?: Date,
): Promise<Evidence> {
  const gatherAll = context.pool.hasNoEvidence ? askOnline : gatherPooled;
  return gatherAll(certificate, path, context, since);
}

/** Data from before `since`, the time of a signature, is not enough: the certificate may have been revoked in between. */
async function gatherPooled(
  certificate: Certificate,
  path: PathAbove,
  context: GatherContext,
  since?: Date,
): Promise<Evidence> {
  const { facts, problems } = await judgePooled(certificate, path, context);
  const isEnough = facts.some(
    (fact) => isFresh(fact, context.at) && (since === undefined || isIssuedAfter(fact.issuedAt, since)),
  );
  if (isEnough || (facts.length > 0 && certificate.notAfter < context.at)) {
    return { facts: latestFirst(facts), problems };
  }
  const online = await askOnline(certificate, path, context, since);
  return { facts: latestFirst([...facts, ...online.facts]), problems: [...problems, ...online.problems] };
}

/** The data inside the file, regardless of the state of its signers. */
async function gatherEmbedded(certificate: Certificate, path: PathAbove, { pool }: GatherContext): Promise<Evidence> {
  const { facts, problems } = await pool.evidenceFor(certificate, path);
  return { facts, problems };
}

const NO_EVIDENCE: Evidence = { facts: [], problems: [] };

async function gatherLink(
  certificate: Certificate,
  path: readonly Certificate[],
  { reachesAnchor, isAnchor }: { readonly reachesAnchor: boolean; readonly isAnchor: boolean },
  context: GatherContext,
  since?: Date,
): Promise<LinkFacts> {
  if (isAnchor || !isPathAbove(path)) return linkFacts(certificate, isAnchor, NO_EVIDENCE);
  // Without an anchor no authority is trusted, so no server is asked: the embedded data only determines the level by
  // form.
  const ask = reachesAnchor ? gatherEvidence : gatherEmbedded;
  return linkFacts(certificate, isAnchor, await ask(certificate, path, context, since));
}

function linkFacts(certificate: Certificate, isAnchor: boolean, evidence: Evidence): LinkFacts {
  return {
    certificate,
    key: certificateKey(certificate),
    isAnchor,
    algorithms: isAnchor ? keyUse(certificate) : [...keyUse(certificate), ...issuerUse(certificate)],
    evidence: evidence.facts,
    problems: evidence.problems,
  };
}

/** Explains why a known root is not trusted for this certificate. */
const explainRoot = (problem: PathProblem, last: Certificate | undefined, { marks }: TrustAnchors): PathProblem =>
  problem.code === 'ROOT_NOT_TRUSTED' && last !== undefined && marks.timeStampsOnly.has(last.fingerprint)
    ? { ...problem, sentence: `The root ${last.commonName} is trusted for time stamps only.` }
    : problem;

/** The facts about the first path, or about another path when the first has an authority without good status. */
async function gather(
  certificate: Certificate,
  purpose: PathPurpose,
  context: GatherContext,
  since?: Date,
): Promise<ChainFacts> {
  const first = await findPath(certificate, purpose, context);
  const chain = await gatherAlong(first, purpose, context, since);
  if (first.outcome !== 'valid' || hasGoodAuthorities(chain)) return chain;
  const { at, pool } = context;
  const { trust } = context.services;
  const request: PathRequest = {
    certificate,
    purpose,
    intermediates: [...pool.certificates, ...trust.intermediates],
    anchors: trust.anchorsFor(purpose),
    refused: trust.refused,
    at: inValidity(certificate, at),
    allowLegacyAlgorithms: true,
  };
  for (const other of otherPaths(request, first.path, compromisedIn(chain))) {
    const second = await gatherAlong(other, purpose, context, since);
    if (hasGoodAuthorities(second)) return second;
  }
  return chain;
}

const authoritiesOf = ({ links }: ChainFacts): readonly LinkFacts[] =>
  links.slice(1).filter(({ isAnchor }) => !isAnchor);

const hasGoodAuthorities = ({ links }: ChainFacts): boolean =>
  links.every(
    ({ isAnchor, evidence: [latest] }, index) =>
      index === 0 || isAnchor || (latest !== undefined && latest.revocation === undefined),
  );

/** Authorities with a revoked key that may no longer be used in any certificate. */
const compromisedIn = (chain: ChainFacts): readonly Certificate[] =>
  authoritiesOf(chain)
    .filter(({ evidence: [latest] }) => latest?.revocation !== undefined && !leavesKeyGood(latest.revocation))
    .map(({ certificate }) => certificate);

async function gatherAlong(
  { path, problems }: PathResult,
  purpose: PathPurpose,
  context: GatherContext,
  since?: Date,
): Promise<ChainFacts> {
  const { trust } = context.services;
  const last = path.at(-1);
  const reachesAnchor = last !== undefined && trust.isAnchor(last, purpose);
  const links: LinkFacts[] = [];
  for (const [index, member] of path.entries()) {
    const isAnchor = reachesAnchor && index === path.length - 1;
    links.push(
      await gatherLink(
        member,
        path.slice(index + 1),
        { reachesAnchor, isAnchor },
        context,
        index === 0 ? since : undefined,
      ),
    );
  }
  return {
    reachesAnchor,
    links,
    problems: problems
      .filter(({ code }) => !JUDGED_ELSEWHERE.has(code))
      .map((problem) => explainRoot(problem, last, trust)),
    hierarchy: trust.hierarchyOfPath(path, purpose),
    isForTimestampsOnly: reachesAnchor && trust.marks.timeStampsOnly.has(last.fingerprint),
  };
}

/**
 * The path of the certificate for this purpose; gathered once in a validation. `since`: the proven or claimed time of
 * the signature made with the certificate.
 */
export function gatherChain(
  certificate: Certificate,
  purpose: PathPurpose,
  context: GatherContext,
  since?: Date,
): Promise<ChainFacts> {
  // A claimed time after the time of validation is ignored.
  const known = since !== undefined && since < context.at ? since : undefined;
  const key = `${purpose} ${certificate.fingerprint} ${known?.getTime() ?? ''}`;
  const chain = context.chains.get(key) ?? gather(certificate, purpose, context, known);
  context.chains.set(key, chain);
  return chain;
}
