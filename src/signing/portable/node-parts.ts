/**
 * The functions of Node's own modules that the PDF writer calls, over the `BlobFile` that is being prepared. The build
 * of the portable PDF helpers puts this module in their place.
 */
import { SigningError } from '../errors.ts';
import type { BlobFile } from './blob-file.ts';
import { Bytes } from './bytes.ts';
import { Sha2Hash, type Sha2 } from './sha2.ts';

let current: BlobFile | undefined;
let turn: Promise<unknown> = Promise.resolve();

/** Runs a step of an attempt over this file; steps over other files wait until it ends. */
export async function withFile<Result>(file: BlobFile, step: () => Promise<Result>): Promise<Result> {
  const result = turn.then(async () => {
    current = file;
    return step();
  });
  turn = result.catch(() => undefined);
  return result;
}

function file(): BlobFile {
  if (current === undefined) throw new Error('No PDF is being prepared.');
  return current;
}

const nothing = (): Promise<void> => Promise.resolve();

/** `node:fs/promises` */
export const open = (): Promise<unknown> =>
  Promise.resolve({
    fd: 0,
    stat: async () => Promise.resolve({ isFile: () => true, size: file().size }),
    close: nothing,
  });

/** `node:fs` */
export const readSync = (_fd: number, buffer: Uint8Array, offset: number, length: number, position: number): number =>
  file().read(buffer.subarray(offset, offset + length), position);

/** `node:zlib` */
export const constants = { Z_SYNC_FLUSH: 2 };
export const inflateSync = (data: Uint8Array): Bytes => Bytes.from(file().inflate(data));
export const brotliDecompressSync = (): never => unavailable('Brotli');

/** `node:crypto` */
export const randomBytes = (length: number): Bytes => crypto.getRandomValues(Bytes.alloc(length));
export function createHash(name: Sha2): { update(bytes: Uint8Array): { digest(form?: 'hex'): string | Bytes } } {
  const hash = new Sha2Hash(name);
  return {
    update: (bytes) => {
      hash.update(bytes);
      return {
        digest: (form) => (form === 'hex' ? Bytes.from(hash.digest()).toString('hex') : Bytes.from(hash.digest())),
      };
    },
  };
}
export const hash = (name: Sha2, bytes: Uint8Array): Bytes => Bytes.from(new Sha2Hash(name).update(bytes).digest());
export const createPublicKey = (): never => unavailable('The key');
export const createCipheriv = (): never => unavailable('Encryption');
export const createDecipheriv = (): never => unavailable('Encryption');

/** `node:v8` */
export const getHeapStatistics = (): { readonly external_memory: number } => ({ external_memory: 0 });

/** In place of the appearances and of the keys of encrypted files. */
export const openEncryption = (): never => {
  throw new SigningError('PDF_ENCRYPTED', 'The PDF is encrypted. Send the document, or use a copy without encryption.');
};
export const keysOf = (): object => ({});
export const fillWidgets = (): never => unavailable('A visible signature');
export const placeInitials = (): never => unavailable('Initials');
export const placeStamps = (): never => unavailable('A visible signature');
export const StampPainter = undefined;

function unavailable(what: string): never {
  throw new SigningError('PDF_UNSUPPORTED', `${what} is not available where a PDF is prepared for its hash.`);
}
