import type { IcpBrasilProfile } from '../../policies/policy-terms.ts';
import type { PdfLevel } from './level.ts';

/** ICP-Brasil's profiles for PAdES; AD-RV does not exist there. */
export type IcpBrasilPdfProfile = Exclude<IcpBrasilProfile, 'AD-RV'>;

/**
 * The level of a profile (DOC-ICP-15.03 tables A.15, A.22): a signature time stamp from AD-RT on; store and document
 * time stamp for AD-RC and AD-RA, the latter also with `policyArtifacts` (tables A.19, A.20). Undefined for AD-RB: the
 * signature itself. Names and attributes are the caller's: `subFilter` `PBAD.PAdES`, and a CMS of profile `cades` with
 * `policy` and `omitSigningTime`.
 */
export function icpBrasilPdfLevel(profile: IcpBrasilPdfProfile): PdfLevel | undefined {
  switch (profile) {
    case 'AD-RB':
      return undefined;
    case 'AD-RT':
      return 'B-T';
    case 'AD-RC':
    case 'AD-RA':
      return 'B-LTA';
  }
}
