/** The levels and policies that a request may name, for every interface and for the window. */

/** The levels of ETSI EN 319 122-1 and EN 319 142-1. */
export const baselineLevels = ['B-B', 'B-T', 'B-LT', 'B-LTA'] as const;

/**
 * The profiles of ICP-Brasil's policies; each names the newest version that fits (DOC-ICP-15.03). The core has a list of
 * its own, `ICP_BRASIL_PROFILES` of `signing/policies/policy-files.ts`, because it imports no other room.
 */
export const icpBrasilProfiles = ['AD-RB', 'AD-RT', 'AD-RV', 'AD-RC', 'AD-RA'] as const;

/** Every policy by name; a version of an ICP-Brasil policy may also be given by its OID. */
export const signaturePolicies = ['none', ...baselineLevels, ...icpBrasilProfiles] as const;

/** Policies whose signatures carry no time stamp. */
export const policiesWithoutStamp: readonly string[] = [
  'none',
  'B-B',
  'AD-RB',
] satisfies (typeof signaturePolicies)[number][];

/** The arc of ICP-Brasil's signature policies (DOC-ICP-15.03). */
export const icpBrasilArc = '2.16.76.1.7.1';

/** True if a policy is AD-RA, by name or by the OID of a version: kinds 5 and 15 (DOC-ICP-15.03). */
export const isArchivalPolicy = (policy: string): boolean =>
  /^(ad-ra|2\.16\.76\.1\.7\.1\.1?5\..*)$/i.test(policy.trim());
