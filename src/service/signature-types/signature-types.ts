import { signatureForm, type SignatureType } from '../../request/signature-types.ts';
import { fitFileName } from '../../text/file-name.ts';
import { withoutUnseen } from '../../text/visible-text.ts';

export { signatureForm, type SignatureForm, type SignatureType } from '../../request/signature-types.ts';

/** Media types of results (RFC 8551 §3.2, RFC 5652; ISO 32000). */
export type ResultMediaType =
  | 'application/pdf'
  | 'application/pkcs7-mime; smime-type=signed-data'
  | 'application/pkcs7-signature'
  | 'application/octet-stream';

/**
 * `contract.pdf` → `contract-signed.pdf`; others get `.p7m` if the signature contains the content, `.sig` if it is bare,
 * else `.p7s`.
 * Invisible characters are removed from the name, and a name that no disk can keep is shortened.
 */
export function resultFileName(original: string, type: SignatureType, suffix = '-signed'): string {
  const { container, attached } = signatureForm(type);
  const name = withoutUnseen(original).trim();
  if (container === 'pdf') return fitFileName(name.replace(/\.pdf$/i, '') || 'document', `${suffix}.pdf`);
  const detached = container === 'raw' ? '.sig' : '.p7s';
  return fitFileName(name || 'document', attached ? '.p7m' : detached);
}

/** The media type of a result. */
export function resultMediaType(type: SignatureType): ResultMediaType {
  const { container, attached } = signatureForm(type);
  if (container === 'pdf') return 'application/pdf';
  if (container === 'raw') return 'application/octet-stream';
  return attached ? 'application/pkcs7-mime; smime-type=signed-data' : 'application/pkcs7-signature';
}
