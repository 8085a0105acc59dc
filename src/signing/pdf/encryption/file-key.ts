import { createCipheriv, createDecipheriv, createHash } from 'node:crypto';
import { malformed } from '../syntax/pdf-error.ts';
import { rc4 } from './object-cipher.ts';
import { encodePdfDocText } from '../syntax/text-string.ts';

/** The entries of an encryption dictionary for the key (ISO 32000-2 Table 20, Table 21). */
export interface FileKeyInput {
  readonly revision: number;
  /** Possible lengths in bytes, the likeliest first. */
  readonly keyLengths: readonly number[];
  readonly permissions: number;
  readonly identifier: Buffer;
  readonly encryptMetadata: boolean;
  readonly owner: Buffer;
  readonly user: Buffer;
  readonly ownerKey: Buffer;
  readonly userKey: Buffer;
}

/** The input with one of the possible lengths. */
interface LegacyInput extends FileKeyInput {
  readonly keyLength: number;
}

/** Fills up a password of fewer than 32 bytes (ISO 32000-2 §7.6.4.3.2); alone, the padding is the empty password. */
const PADDING = Buffer.from('28BF4E5E4E758A4164004E56FFFA01082E2E00B6D0683E802F0CA9FE6453697A', 'hex');
const NOTHING = Buffer.alloc(0);

function hash(algorithm: string, ...parts: readonly Buffer[]): Buffer {
  const digest = createHash(algorithm);
  for (const part of parts) digest.update(part);
  return digest.digest();
}

/** Algorithm 2: the key from a padded user password, revisions 2 to 4. */
function legacyKey(input: LegacyInput, password: Buffer): Buffer {
  const permissions = Buffer.alloc(4);
  permissions.writeInt32LE(input.permissions | 0);
  const metadata = input.revision >= 4 && !input.encryptMetadata ? Buffer.alloc(4, 0xff) : NOTHING;
  let key = hash('md5', password, input.owner.subarray(0, 32), permissions, input.identifier, metadata);
  if (input.revision >= 3) {
    for (let round = 0; round < 50; round += 1) key = hash('md5', key.subarray(0, input.keyLength));
  }
  return key.subarray(0, input.keyLength);
}

const mixed = (key: Buffer, round: number): Buffer => Buffer.from(key.map((byte) => byte ^ round));

/** Algorithms 4 to 6: does this key reproduce the `U` entry? */
function isLegacyKey(input: FileKeyInput, key: Buffer): boolean {
  if (input.revision === 2) return rc4(key, PADDING).equals(input.user.subarray(0, 32));
  let check = hash('md5', PADDING, input.identifier);
  for (let round = 0; round < 20; round += 1) check = rc4(mixed(key, round), check);
  return check.equals(input.user.subarray(0, 16));
}

/** Algorithm 7: the user password from a padded owner password. */
function userPasswordOfOwner(input: LegacyInput, owner: Buffer): Buffer {
  let key = hash('md5', owner);
  if (input.revision >= 3) {
    for (let round = 0; round < 50; round += 1) key = hash('md5', key.subarray(0, input.keyLength));
  }
  key = key.subarray(0, input.keyLength);
  let password: Buffer = input.owner.subarray(0, 32);
  const rounds = input.revision === 2 ? 1 : 20;
  for (let round = rounds - 1; round >= 0; round -= 1) password = rc4(mixed(key, round), password);
  return password;
}

/** Passwords of revisions 2 to 4 are in PDFDocEncoding; some producers use the system's encoding. */
function legacyPasswords(password: string): readonly Buffer[] {
  const encodings = [encodePdfDocText(password), Buffer.from(password, 'utf8')].filter((bytes) => bytes !== undefined);
  return encodings.map((bytes) => Buffer.concat([bytes, PADDING]).subarray(0, 32));
}

function deriveLegacyKey(input: FileKeyInput, given: string): Buffer | undefined {
  if (input.owner.length < 32 || input.user.length < 16) malformed('its encryption dictionary is incomplete');
  for (const keyLength of input.keyLengths) {
    const tried: LegacyInput = { ...input, keyLength };
    const passwords = legacyPasswords(given).flatMap((padded) => [padded, userPasswordOfOwner(tried, padded)]);
    for (const password of passwords) {
      const key = legacyKey(tried, password);
      if (isLegacyKey(tried, key)) return key;
    }
  }
  return undefined;
}

/** Algorithm 2.B of revision 6; revision 5 hashes once. */
function strongHash(revision: number, password: Buffer, salt: Buffer, user: Buffer): Buffer {
  let key = hash('sha256', password, salt, user);
  if (revision === 5) return key;
  for (let round = 0; ; round += 1) {
    const block = Buffer.concat([password, key, user]);
    const repeated = Buffer.concat(Array.from({ length: 64 }, () => block));
    const cipher = createCipheriv('aes-128-cbc', key.subarray(0, 16), key.subarray(16, 32)).setAutoPadding(false);
    const encrypted = cipher.update(repeated);
    const remainder = encrypted.subarray(0, 16).reduce((sum, byte) => sum + byte, 0) % 3;
    key = hash(['sha256', 'sha384', 'sha512'][remainder] ?? 'sha256', encrypted);
    if (round >= 63 && (encrypted.at(-1) ?? 0) <= round - 31) return key.subarray(0, 32);
  }
}

function unwrap(key: Buffer, wrapped: Buffer): Buffer {
  const decipher = createDecipheriv('aes-256-cbc', key, Buffer.alloc(16)).setAutoPadding(false);
  return Buffer.concat([decipher.update(wrapped.subarray(0, 32)), decipher.final()]);
}

/** The password in SASLprep (RFC 4013) as far as real passwords need it, in UTF-8, of at most 127 bytes. */
const strongPassword = (password: string): Buffer =>
  Buffer.from(
    password
      .replace(/\u00ad/g, '')
      .replace(/\p{Zs}/gu, ' ')
      .normalize('NFKC'),
    'utf8',
  ).subarray(0, 127);

/** Algorithm 2.A: revisions 5 and 6. */
function deriveStrongKey(input: FileKeyInput, given: string): Buffer | undefined {
  const { revision, owner, user } = input;
  if (Math.min(owner.length, user.length) < 48 || Math.min(input.ownerKey.length, input.userKey.length) < 32) {
    malformed('its encryption dictionary is incomplete');
  }
  const password = strongPassword(given);
  const salted = (entry: Buffer, from: number, suffix: Buffer): Buffer =>
    strongHash(revision, password, entry.subarray(from, from + 8), suffix);
  if (salted(user, 32, NOTHING).equals(user.subarray(0, 32))) {
    return unwrap(salted(user, 40, NOTHING), input.userKey);
  }
  const suffix = user.subarray(0, 48);
  if (salted(owner, 32, suffix).equals(owner.subarray(0, 32))) {
    return unwrap(salted(owner, 40, suffix), input.ownerKey);
  }
  return undefined;
}

/** The file key from this user or owner password, or undefined for a wrong password. */
export function deriveFileKey(input: FileKeyInput, password: string): Buffer | undefined {
  return input.revision >= 5 ? deriveStrongKey(input, password) : deriveLegacyKey(input, password);
}
