/**
 * ECDSA over a hash that was computed elsewhere (FIPS 186-5 §6.4). Node hashes every message itself, so that only the
 * multiplications of points with secrets are OpenSSL's; the arithmetic modulo the order is done here.
 */
import { createECDH, ECDH, randomBytes, type KeyObject } from 'node:crypto';
import { derInteger, derSequence, readDer, Tag } from '../../der/index.ts';
import { SigningError } from '../../errors.ts';

/** y² = x³ + ax + b modulo `prime`, with a base point of prime order (FIPS 186-5, RFC 5639 §3). */
interface Curve {
  readonly prime: bigint;
  readonly a: bigint;
  readonly order: bigint;
}

const ofNist = (prime: bigint, order: bigint): Curve => ({ prime, a: prime - 3n, order });

const CURVES: ReadonlyMap<string, Curve> = new Map([
  [
    'prime256v1',
    ofNist(
      0xffffffff00000001000000000000000000000000ffffffffffffffffffffffffn,
      0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n,
    ),
  ],
  [
    'secp384r1',
    ofNist(
      0xfffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffeffffffff0000000000000000ffffffffn,
      0xffffffffffffffffffffffffffffffffffffffffffffffffc7634d81f4372ddf581a0db248b0a77aecec196accc52973n,
    ),
  ],
  [
    'secp521r1',
    ofNist(
      (1n << 521n) - 1n,
      0x01fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffa51868783bf2f966b7fcc0148f709a5d03bb5c9b8899c47aebb6fb71e91386409n,
    ),
  ],
  [
    'brainpoolP256r1',
    {
      prime: 0xa9fb57dba1eea9bc3e660a909d838d726e3bf623d52620282013481d1f6e5377n,
      a: 0x7d5a0975fc2c3057eef67530417affe7fb8055c126dc5c6ce94a4b44f330b5d9n,
      order: 0xa9fb57dba1eea9bc3e660a909d838d718c397aa3b561a6f7901e0e82974856a7n,
    },
  ],
  [
    'brainpoolP320r1',
    {
      prime: 0xd35e472036bc4fb7e13c785ed201e065f98fcfa6f6f40def4f92b9ec7893ec28fcd412b1f1b32e27n,
      a: 0x3ee30b568fbab0f883ccebd46d3f3bb8a2a73513f5eb79da66190eb085ffa9f492f375a97d860eb4n,
      order: 0xd35e472036bc4fb7e13c785ed201e065f98fcfa5b68f12a32d482ec7ee8658e98691555b44c59311n,
    },
  ],
  [
    'brainpoolP384r1',
    {
      prime: 0x8cb91e82a3386d280f5d6f7e50e641df152f7109ed5456b412b1da197fb71123acd3a729901d1a71874700133107ec53n,
      a: 0x7bc382c63d8c150c3c72080ace05afa0c2bea28e4fb22787139165efba91f90f8aa5814a503ad4eb04a8c7dd22ce2826n,
      order: 0x8cb91e82a3386d280f5d6f7e50e641df152f7109ed5456b31f166e6cac0425a7cf3ab6af6b7fc3103b883202e9046565n,
    },
  ],
  [
    'brainpoolP512r1',
    {
      prime:
        0xaadd9db8dbe9c48b3fd4e6ae33c9fc07cb308db3b3c9d20ed6639cca703308717d4d9b009bc66842aecda12ae6a380e62881ff2f2d82c68528aa6056583a48f3n,
      a: 0x7830a3318b603b89e2327145ac234cc594cbdd8d3df91610a83441caea9863bc2ded5d5aa8253aa10a2ef1c98b9ac8b57f1117a72bf2c7b9e7c1ac4d77fc94can,
      order:
        0xaadd9db8dbe9c48b3fd4e6ae33c9fc07cb308db3b3c9d20ed6639cca70330870553e5c414ca92619418661197fac10471db1d381085ddaddb58796829ca90069n,
    },
  ],
]);

