import { createCipheriv, createDecipheriv, createHash } from 'node:crypto';
import { malformed } from './pdf-error.ts';
import { rc4 } from './rc4.ts';

/** The entries of an encryption dictionary that the key is made of (ISO 32000-2 Table 20, Table 21). */
export interface FileKeyInput {
  readonly revision: number;
  /** Octets. */
  readonly keyLength: number;
  readonly permissions: number;
  readonly identifier: Buffer;
  readonly encryptMetadata: boolean;
  readonly owner: Buffer;
  readonly user: Buffer;
  readonly ownerKey: Buffer;
  readonly userKey: Buffer;
}

/** Fills up a password of fewer than 32 octets (ISO 32000-2 §7.6.4.3.2); alone, it is the empty password. */
const PADDING = Buffer.from('28BF4E5E4E758A4164004E56FFFA01082E2E00B6D0683E802F0CA9FE6453697A', 'hex');
const NOTHING = Buffer.alloc(0);

function hash(algorithm: string, ...parts: readonly Buffer[]): Buffer {
  const digest = createHash(algorithm);
  for (const part of parts) digest.update(part);
  return digest.digest();
}

/** Algorithm 2: the key from a padded user password, revisions 2 to 4. */
function legacyKey(input: FileKeyInput, password: Buffer): Buffer {
  const permissions = Buffer.alloc(4);
  permissions.writeInt32LE(input.permissions | 0);
  const metadata = input.revision >= 4 && !input.encryptMetadata ? Buffer.alloc(4, 0xff) : NOTHING;
  let key = hash('md5', password, input.owner.subarray(0, 32), permissions, input.identifier, metadata);
  if (input.revision >= 3) {
    for (let round = 0; round < 50; round += 1) key = hash('md5', key.subarray(0, input.keyLength));
  }
  return key.subarray(0, input.keyLength);
}

const mixed = (key: Buffer, round: number): Buffer => Buffer.from(key.map((octet) => octet ^ round));

/** Algorithms 4 to 6: does this key reproduce the `U` entry? */
function isLegacyKey(input: FileKeyInput, key: Buffer): boolean {
  if (input.revision === 2) return rc4(key, PADDING).equals(input.user.subarray(0, 32));
  let check = hash('md5', PADDING, input.identifier);
  for (let round = 0; round < 20; round += 1) check = rc4(mixed(key, round), check);
  return check.equals(input.user.subarray(0, 16));
}

/** Algorithm 7: the user password that the empty owner password reveals. */
function userPasswordOfEmptyOwner(input: FileKeyInput): Buffer {
  let key = hash('md5', PADDING);
  if (input.revision >= 3) {
    for (let round = 0; round < 50; round += 1) key = hash('md5', key.subarray(0, input.keyLength));
  }
  key = key.subarray(0, input.keyLength);
  let password: Buffer = input.owner.subarray(0, 32);
  const rounds = input.revision === 2 ? 1 : 20;
  for (let round = rounds - 1; round >= 0; round -= 1) password = rc4(mixed(key, round), password);
  return password;
}

function deriveLegacyKey(input: FileKeyInput): Buffer | undefined {
  if (input.owner.length < 32 || input.user.length < 16) malformed('its encryption dictionary is incomplete');
  for (const password of [PADDING, userPasswordOfEmptyOwner(input)]) {
    const key = legacyKey(input, password);
    if (isLegacyKey(input, key)) return key;
  }
  return undefined;
}

/** Algorithm 2.B of revision 6 for the empty password; revision 5 hashes once. */
function strongHash(revision: number, salt: Buffer, user: Buffer): Buffer {
  let key = hash('sha256', salt, user);
  if (revision === 5) return key;
  for (let round = 0; ; round += 1) {
    const block = Buffer.concat([key, user]);
    const repeated = Buffer.concat(Array.from({ length: 64 }, () => block));
    const cipher = createCipheriv('aes-128-cbc', key.subarray(0, 16), key.subarray(16, 32)).setAutoPadding(false);
    const encrypted = cipher.update(repeated);
    const remainder = encrypted.subarray(0, 16).reduce((sum, octet) => sum + octet, 0) % 3;
    key = hash(['sha256', 'sha384', 'sha512'][remainder] ?? 'sha256', encrypted);
    if (round >= 63 && (encrypted.at(-1) ?? 0) <= round - 31) return key.subarray(0, 32);
  }
}

function unwrap(key: Buffer, wrapped: Buffer): Buffer {
  const decipher = createDecipheriv('aes-256-cbc', key, Buffer.alloc(16)).setAutoPadding(false);
  return Buffer.concat([decipher.update(wrapped.subarray(0, 32)), decipher.final()]);
}

/** Algorithm 2.A: revisions 5 and 6. */
function deriveStrongKey(input: FileKeyInput): Buffer | undefined {
  const { revision, owner, user } = input;
  if (Math.min(owner.length, user.length) < 48 || Math.min(input.ownerKey.length, input.userKey.length) < 32) {
    malformed('its encryption dictionary is incomplete');
  }
  const salted = (entry: Buffer, from: number, suffix: Buffer): Buffer =>
    strongHash(revision, entry.subarray(from, from + 8), suffix);
  if (salted(user, 32, NOTHING).equals(user.subarray(0, 32))) {
    return unwrap(salted(user, 40, NOTHING), input.userKey);
  }
  const suffix = user.subarray(0, 48);
  if (salted(owner, 32, suffix).equals(owner.subarray(0, 32))) {
    return unwrap(salted(owner, 40, suffix), input.ownerKey);
  }
  return undefined;
}

/** The key that the empty user or owner password gives, or undefined when a password is needed. */
export function deriveFileKey(input: FileKeyInput): Buffer | undefined {
  return input.revision >= 5 ? deriveStrongKey(input) : deriveLegacyKey(input);
}
