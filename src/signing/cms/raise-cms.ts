import type { CmsLevel, LevelServices } from './levels/cms-level.ts';
import { openMessage, withMessageContent, writeMessage } from './levels/open-message.ts';
import { raiseSigners } from './levels/raise-signers.ts';
import type { DetachedContent } from '../signed-data/verify-cms.ts';

/** The level of the extended signature, and the content. */
export interface RaiseCmsRequest extends LevelServices {
  readonly level: CmsLevel;
  /** Detached content; needed for `B-LTA` (a digest is enough) and `AD-RA`. */
  readonly content?: DetachedContent;
  /** Index of the signer to extend, from 0 in the file's order; by default all signers. */
  readonly signerIndex?: number;
}

/**
 * Extends an existing signature, DER, BER or PEM, without changing any signed part; the result is DER. Existing
 * evidence is kept and not made again, except for archive time stamps: each new stamp covers the earlier stamps.
 *
 * Rejects with `CMS_MALFORMED`, `CMS_UNSUPPORTED` (needed content is missing, or an archive time stamp covers a part
 * that would change), `TIMESTAMP_…`, `NETWORK_…`, `REVOCATION_UNKNOWN`, `CERTIFICATE_REVOKED`, `CHAIN_INCOMPLETE`,
 * `CANCELLED`, and the system's own errors.
 */
export async function raiseCms(cms: Uint8Array, request: RaiseCmsRequest): Promise<Buffer> {
  const { level, content: given, signerIndex, ...services } = request;
  const message = openMessage(cms);
  const indexes = signerIndex === undefined ? message.envelope.signers.map((_, index) => index) : [signerIndex];
  const raised = await withMessageContent(message, given, (content) =>
    raiseSigners(message.envelope, indexes, { level, services, content }),
  );
  return writeMessage(raised, message.encapsulated);
}
