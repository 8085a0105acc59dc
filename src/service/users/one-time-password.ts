import { timingSafeEqual } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';

/** The parameters of common authenticators (RFC 6238 with HMAC-SHA-1, six digits, 30 seconds). */
const period = 30;
const digits = 6;
const algorithm = 'SHA1';

/** Octets of a secret: RFC 4226 §4 R6 recommends 160 bits. */
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
