/** Name constraints (RFC 5280 §4.2.1.10): the names allowed below an authority. */
import { Oid } from '../../der/oids.ts';
import { Tag, readDer } from '../../der/reader.ts';
import type { Certificate } from '../certificate.ts';
import {
  isWithinSubtree,
  readRelativeNames,
  GeneralNameKind,
  generalNameText,
  type GeneralName,
} from './distinguished-name.ts';
import { readPathExtensions, type NameConstraints } from './path-extensions.ts';

/** Maximum number of comparisons of names with subtrees for one certificate; honest certificates need a few hundred. */
const MAX_COMPARISONS = 250_000;

/** A constraint broken by a certificate's names, or a constraint that cannot be judged here. */
export interface NameViolation {
  readonly code: 'NAME_NOT_PERMITTED' | 'NAME_CONSTRAINT_UNSUPPORTED';
  readonly sentence: string;
}

/** A constraint, or a name under a constraint, that cannot be judged. Thrown inside this file only. */
class Unjudgeable extends Error {}

const KIND_NAMES: ReadonlyMap<number, string> = new Map([
  [GeneralNameKind.email, 'an e-mail address'],
  [GeneralNameKind.dns, 'a host name'],
  [GeneralNameKind.directory, 'a directory name'],
  [GeneralNameKind.uri, 'a URI'],
  [GeneralNameKind.ipAddress, 'an IP address'],
]);

const kindName = (kind: number): string => KIND_NAMES.get(kind) ?? 'a name of another kind';

const lowerText = (name: GeneralName): string => generalNameText(name).toLowerCase();

/** The host itself or, for a constraint with a leading dot, any host below the domain. */
const isHostOf = (host: string, constraint: string): boolean =>
  constraint.startsWith('.') ? host.endsWith(constraint) : host === constraint;

/** Any number of labels may be added on the left. `*` at the left of `name` stands for one label. */
function isDnsWithin(name: string, constraint: string, excluding: boolean): boolean {
  if (constraint === '') return true;
  const suffix = constraint.startsWith('.') ? constraint : `.${constraint}`;
  if (name === constraint || name.endsWith(suffix)) return true;
  // A wildcard that matches an excluded host is excluded too.
  return excluding && name.startsWith('*.') && constraint.replace(/^\.?[^.]+/, '') === name.slice(1);
}

/** A host name has labels, and none of them is empty (RFC 5280 §4.2.1.6, RFC 1034 §3.5). */
function checkHost(host: string): void {
  if (host.split('.').includes('')) throw new Unjudgeable('a host name with an empty label');
}

function isEmailWithin(name: GeneralName, constraint: GeneralName): boolean {
  const address = generalNameText(name);
  const at = address.lastIndexOf('@');
  if (at <= 0) throw new Unjudgeable('an e-mail address without a host');
  // Only a quoted local part may hold another at sign (RFC 5321 §4.1.2).
  if (address.slice(0, at).includes('@') && !/^".*"$/s.test(address.slice(0, at))) {
    throw new Unjudgeable('an e-mail address with two hosts');
  }
  checkHost(address.slice(at + 1));
  const limit = generalNameText(constraint);
  const host = address.slice(at + 1).toLowerCase();
  const limitAt = limit.lastIndexOf('@');
  // Only the host part ignores case (RFC 5280 §7.5).
  if (limitAt > 0)
    return address.slice(0, at) === limit.slice(0, limitAt) && host === limit.slice(limitAt + 1).toLowerCase();
  return isHostOf(host, limit.toLowerCase());
}

