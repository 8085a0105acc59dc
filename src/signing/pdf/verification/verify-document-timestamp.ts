import type { DigestOf } from '../../signed-data/content.ts';
import { SigningError } from '../../errors.ts';
import { readTimestampToken } from '../../timestamps/read-timestamp-token.ts';
import { verifyTimestampToken } from '../../timestamps/verify-timestamp-token.ts';
import type { PdfSignatureVerification } from './verify-result.ts';

const OUTCOMES = { valid: 'intact', invalid: 'broken', unknown: 'unknown' } as const;

/**
 * Verifies a document time stamp: its imprint against the digest of the byte range, and its authority's signature.
 * Trust in the authority is not checked. Rejects with the errors of `digestOf`.
 *
 * @param contents the bytes of `Contents`, padding included
 */
export async function verifyDocumentTimestamp(
  contents: Buffer,
  digestOf: DigestOf,
): Promise<Pick<PdfSignatureVerification, 'outcome' | 'problem' | 'timestamp'>> {
  try {
    const timestamp = readTimestampToken(contents, true);
    const { algorithm } = timestamp.imprint;
    const imprint = { algorithm, value: await digestOf(algorithm) };
    const { outcome, problem } = await verifyTimestampToken(timestamp, { imprint, at: timestamp.time });
    return { outcome: OUTCOMES[outcome], ...(problem === undefined ? {} : { problem }), timestamp };
  } catch (error) {
    if (!(error instanceof SigningError)) throw error;
    return { outcome: error.code.endsWith('_UNSUPPORTED') ? 'unknown' : 'broken', problem: error.message };
  }
}
