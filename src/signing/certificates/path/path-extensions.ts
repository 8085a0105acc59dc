/** The certificate extensions used by path validation (RFC 5280 §4.2), read once per certificate. */
import { Oid } from '../../der/oids.ts';
import {
  Tag,
  contextTag,
  primitiveContextTag,
  readDer,
  readOid,
  readSmallInteger,
  type DerElement,
} from '../../der/reader.ts';
import { SigningError } from '../../errors.ts';
import type { Certificate } from '../certificate.ts';
import { readGeneralName, type GeneralName } from './distinguished-name.ts';

/** Object identifiers of the extensions (RFC 5280 §4.2.1). */
export const PathOid = {
  issuerAlternativeName: '2.5.29.18',
  nameConstraints: '2.5.29.30',
  crlDistributionPoints: '2.5.29.31',
  anyPolicy: '2.5.29.32.0',
  policyMappings: '2.5.29.33',
  policyConstraints: '2.5.29.36',
  anyExtendedKeyUsage: '2.5.29.37.0',
  freshestCrl: '2.5.29.46',
  inhibitAnyPolicy: '2.5.29.54',
  authorityInformationAccess: '1.3.6.1.5.5.7.1.1',
  qualifiedStatements: '1.3.6.1.5.5.7.1.3',
} as const;

/** Permitted and excluded subtrees (RFC 5280 §4.2.1.10). */
export interface NameConstraints {
  readonly permitted: readonly GeneralName[];
  readonly excluded: readonly GeneralName[];
}

/** The extensions of a certificate with meaning for paths. */
export interface PathExtensions {
  readonly pathLength: number | undefined;
  readonly nameConstraints: NameConstraints | undefined;
  readonly alternativeNames: readonly GeneralName[];
  /** Policies without repetition; undefined without the extension. */
  readonly policies: ReadonlySet<string> | undefined;
  /** Pairs of issuer's and subject's policy. */
  readonly policyMappings: readonly (readonly [issuer: string, subject: string])[];
  readonly requireExplicitPolicy: number | undefined;
  readonly inhibitPolicyMapping: number | undefined;
  readonly inhibitAnyPolicy: number | undefined;
}

function malformed(detail: string): never {
  throw new SigningError('CERTIFICATE_MALFORMED', detail);
}

function readPathLength(constraints: DerElement | undefined): number | undefined {
  const length = constraints?.expect(Tag.sequence, 'the basic constraints').find(Tag.integer);
  return length && readSmallInteger(length, 'the path length');
}

/**
 * RFC 5280 §4.2.1.10 does not use minimum and maximum. A subtree with either field is refused, because the field would
 * change its meaning.
 */
function readSubtrees(list: DerElement | undefined): readonly GeneralName[] {
  return (list?.children ?? []).map((subtree) => {
    const [base, ...distances] = subtree.expect(Tag.sequence, 'a subtree').children;
    if (base === undefined || distances.length > 0) malformed('A name constraint has a minimum or maximum distance.');
    return readGeneralName(base);
  });
}

function readNameConstraints(element: DerElement | undefined): NameConstraints | undefined {
  if (element === undefined) return undefined;
  element.expect(Tag.sequence, 'the name constraints');
  if (element.children.length === 0) malformed('The name constraints are empty.');
  return {
    permitted: readSubtrees(element.find(contextTag(0))),
    excluded: readSubtrees(element.find(contextTag(1))),
  };
}

function readPolicies(element: DerElement | undefined): ReadonlySet<string> | undefined {
  if (element === undefined) return undefined;
  const policies = new Set<string>();
  for (const information of element.expect(Tag.sequence, 'the certificate policies').children) {
    const policy = readOid(information.child(0, 'a certificate policy'), 'a certificate policy');
    if (policies.has(policy)) malformed(`The certificate policy ${policy} stands twice in a certificate.`);
    policies.add(policy);
  }
  if (policies.size === 0) malformed('The certificate policies are empty.');
  return policies;
}

function readPolicyMappings(element: DerElement | undefined): PathExtensions['policyMappings'] {
  return (element?.expect(Tag.sequence, 'the policy mappings').children ?? []).map((mapping) => {
    const issuer = readOid(mapping.child(0, "an issuer's policy"), "an issuer's policy");
    const subject = readOid(mapping.child(1, "a subject's policy"), "a subject's policy");
    // RFC 5280 §6.1.4 (a)
    if (issuer === PathOid.anyPolicy || subject === PathOid.anyPolicy) malformed('A policy mapping maps any policy.');
    return [issuer, subject] as const;
  });
}

/** A primitive `[number]` INTEGER, as in PolicyConstraints. */
function readSkip(constraints: DerElement | undefined, number: number): number | undefined {
  const skip = constraints?.find(primitiveContextTag(number));
  if (skip === undefined) return undefined;
  const { content } = skip;
  if (content.length === 0 || content.length > 4 || (content[0] ?? 0) & 0x80)
    malformed('A policy constraint is damaged.');
  return content.readUIntBE(0, content.length);
}

function readAll(certificate: Certificate): PathExtensions {
  const element = (oid: string): DerElement | undefined => {
    const extension = certificate.extensions.get(oid);
    return extension && readDer(extension.value);
  };
  const constraints = element(PathOid.policyConstraints);
  const inhibitAny = element(PathOid.inhibitAnyPolicy);
  return {
    pathLength: readPathLength(element(Oid.basicConstraints)),
    nameConstraints: readNameConstraints(element(PathOid.nameConstraints)),
    alternativeNames: (element(Oid.subjectAlternativeName)?.children ?? []).map(readGeneralName),
    policies: readPolicies(element(Oid.certificatePolicies)),
    policyMappings: readPolicyMappings(element(PathOid.policyMappings)),
    requireExplicitPolicy: readSkip(constraints, 0),
    inhibitPolicyMapping: readSkip(constraints, 1),
    inhibitAnyPolicy: inhibitAny && readSmallInteger(inhibitAny, 'the number of certificates'),
  };
}

const known = new WeakMap<Certificate, PathExtensions>();

/** The certificate's extensions for path validation. Throws `CERTIFICATE_MALFORMED`, `DER_MALFORMED`. */
export function readPathExtensions(certificate: Certificate): PathExtensions {
  const extensions = known.get(certificate) ?? readAll(certificate);
  known.set(certificate, extensions);
  return extensions;
}
