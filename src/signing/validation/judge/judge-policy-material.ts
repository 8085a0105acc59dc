/**
 * Judges whether the attributes demanded by a policy belong to this signature and are valid (DOC-ICP-15.03). An
 * attribute of another signature counts as missing.
 */
import { isSameName } from '../../certificates/path/distinguished-name.ts';
import { CadesOid } from '../../cms/cades-oids.ts';
import type { IcpBrasilMaterial } from '../../policies/choose-icp-brasil-policy.ts';
import { certificateKey, type LinkFacts, type MaterialFacts, type SignatureFacts } from '../facts.ts';
import type { SubIndication } from '../validation-report.ts';
import { isValid, type JudgedTimestamp } from './judge-timestamp.ts';
import { indicationOf } from './verdict.ts';

/**
 * The state of a mandatory attribute. `right`: of this signature, and proven. `open`: probably of this signature, but
 * not provable now. `foreign`: of another signature, or broken.
 */
export type Standing =
  | { readonly state: 'right' | 'absent' | 'foreign' }
  | { readonly state: 'open'; readonly subIndication: SubIndication };

const open = (subIndication: SubIndication = 'NO_POE'): Standing => ({ state: 'open', subIndication });
const RIGHT: Standing = { state: 'right' };
const FOREIGN: Standing = { state: 'foreign' };
const ABSENT: Standing = { state: 'absent' };

/** The signature with its judged time stamps, also time stamps of the PDF around it. */
export interface StampedSignature {
  readonly facts: SignatureFacts;
  readonly stamps: readonly JudgedTimestamp[];
}

/** True for an undamaged token whose imprint does not belong to other data. */
const mayBelong = ({ damage, integrity, imprint, indexProblem }: JudgedTimestamp['facts']): boolean =>
  damage === undefined && integrity.outcome !== 'broken' && imprint !== 'wrong' && indexProblem === undefined;

/** The state of time stamps of one kind: at least one has to be valid and cover this signature. */
function standingOfStamps(stamps: readonly JudgedTimestamp[]): Standing {
  if (stamps.length === 0) return ABSENT;
  if (stamps.some(isValid)) return RIGHT;
  const undecided = stamps.find(
    ({ facts, judgement }) => mayBelong(facts) && indicationOf(judgement.failure?.subIndication) === 'INDETERMINATE',
  );
  return undecided === undefined ? FOREIGN : open(undecided.judgement.failure?.subIndication);
}

/**
 * Compares the wanted things with the present things: all, some or none. Without a path the wanted things are unknown.
 */
function standingOf<Thing>(wanted: readonly Thing[], isThere: (thing: Thing) => boolean): Standing {
  if (wanted.length === 0) return open();
  const count = wanted.filter(isThere).length;
  if (count === wanted.length) return RIGHT;
  return count === 0 ? FOREIGN : open();
}

const NO_MATERIAL: MaterialFacts = {
  referenced: new Set(),
  listIssuers: [],
  certificateValues: new Set(),
  revocationValues: new Set(),
};

/** Certificates above the signer's; of a signer directly below the anchor, the anchor. */
function authoritiesOf(links: readonly LinkFacts[]): readonly LinkFacts[] {
  const above = links.slice(1);
  const between = above.filter(({ isAnchor }) => !isAnchor);
  return between.length > 0 ? between : above;
}

/** Certificates of a trusted path whose revocation data counts. */
const belowAnchor = ({ chain }: SignatureFacts): readonly LinkFacts[] =>
  chain?.reachesAnchor === true ? chain.links.filter(({ isAnchor }) => !isAnchor) : [];

/** References have to name the available revocation data about the signer's certificate, or a list of its issuer. */
function standingOfRevocationReferences(facts: SignatureFacts, stamps: readonly JudgedTimestamp[]): Standing {
  const { referenced, listIssuers } = facts.material ?? NO_MATERIAL;
  const isNamed = ({ certificate, evidence }: LinkFacts): boolean =>
    evidence.some(({ key }) => referenced.has(key)) ||
    listIssuers.some((issuer) => isSameName(issuer, certificate.issuer));
  const wanted = belowAnchor(facts);
  const standing = standingOf(wanted, isNamed);
  if (standing.state === 'right') return standing;
  // Without revocation data about the signer at hand, offline for instance, nothing can be compared with the references.
  if (wanted[0]?.evidence.length === 0) return open();
  // For unavailable responses, only a time stamp over signature and references links the references to the signature.
  const isTied = stamps.some((stamp) => stamp.facts.role === 'references' && isValid(stamp));
  return isTied && listIssuers.length === 0 ? RIGHT : standing;
}

function standingOfRevocationValues(facts: SignatureFacts): Standing {
  const { revocationValues } = facts.material ?? NO_MATERIAL;
  const [leaf, ...others] = belowAnchor(facts);
  if (leaf === undefined) return open();
  if (!leaf.evidence.some(({ key }) => revocationValues.has(key))) return FOREIGN;
  const isCovered = ({ evidence }: LinkFacts): boolean => evidence.some(({ origin }) => origin === 'embedded');
  return others.every(isCovered) ? RIGHT : open();
}

const OIDS = {
  signatureTimeStampToken: CadesOid.signatureTimeStamp,
  escTimeStamp: CadesOid.referencesTimeStamp,
  archiveTimeStampV2: CadesOid.archiveTimeStampV2,
  certificateRefs: CadesOid.certificateReferences,
  revocationRefs: CadesOid.revocationReferences,
  certValues: CadesOid.certificateValues,
  revocationValues: CadesOid.revocationValues,
} as const;

/** The state of one mandatory unsigned attribute. */
export function standingOfMaterial(name: IcpBrasilMaterial, { facts, stamps }: StampedSignature): Standing {
  const links = facts.chain?.links ?? [];
  const { referenced, certificateValues } = facts.material ?? NO_MATERIAL;
  switch (name) {
    case 'documentTimeStamp':
      return standingOfStamps(stamps.filter((stamp) => stamp.facts.role === 'document'));
    case 'documentSecurityStore': {
      const isStored = ({ evidence }: LinkFacts): boolean => evidence.some(({ origin }) => origin === 'embedded');
      const standing = standingOf(belowAnchor(facts), isStored);
      return standing.state === 'foreign' ? ABSENT : standing;
    }
    case 'signatureTimeStampToken':
    case 'escTimeStamp':
    case 'archiveTimeStampV2':
      return standingOfStamps(stamps.filter((stamp) => stamp.facts.attribute === OIDS[name]));
    case 'certificateRefs':
    case 'revocationRefs':
    case 'certValues':
    case 'revocationValues':
      break;
  }
  if (!facts.unsignedAttributes.has(OIDS[name])) return ABSENT;
  switch (name) {
    case 'certificateRefs':
      return standingOf(authoritiesOf(links), ({ certificate }) => referenced.has(certificateKey(certificate)));
    case 'certValues': {
      const isThere = links.some(({ certificate }) => certificateValues.has(certificateKey(certificate)));
      return isThere ? RIGHT : links.length < 2 ? open() : FOREIGN;
    }
    case 'revocationRefs':
      return standingOfRevocationReferences(facts, stamps);
    case 'revocationValues':
      return standingOfRevocationValues(facts);
  }
}

/** True when everything demanded by a policy is present and belongs to this signature, proven now or not. */
export const hasMaterialOf = (demanded: readonly IcpBrasilMaterial[], subject: StampedSignature): boolean =>
  demanded.every((name) => ['right', 'open'].includes(standingOfMaterial(name, subject).state));
