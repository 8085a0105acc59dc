/** Sealing of single values under the master key: AES-256-GCM (NIST SP 800-38D). */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { StorageError } from '../errors.ts';

const VERSION = 1;
const NONCE_LENGTH = 12;
const TAG_LENGTH = 16;
const OVERHEAD = 1 + NONCE_LENGTH + TAG_LENGTH;

/** Authenticated together with the content: the format's version, and the value's place. */
const associatedData = (place: string): Buffer => Buffer.concat([Buffer.of(VERSION), Buffer.from(place, 'utf8')]);

/**
 * Seals `plaintext`; only the same 32-byte key and the same `aad` open the result. `aad` names the value's place
 * (table, row and column), so that sealed values cannot be swapped. The result: version byte, nonce (12 bytes, random),
 * cipher text, tag (16 bytes).
 */
export function seal(masterKey: Buffer, plaintext: Uint8Array, aad: string): Buffer {
  const nonce = randomBytes(NONCE_LENGTH);
  const cipher = createCipheriv('aes-256-gcm', masterKey, nonce, { authTagLength: TAG_LENGTH });
  cipher.setAAD(associatedData(aad));
  const content = Buffer.concat([cipher.update(plaintext), cipher.final()]);
  return Buffer.concat([Buffer.of(VERSION), nonce, content, cipher.getAuthTag()]);
}

function unreadable(cause?: unknown): StorageError {
  return new StorageError('SECRET_UNREADABLE', 'A stored secret does not open: its key or its content is another.', {
    cause,
    remedy: 'Restore the data folder together with the place of its master key, or add the key or password again.',
  });
}

/** Opens a value sealed by `seal`. Throws `SECRET_UNREADABLE` for another key, another `aad`, or any change. */
export function openSealed(masterKey: Buffer, sealed: Uint8Array, aad: string): Buffer {
  if (sealed.length < OVERHEAD || sealed[0] !== VERSION) throw unreadable();
  const nonce = sealed.subarray(1, 1 + NONCE_LENGTH);
  const decipher = createDecipheriv('aes-256-gcm', masterKey, nonce, { authTagLength: TAG_LENGTH });
  decipher.setAAD(associatedData(aad));
  decipher.setAuthTag(sealed.subarray(sealed.length - TAG_LENGTH));
  const content = decipher.update(sealed.subarray(1 + NONCE_LENGTH, sealed.length - TAG_LENGTH));
  try {
    return Buffer.concat([content, decipher.final()]);
  } catch (cause) {
    content.fill(0);
    throw unreadable(cause);
  }
}
