import type { CmsLevel, LevelServices } from './levels/cms-level.ts';
import { openMessage, withMessageContent, writeMessage } from './levels/open-message.ts';
import { raiseSigners } from './levels/raise-signers.ts';
import type { DetachedContent } from './verify-cms.ts';

/** What an existing signature is to become. */
export interface RaiseCmsRequest extends LevelServices {
  readonly level: CmsLevel;
  /** Detached content; needed for `B-LTA` (a digest is enough) and `AD-RA`. */
  readonly content?: DetachedContent;
  /** Which signer is raised, counted from 0 as they stand; by default all. */
  readonly signerIndex?: number;
}

/**
 * Raises the level of an existing signature, DER, BER or PEM, without touching what is signed; the result is DER. What a
 * level needs and the signature has already is not made twice, but archive time stamps are: each covers those before.
 *
 * Rejects with `CMS_MALFORMED`, `CMS_UNSUPPORTED` (the content is needed and not given, or an archive time stamp covers
 * what would change), `TIMESTAMP_…`, `NETWORK_…`, `REVOCATION_UNKNOWN`, `CERTIFICATE_REVOKED`, `CHAIN_INCOMPLETE`,
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