function isUriWithin(name: GeneralName, constraint: GeneralName): boolean {
  const match = /^[a-z][a-z0-9+.-]*:\/\/(?:[^@/?#]*@)?([^:/?#[\]]+)/i.exec(generalNameText(name));
  const host = match?.[1]?.toLowerCase();
  if (host === undefined || /^[\d.]+$/.test(host)) throw new Unjudgeable('a URI without a host name');
  return isHostOf(host, lowerText(constraint));
}

/** True when all 1 bits of the mask come before its 0 bits (RFC 4632). */
function isPrefixMask(mask: Buffer): boolean {
  const bits = [...mask].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  return /^1*0*$/.test(bits);
}

function isAddressWithin({ value }: GeneralName, constraint: GeneralName): boolean {
  const { length } = constraint.value;
  const mask = constraint.value.subarray(length / 2);
  if ((length !== 8 && length !== 32) || !isPrefixMask(mask)) throw new Unjudgeable('a damaged IP address range');
  if (value.length !== 4 && value.length !== 16) throw new Unjudgeable('a damaged IP address');
  if (value.length !== length / 2) return false;
  return mask.every((bits, index) => ((value[index] ?? 0) & bits) === ((constraint.value[index] ?? 0) & bits));
}

function isWithin(name: GeneralName, constraint: GeneralName, excluding: boolean): boolean {
  switch (name.kind) {
    case GeneralNameKind.email:
      return isEmailWithin(name, constraint);
    case GeneralNameKind.dns:
      checkHost(generalNameText(name));
      if (generalNameText(constraint).includes('*')) throw new Unjudgeable('a host name with a wildcard');
      return isDnsWithin(lowerText(name), lowerText(constraint), excluding);
    case GeneralNameKind.directory:
      return isWithinSubtree(name.value, constraint.value);
    case GeneralNameKind.uri:
      return isUriWithin(name, constraint);
    case GeneralNameKind.ipAddress:
      return isAddressWithin(name, constraint);
    default:
      throw new Unjudgeable(`names of kind ${name.kind}`);
  }
}

/** The e-mail addresses of the subject, relevant when the alternative names have no address (RFC 5280 §4.2.1.10). */
function subjectEmails(certificate: Certificate): readonly GeneralName[] {
  return certificate.subjectAttributes
    .filter(({ oid }) => oid === Oid.emailAddress)
    .map(({ value }) => ({ kind: GeneralNameKind.email, value: Buffer.from(value, 'latin1') }));
}

/** All names of a certificate under constraints. Throws `CERTIFICATE_MALFORMED`, `DER_MALFORMED`. */
export function namesUnderConstraint(certificate: Certificate): readonly GeneralName[] {
  const { alternativeNames } = readPathExtensions(certificate);
  const hasSubject = readDer(certificate.subject).expect(Tag.sequence, 'the subject').children.length > 0;
  return [
    ...alternativeNames,
    ...(hasSubject ? [{ kind: GeneralNameKind.directory, value: certificate.subject }] : []),
    ...(alternativeNames.some(({ kind }) => kind === GeneralNameKind.email) ? [] : subjectEmails(certificate)),
  ];
}

function judge(name: GeneralName, { permitted, excluded }: NameConstraints): NameViolation | undefined {
  const inForm = (subtrees: readonly GeneralName[]): readonly GeneralName[] =>
    subtrees.filter(({ kind }) => kind === name.kind);
  const limits = inForm(permitted);
  const isExcluded = inForm(excluded).some((subtree) => isWithin(name, subtree, true));
  if (isExcluded || (limits.length > 0 && !limits.some((subtree) => isWithin(name, subtree, false)))) {
    const sentence = `An authority above forbids ${kindName(name.kind)} that the certificate has.`;
    return { code: 'NAME_NOT_PERMITTED', sentence };
  }
  return undefined;
}

/**
 * The first violation of an authority's constraints by the certificate's names, or undefined. A constraint on an
 * unsupported form of name is a violation by any certificate with a name of this form. Throws `CERTIFICATE_MALFORMED`,
 * `DER_MALFORMED`.
 */
export function findNameViolation(certificate: Certificate, constraints: NameConstraints): NameViolation | undefined {
  const names = namesUnderConstraint(certificate);
  const subtrees = constraints.permitted.length + constraints.excluded.length;
  if (names.length * subtrees > MAX_COMPARISONS) {
    return {
      code: 'NAME_CONSTRAINT_UNSUPPORTED',
      sentence: 'There are too many names and name constraints to compare.',
    };
  }
  try {
    // Reading every name here finds a damaged name even without a constraint on its form.
    for (const { kind, value } of names) if (kind === GeneralNameKind.directory) readRelativeNames(value);
    for (const name of names) {
      const violation = judge(name, constraints);
      if (violation !== undefined) return violation;
    }
    return undefined;
  } catch (error) {
    if (!(error instanceof Unjudgeable)) throw error;
    const sentence = `A name constraint cannot be judged here: ${error.message}.`;
    return { code: 'NAME_CONSTRAINT_UNSUPPORTED', sentence };
  }
}