/** The name and the numbers of a key's curve. Throws `ALGORITHM_UNSUPPORTED` for other curves. */
function curveOf(key: KeyObject): Curve & { readonly name: string } {
  const name = key.asymmetricKeyDetails?.namedCurve ?? '';
  const curve = CURVES.get(name);
  if (curve !== undefined) return { name, ...curve };
  throw new SigningError('ALGORITHM_UNSUPPORTED', 'Keys on this elliptic curve sign no hash here.');
}

const numberOf = (bytes: Uint8Array): bigint => BigInt(`0x0${Buffer.from(bytes).toString('hex')}`);
const bitsOf = (value: bigint): number => value.toString(2).length;
const lengthOf = (value: bigint): number => Math.ceil(bitsOf(value) / 8);
const bytesOf = (value: bigint, length: number): Buffer =>
  Buffer.from(value.toString(16).padStart(2 * length, '0'), 'hex');

function modulo(value: bigint, modulus: bigint): bigint {
  const rest = value % modulus;
  return rest < 0n ? rest + modulus : rest;
}

/** The inverse modulo a prime, by the extended algorithm of Euclid. */
function inverse(value: bigint, prime: bigint): bigint {
  let [before, now] = [prime, modulo(value, prime)];
  let [factorBefore, factor] = [0n, 1n];
  while (now > 1n) {
    const quotient = before / now;
    [before, now] = [now, before - quotient * now];
    [factorBefore, factor] = [factor, factorBefore - quotient * factor];
  }
  return modulo(factor, prime);
}

/** The leftmost bits of the hash, as many as the order has (FIPS 186-5 §6.4.1, step 2). */
function hashNumber(hash: Uint8Array, order: bigint): bigint {
  const surplus = hash.length * 8 - bitsOf(order);
  return surplus > 0 ? numberOf(hash) >> BigInt(surplus) : numberOf(hash);
}

/** A number from 1 to `order` - 1; eight more bytes than needed make the bias negligible (FIPS 186-5 §A.3.1). */
const randomBelow = (order: bigint): bigint => (numberOf(randomBytes(lengthOf(order) + 8)) % (order - 1n)) + 1n;

/** The private number (RFC 5915 §3). */
function privateNumber(key: KeyObject): bigint {
  const der = key.export({ type: 'sec1', format: 'der' });
  try {
    return numberOf(readDer(der).child(1, 'the private key').content);
  } finally {
    der.fill(0);
  }
}

/**
 * DER of the signature (RFC 3279 §2.2.3). A random factor blinds the arithmetic with the private number and with the
 * secret number of the signature, because the time of big integers depends on their values.
 */
export function signHashWithEcdsa(key: KeyObject, hash: Uint8Array): Buffer {
  const { name, order } = curveOf(key);
  const message = hashNumber(hash, order);
  const secret = privateNumber(key);
  const ecdh = createECDH(name);
  for (;;) {
    const point = ecdh.generateKeys();
    const once = numberOf(ecdh.getPrivateKey());
    const r = numberOf(point.subarray(1, 1 + (point.length - 1) / 2)) % order;
    const blind = randomBelow(order);
    const sum = modulo(blind * message + r * modulo(blind * secret, order), order);
    const s = modulo(inverse(modulo(once * blind, order), order) * sum, order);
    const length = lengthOf(order);
    if (r !== 0n && s !== 0n) return derSequence(derInteger(bytesOf(r, length)), derInteger(bytesOf(s, length)));
  }
}

/** A point in Jacobian coordinates: x = X/Z², y = Y/Z³; Z = 0 is the point at infinity. */
type Point = readonly [bigint, bigint, bigint];
const INFINITY: Point = [1n, 1n, 0n];

function twice([x, y, z]: Point, { prime, a }: Curve): Point {
  if (z === 0n || y === 0n) return INFINITY;
  const square = (y * y) % prime;
  const s = (4n * x * square) % prime;
  const m = (3n * x * x + a * ((z * z) % prime) ** 2n) % prime;
  const nextX = modulo(m * m - 2n * s, prime);
  return [nextX, modulo(m * (s - nextX) - 8n * square * square, prime), (2n * y * z) % prime];
}

