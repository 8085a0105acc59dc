import { SigningError } from '../errors.ts';
import type { CryptMethod, CryptMethods } from './object-cipher.ts';
import { deriveFileKey } from './file-key.ts';
import type { FileKeyInput } from './file-key.ts';
import { malformed, unsupported } from './pdf-error.ts';
import { nameOf, numberOf, PdfString } from './values.ts';
import type { PdfDictionary, PdfValue } from './values.ts';

/** What opening an encrypted PDF yields (ISO 32000-2 §7.6). */
export interface FileEncryption {
  readonly fileKey: Buffer;
  readonly methods: CryptMethods;
}

type Resolve = (value: PdfValue | undefined) => PdfValue;

function methodOf(name: string): CryptMethod {
  switch (name) {
    case 'None':
      return 'none';
    case 'V2':
      return 'rc4';
    case 'AESV2':
      return 'aes-128';
    case 'AESV3':
      return 'aes-256';
    default:
      unsupported(`The PDF is encrypted with the method "${name}", which is not supported.`);
  }
}

/** Crypt filters of V 4 and 5 (ISO 32000-2 §7.6.6); earlier versions use RC4 for everything. */
function readMethods(dictionary: PdfDictionary, version: number, resolve: Resolve): CryptMethods {
  if (version < 4) return { strings: 'rc4', streams: 'rc4' };
  const filters = resolve(dictionary.get('CF'));
  const method = (key: string): CryptMethod => {
    const name = nameOf(resolve(dictionary.get(key))) ?? 'Identity';
    if (name === 'Identity') return 'none';
    const filter = filters instanceof Map ? resolve(filters.get(name)) : null;
    if (!(filter instanceof Map)) malformed(`its encryption names the filter "${name}", which it does not describe`);
    return methodOf(nameOf(resolve(filter.get('CFM'))) ?? 'None');
  };
  return { strings: method('StrF'), streams: method('StmF') };
}

/** Octets of the key. V 1 and V 4 fix it; some producers write octets where bits belong. */
function keyLength(dictionary: PdfDictionary, version: number, resolve: Resolve): number {
  if (version === 1) return 5;
  if (version >= 4) return 16;
  const length = numberOf(resolve(dictionary.get('Length'))) ?? 40;
  const octets = Math.floor(length < 40 ? length : length / 8);
  if (octets < 5 || octets > 16) malformed(`its encryption has a key of ${length} bits`);
  return octets;
}

/**
 * Opens an encrypted PDF with the empty password, which is how files open that anybody may read, or with this one.
 * `identifier` is the first element of the trailer's ID, empty where there is none: it is part of the key.
 *
 * @throws SigningError `PDF_ENCRYPTED` when a password or a decryption certificate is needed, `PASSWORD_INCORRECT` when
 * the password is neither the user's nor the owner's.
 */
export function openEncryption(
  dictionary: PdfDictionary,
  identifier: Buffer,
  resolve: Resolve,
  password?: string,
): FileEncryption {
  const handler = nameOf(resolve(dictionary.get('Filter')));
  if (handler !== 'Standard') {
    const why = handler === 'Adobe.PubSec' ? 'is encrypted for the holders of certain certificates' : 'is encrypted';
    throw new SigningError('PDF_ENCRYPTED', `The PDF ${why}. Sign a copy that is not encrypted.`);
  }
  const number = (key: string): number => numberOf(resolve(dictionary.get(key))) ?? 0;
  const octets = (key: string): Buffer => {
    const value = resolve(dictionary.get(key));
    return value instanceof PdfString ? value.stored : Buffer.alloc(0);
  };
  const version = number('V');
  const revision = number('R');
  if (![1, 2, 4, 5].includes(version) || revision < 2 || revision > 6) {
    unsupported(`The PDF uses encryption version ${version}, revision ${revision}, which is not supported.`);
  }
  const methods = readMethods(dictionary, version, resolve);
  const input: FileKeyInput = {
    revision,
    keyLength: keyLength(dictionary, version, resolve),
    permissions: number('P'),
    identifier,
    encryptMetadata: resolve(dictionary.get('EncryptMetadata')) !== false,
    owner: octets('O'),
    user: octets('U'),
    ownerKey: octets('OE'),
    userKey: octets('UE'),
  };
  const given = password === undefined || password === '' ? undefined : password;
  const fileKey = deriveFileKey(input, '') ?? (given === undefined ? undefined : deriveFileKey(input, given));
  return { fileKey: fileKey ?? refusePassword(given !== undefined), methods };
}

function refusePassword(wasGiven: boolean): never {
  if (wasGiven) throw new SigningError('PASSWORD_INCORRECT', 'The password does not open the PDF.');
  throw new SigningError(
    'PDF_ENCRYPTED',
    'The PDF opens only with a password. Give the password, or sign a copy that is saved without one.',
  );
}
