import { createHash, randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

const derive = promisify<string, Buffer, number, { N: number; r: number; p: number }, Buffer>(scrypt);

/** Cost of one check (RFC 7914): 16 MiB and about 40 ms, because an integrator may choose a weak secret. */
const cost = { N: 2 ** 14, r: 8, p: 1 };
const saltLength = 16;
const keyLength = 32;

/** `scrypt$<N>$<r>$<p>$<salt>$<key>`, base64url. */
export async function hashSecret(secret: string): Promise<string> {
  const salt = randomBytes(saltLength);
  const key = await derive(secret, salt, keyLength, cost);
  return ['scrypt', cost.N, cost.r, cost.p, salt.toString('base64url'), key.toString('base64url')].join('$');
}

/**
 * Compares secrets with their hashes. A right secret is remembered by a faster hash in memory, so that a frequent
 * caller pays the full cost once. Wrong secrets are not remembered.
 */
export class SecretChecker {
  readonly #right = new Map<string, Buffer>();
  #decoy: Promise<string> | undefined;

  /** True if this secret was confirmed before; answers without delay. */
  remembers(hash: string | null | undefined, secret: string): boolean {
    const known = hash == null ? undefined : this.#right.get(hash);
    return known !== undefined && timingSafeEqual(known, createHash('sha256').update(secret).digest());
  }

  /** Compares in constant time. Without a hash the call takes as long and answers false. */
  async matches(hash: string | null | undefined, secret: string): Promise<boolean> {
    if (this.remembers(hash, secret)) return true;
    this.#decoy ??= hashSecret(randomBytes(32).toString('base64url'));
    const [, N, r, p, salt = '', expected = ''] = (hash ?? (await this.#decoy)).split('$');
    const options = { N: Number(N), r: Number(r), p: Number(p) };
    const key = await derive(secret, Buffer.from(salt, 'base64url'), keyLength, options);
    const isRight = timingSafeEqual(key, Buffer.from(expected, 'base64url')) && hash != null;
    if (isRight) this.#remember(hash, createHash('sha256').update(secret).digest());
    return isRight;
  }

  #remember(hash: string, short: Buffer): void {
    const [oldest] = this.#right.keys();
    if (this.#right.size >= remembered && oldest !== undefined) this.#right.delete(oldest);
    this.#right.set(hash, short);
  }
}

const remembered = 1000;
