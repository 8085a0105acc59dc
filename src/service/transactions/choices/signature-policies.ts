import type { SignaturePolicy } from '../transaction.ts';

/** Every policy by name; a version of an ICP-Brasil policy may also be given by its OID. */
// prettier-ignore
export const signaturePolicies = [
  'none', 'B-B', 'B-T', 'B-LT', 'B-LTA', 'AD-RB', 'AD-RT', 'AD-RV', 'AD-RC', 'AD-RA',
] as const satisfies readonly SignaturePolicy[];

/** The arc of ICP-Brasil's signature policies (DOC-ICP-15.03). */
export const icpBrasilArc = '2.16.76.1.7.1';

const isOfArc = (text: string): text is `${typeof icpBrasilArc}.${string}` => /^2\.16\.76\.1\.7\.1(\.\d+)+$/.test(text);

/** The policy with this name in any letter case, or with this OID; undefined for anything else. */
export function parseSignaturePolicy(text: string): SignaturePolicy | undefined {
  const name = text.trim().toLowerCase();
  return isOfArc(name) ? name : signaturePolicies.find((policy) => policy.toLowerCase() === name);
}
