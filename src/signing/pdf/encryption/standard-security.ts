import { SigningError } from '../../errors.ts';
import { readMethods, type FileEncryption } from './object-cipher.ts';
import { deriveFileKey } from './file-key.ts';
import type { FileKeyInput } from './file-key.ts';
import { openForRecipient, type PdfRecipient } from './recipient-security.ts';
import { unsupported } from '../syntax/pdf-error.ts';
import { nameOf, numberOf, PdfString } from '../syntax/values.ts';
import type { PdfDictionary, PdfValue } from '../syntax/values.ts';

type Resolve = (value: PdfValue | undefined) => PdfValue;

const USUAL_KEY_LENGTH = 16;

/**
 * Possible lengths of the key in bytes, the declared length first. V 1 and V 4 fix the length. Some producers of V 2
 * write bytes in place of bits, an impossible length, or no length, so the usual length is tried too. A wrong length
 * opens nothing.
 */
function keyLengths(dictionary: PdfDictionary, version: number, resolve: Resolve): readonly number[] {
  if (version === 1) return [5];
  if (version >= 4) return [16];
  const length = numberOf(resolve(dictionary.get('Length'))) ?? 40;
  const bytes = Math.floor(length < 40 ? length : length / 8);
  const isPossible = bytes >= 5 && bytes < USUAL_KEY_LENGTH;
  return isPossible ? [bytes, USUAL_KEY_LENGTH] : [USUAL_KEY_LENGTH];
}

/** Possible keys of an encrypted PDF. */
export interface PdfKeys {
  /** User or owner password; tried when the empty password does not open the file. */
  readonly password?: string;
  /** For PDFs encrypted for the holders of certificates. */
  readonly recipient?: PdfRecipient;
}

/** The keys in a request. */
export const keysOf = ({ password, recipient }: PdfKeys): PdfKeys => ({ password, recipient });

/**
 * Opens an encrypted PDF with the empty password, which opens files readable by anybody, with the given password, or
 * with a recipient's key. `identifier`, a part of the key, is the first element of the trailer's ID, or empty.
 *
 * @throws SigningError `PDF_ENCRYPTED` when a password or a decryption certificate is needed, `PASSWORD_INCORRECT` when
 * the password is neither the user's nor the owner's.
 */
export async function openEncryption(
  dictionary: PdfDictionary,
  identifier: Buffer,
  resolve: Resolve,
  keys: PdfKeys = {},
): Promise<FileEncryption> {
  const handler = nameOf(resolve(dictionary.get('Filter')));
  if (handler === 'Adobe.PubSec') return openForRecipient(dictionary, resolve, keys.recipient);
  if (handler !== 'Standard') {
    throw new SigningError(
      'PDF_ENCRYPTED',
      'The PDF uses an unsupported kind of encryption. Use a copy without encryption, or with a password.',
    );
  }
  const { password } = keys;
  const number = (key: string): number => numberOf(resolve(dictionary.get(key))) ?? 0;
  const bytes = (key: string): Buffer => {
    const value = resolve(dictionary.get(key));
    return value instanceof PdfString ? value.stored : Buffer.alloc(0);
  };
  const version = number('V');
  const revision = number('R');
  // Version 6 with revision 7 is AES-GCM, with the key of revision 6 (ISO/TS 32003).
  if (![1, 2, 4, 5, 6].includes(version) || revision < 2 || revision > 7) {
    unsupported(`The PDF uses encryption version ${version}, revision ${revision}, which is not supported.`);
  }
  const methods = readMethods(dictionary, version, resolve);
  const input: FileKeyInput = {
    revision,
    keyLengths: keyLengths(dictionary, version, resolve),
    permissions: number('P'),
    identifier,
    encryptMetadata: resolve(dictionary.get('EncryptMetadata')) !== false,
    owner: bytes('O'),
    user: bytes('U'),
    ownerKey: bytes('OE'),
    userKey: bytes('UE'),
  };
  const given = password === undefined || password === '' ? undefined : password;
  const fileKey = deriveFileKey(input, '') ?? (given === undefined ? undefined : deriveFileKey(input, given));
  return { fileKey: fileKey ?? refusePassword(given !== undefined), methods };
}

function refusePassword(wasGiven: boolean): never {
  if (wasGiven) throw new SigningError('PASSWORD_INCORRECT', 'The password does not open the PDF.');
  throw new SigningError('PDF_ENCRYPTED', 'The PDF opens only with a password. Give the password of the PDF.');
}