function sumOf(one: Point, other: Point, curve: Curve): Point {
  const { prime } = curve;
  if (one[2] === 0n) return other;
  if (other[2] === 0n) return one;
  const [x1, y1, z1] = one;
  const [x2, y2, z2] = other;
  const z1z1 = (z1 * z1) % prime;
  const z2z2 = (z2 * z2) % prime;
  const u1 = (x1 * z2z2) % prime;
  const s1 = (((y1 * z2) % prime) * z2z2) % prime;
  const h = modulo(x2 * z1z1 - u1, prime);
  const r = modulo(((y2 * z1) % prime) * z1z1 - s1, prime);
  if (h === 0n) return r === 0n ? twice(one, curve) : INFINITY;
  const hh = (h * h) % prime;
  const hhh = (h * hh) % prime;
  const v = (u1 * hh) % prime;
  const x = modulo(r * r - hhh - 2n * v, prime);
  return [x, modulo(r * (v - x) - s1 * hhh, prime), (((h * z1) % prime) * z2) % prime];
}

/** The coordinates of an uncompressed point (SEC 1 §2.3.4). */
function pointOf(encoded: Buffer): Point {
  const half = (encoded.length - 1) / 2;
  return [numberOf(encoded.subarray(1, 1 + half)), numberOf(encoded.subarray(1 + half)), 1n];
}

/** The public point; OpenSSL has checked that the point is on the curve. */
function publicPoint(key: KeyObject, name: string): Point {
  const bits = readDer(key.export({ type: 'spki', format: 'der' }))
    .child(1, 'the public key')
    .content.subarray(1);
  const point = ECDH.convertKey(bits, name, undefined, undefined, 'uncompressed');
  return pointOf(Buffer.from(point));
}

/** The base point: the public point of the private number one. */
function basePoint(name: string, length: number): Point {
  const ecdh = createECDH(name);
  ecdh.setPrivateKey(bytesOf(1n, length));
  return pointOf(ecdh.getPublicKey());
}

/** The sum of two multiples, bit by bit for both numbers at once. */
function sumOfMultiples(curve: Curve, first: readonly [bigint, Point], second: readonly [bigint, Point]): Point {
  const both = sumOf(first[1], second[1], curve);
  let result = INFINITY;
  for (let bit = BigInt(bitsOf(curve.order)); bit >= 0n; bit--) {
    result = twice(result, curve);
    const isFirst = (first[0] >> bit) & 1n;
    const isSecond = (second[0] >> bit) & 1n;
    if (isFirst === 1n && isSecond === 1n) result = sumOf(result, both, curve);
    else if (isFirst === 1n) result = sumOf(result, first[1], curve);
    else if (isSecond === 1n) result = sumOf(result, second[1], curve);
  }
  return result;
}

/** The two numbers of a signature in DER; undefined for anything else. */
function readSignature(signature: Buffer): readonly [bigint, bigint] | undefined {
  try {
    const numbers = readDer(signature).expect(Tag.sequence, 'the signature').children;
    const [r, s] = numbers.map((one) => numberOf(one.expect(Tag.integer, 'a number').content));
    if (numbers.length !== 2 || r === undefined || s === undefined) return undefined;
    return [r, s];
  } catch {
    return undefined;
  }
}

/** Verifies a signature in DER (FIPS 186-5 §6.4.2). */
export function verifyHashWithEcdsa(key: KeyObject, hash: Uint8Array, signature: Buffer): boolean {
  const curve = curveOf(key);
  const { name, prime, order } = curve;
  const [r, s] = readSignature(signature) ?? [0n, 0n];
  if (r <= 0n || r >= order || s <= 0n || s >= order) return false;
  const w = inverse(s, order);
  const base = basePoint(name, lengthOf(order));
  const [x, , z] = sumOfMultiples(
    curve,
    [modulo(hashNumber(hash, order) * w, order), base],
    [modulo(r * w, order), publicPoint(key, name)],
  );
  if (z === 0n) return false;
  const inverted = inverse(z, prime);
  return modulo(x * inverted * inverted, prime) % order === r;
}
