import { timingSafeEqual, createHash, randomInt } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';

/** The parameters of common authenticators (RFC 6238 with HMAC-SHA-1, six digits, 30 seconds). */
const period = 30;
const digits = 6;
const algorithm = 'SHA1';

/** Bytes of a secret: RFC 4226 §4 R6 recommends 160 bits. */
const secretLength = 20;

/** Shown by authenticators above the name. */
const issuer = 'Sinete';

/** A fresh secret. */
export function newTotpSecret(): Buffer {
  return Buffer.from(new Secret({ size: secretLength }).bytes);
}

/** Base32 without padding, for typing. */
export function totpSecretText(secret: Buffer): string {
  return secretOf(secret).base32;
}

/** `otpauth://totp/Sinete:<label>?…`, in the form for authenticators. */
export function otpauthUri(secret: Buffer, label: string): string {
  return new TOTP({ issuer, label, secret: secretOf(secret), algorithm, digits, period }).toString();
}

/**
 * The time step of this code, with one step before or after `now` allowed (RFC 6238 §5.2); undefined for a wrong code.
 * Every candidate is computed and compared in constant time, so that the time reveals nothing.
 */
export function matchingStep(secret: Buffer, code: string, now: Date): number | undefined {
  const totp = new TOTP({ secret: secretOf(secret), algorithm, digits, period });
  const current = Math.floor(now.getTime() / 1000 / period);
  const given = Buffer.from(code.padEnd(digits).slice(0, digits));
  const isSixDigits = /^\d{6}$/.test(code);
  let found: number | undefined;
  for (const step of [current - 1, current, current + 1]) {
    const expected = Buffer.from(totp.generate({ timestamp: step * period * 1000 }));
    if (given.length === expected.length && timingSafeEqual(given, expected)) found = step;
  }
  return isSixDigits ? found : undefined;
}

function secretOf(secret: Buffer): Secret {
  return new Secret({ buffer: new Uint8Array(secret).buffer });
}

/** Number of recovery codes of an account. */
const count = 10;

/** Digits only, because the field for a code opens the number keyboard of a telephone. */
const length = 24;
const shape = new RegExp(`^\\d{${length}}$`);

/** Fresh recovery codes, `2749-0183-…`: 79 random bits each, so a plain hash is enough for storing. */
export function newRecoveryCodes(): readonly string[] {
  return Array.from({ length: count }, () => {
    const digits = Array.from({ length }, () => randomInt(10)).join('');
    return digits.replaceAll(/(\d{4})(?=\d)/g, '$1-');
  });
}

/** SHA-256 of a typed recovery code, without spaces and hyphens. Undefined for another text. */
export function recoveryHash(text: string): Buffer | undefined {
  const plain = text.replaceAll(/[\s-]/g, '');
  return shape.test(plain) ? createHash('sha256').update(`recovery code:${plain}`).digest() : undefined;
}
