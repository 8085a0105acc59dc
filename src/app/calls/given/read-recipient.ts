import { ServiceError } from '../../../service/errors/index.ts';
import type { PdfRecipient } from '../../../signing/index.ts';
import type { Core } from '../../compose/open-core.ts';

/**
 * The private key for PDFs encrypted to its certificate: the first key of a PKCS#12 file. Rejects with the errors of
 * `readPkcs12`, and `KEY_FILE_INVALID` for a file without a key.
 */
export async function readRecipient(
  workers: Core['workers'],
  { file, password }: { readonly file: string; readonly password: string },
): Promise<PdfRecipient> {
  const { keys } = await workers.readPkcs12(Buffer.from(file, 'base64'), password);
  const [key] = keys;
  if (key !== undefined) return { certificate: key.certificate, privateKey: key.privateKey };
  throw new ServiceError('KEY_FILE_INVALID', 'The file of the recipient holds no private key with its certificate.');
}
