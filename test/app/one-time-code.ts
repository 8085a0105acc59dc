import { Secret, TOTP } from 'otpauth';

/** The code shown by an authenticator some steps of thirty seconds from now. `secret` is Base32. */
export function oneTimeCode(secret: string, steps: number): string {
  const totp = new TOTP({ secret: Secret.fromBase32(secret) });
  return totp.generate({ timestamp: Date.now() + steps * 30_000 });
}
