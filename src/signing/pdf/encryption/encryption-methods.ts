/** Encryption methods of a PDF's strings and streams, independent of the key's owner. */
import type { CryptMethod, CryptMethods } from './object-cipher.ts';
import { malformed, unsupported } from '../syntax/pdf-error.ts';
import { nameOf } from '../syntax/values.ts';
import type { PdfDictionary, PdfValue } from '../syntax/values.ts';

/** The result of opening an encrypted PDF (ISO 32000-2 §7.6). */
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
export function readMethods(dictionary: PdfDictionary, version: number, resolve: Resolve): CryptMethods {
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
