import { rename, stat } from 'node:fs/promises';
import { isTooOld } from '../../cms/levels/sign-with-level.ts';
import type { IcpBrasilProfile } from '../../policies/policy-files.ts';
import type { PdfLevel, PdfLevelOptions } from './level.ts';
import { SigningError } from '../../errors.ts';
import { signPdf } from '../signature/sign-pdf.ts';
import type { SignPdfRequest, SignPdfResult } from '../sign-request.ts';
import { addCollectedMaterial } from './collect-material.ts';
import { addDocumentTimestamp, type AddDocumentTimestampResult } from './add-document-timestamp.ts';
import { withoutRepeats } from '../signature/standard-warnings.ts';
import type { RevisionResult } from './add-validation-material.ts';
import { runRevisions, type Revision } from './run-revisions.ts';
import { withSignatureTimestamp, findStoredSignature } from './stored-signatures.ts';
import { keysOf } from '../encryption/standard-security.ts';
import { dropUndefined } from '../../../values/drop-undefined.ts';

/** ICP-Brasil's profiles for PAdES; AD-RV does not exist there. */
export type IcpBrasilPdfProfile = Exclude<IcpBrasilProfile, 'AD-RV'>;

/**
 * The level of a profile (DOC-ICP-15.03 tables A.15, A.22): a signature time stamp from AD-RT on; store and document
 * time stamp for AD-RC and AD-RA, the latter also with `policyArtifacts` (tables A.19, A.20). Undefined for AD-RB: the
 * signature itself. The caller sets names and attributes: `subFilter` `PBAD.PAdES`, and a CMS of profile `cades` with
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

/** Moves the file unchanged, because the evidence of this revision is postponed. */
async function moveUnchanged(from: string, to: string): Promise<RevisionResult> {
  await rename(from, to);
  return { size: (await stat(to)).size };
}

/** Extra bytes reserved after a signature was longer than expected, because the next signature may be longer still. */
const MARGIN = 256;

/** Signs with a signature time stamp, and signs again with more room when the token was longer than announced. */
async function signWithTimestamp(request: SignPdfRequest, { timestamper }: PdfLevelOptions): Promise<SignPdfResult> {
  const { signal } = request;
  const signer = withSignatureTimestamp(request.signer, timestamper, { signal });
  try {
    return await signPdf({ ...request, signer });
  } catch (error) {
    const isTooLong = error instanceof SigningError && error.code === 'SIGNATURE_INVALID';
    if (!isTooLong || signer.longest <= signer.detachedSizeLimit) throw error;
    const room = signer.longest + MARGIN;
    return signPdf({ ...request, signer: withSignatureTimestamp(request.signer, timestamper, { signal, room }) });
  }
}

/**
 * Signs a PDF and brings the new signature to a level in the same output file. The signature time stamp is inside the
 * CMS; material and document time stamp follow in separate updates. `request.signer` signs without a time stamp; a
 * signer with its own time stamps is used unchanged. Earlier signatures stay unchanged and valid.
 *
 * The byte range is the signature's; `size` is the size of the whole output. Rejects with the errors of `signPdf`, the
 * timestamper (`TIMESTAMP_…`, `NETWORK_…`) and the collector (`CERTIFICATE_REVOKED`, `REVOCATION_UNKNOWN`,
 * `CHAIN_INCOMPLETE`); then there is no output.
 *
 * With `olderEvidence` `postpone` the output may stay at B-T: `postponed` says why.
 */
export async function signPdfAtLevel(request: SignPdfRequest, options: PdfLevelOptions): Promise<SignPdfResult> {
  const { inputPath, outputPath, signal } = request;
  const { level, timestamper } = options;
  let signed: SignPdfResult | undefined;
  const sign: Revision<RevisionResult> = async (from, to) => {
    signed = await signWithTimestamp({ ...request, inputPath: from, outputPath: to }, options);
    return signed;
  };
  let postponed: string | undefined;
  const addMaterial: Revision<RevisionResult> = async (from, to) => {
    const fieldName = signed?.fieldName ?? '';
    const more = { ...options, ...keysOf(request), signal };
    try {
      return await addCollectedMaterial(from, to, (_, all) => [findStoredSignature(all, fieldName)], more);
    } catch (error) {
      if (options.olderEvidence !== 'postpone' || !isTooOld(error)) throw error;
      postponed = error.message;
      return moveUnchanged(from, to);
    }
  };
  let stamped: AddDocumentTimestampResult | undefined;
  const addTimestamp: Revision<RevisionResult> = async (from, to) => {
    if (postponed !== undefined) return moveUnchanged(from, to);
    stamped = await addDocumentTimestamp({
      inputPath: from,
      outputPath: to,
      timestamper,
      ...keysOf(request),
      keepStandard: request.options.keepStandard,
      signal,
    });
    return stamped;
  };
  const revisions = [sign, ...(level === 'B-T' ? [] : [addMaterial]), ...(level === 'B-LTA' ? [addTimestamp] : [])];
  const results = await runRevisions(inputPath, outputPath, revisions, signal);
  if (signed === undefined) throw new SigningError('SIGNATURE_INVALID', 'The PDF was not signed.');
  const warnings = withoutRepeats([...signed.warnings, ...(stamped?.warnings ?? [])]);
  return { ...signed, warnings, size: results.at(-1)?.size ?? signed.size, ...dropUndefined({ postponed }) };
}
