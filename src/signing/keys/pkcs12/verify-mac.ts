/** The integrity code over a PKCS#12 file: MacData (RFC 7292 §4) and PBMAC1 (RFC 9879). */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { SigningError } from '../../errors.ts';
import { Tag, readSmallInteger, type DerElement } from '../../der/reader.ts';
import { HASHES, HASH_LENGTH, HMACS, readAlgorithm, type AlgorithmIdentifier, type Pkcs12Hash } from './algorithms.ts';
import { deriveNamedKey, derivePkcs12Key, readIterations } from './derive-key.ts';
import type { Pkcs12Budget } from './limits.ts';
import type { Pkcs12Password } from './passwords.ts';

const PBMAC1 = '1.2.840.113549.1.5.14';
const MIN_PBMAC1_KEY = 20;
const MAX_PBMAC1_KEY = 64;

function matches(hash: Pkcs12Hash, key: Buffer, content: Buffer, expected: Buffer): boolean {
  const actual = createHmac(hash, key).update(content).digest();
  key.fill(0);
  return actual.length === expected.length && timingSafeEqual(actual, expected);
}

const unsupported = (oid: string): SigningError =>
  new SigningError('PKCS12_UNSUPPORTED', `The integrity code of the PKCS#12 file uses ${oid}, which is not supported.`);

/** The key length of PBKDF2, mandatory here (RFC 9879 §5). */
function pbmac1KeyLength(derivation: AlgorithmIdentifier): number {
  const stated = derivation.parameters?.children.slice(2).find((element) => element.tag === Tag.integer);
  const length = stated === undefined ? 0 : readSmallInteger(stated, 'the key length of PBMAC1');
  if (length < MIN_PBMAC1_KEY || length > MAX_PBMAC1_KEY) {
    throw new SigningError('PKCS12_MALFORMED', 'The integrity code of the PKCS#12 file states no proper key length.');
  }
  return length;
}

async function matchesPbmac1(
  { parameters }: AlgorithmIdentifier,
  content: Buffer,
  expected: Buffer,
  password: Pkcs12Password,
  budget: Pkcs12Budget,
): Promise<boolean> {
  if (parameters === undefined) throw new SigningError('PKCS12_MALFORMED', 'PBMAC1 has no parameters.');
  const derivation = readAlgorithm(parameters.child(0, 'the key derivation of PBMAC1'), 'the key derivation of PBMAC1');
  const scheme = readAlgorithm(parameters.child(1, 'the code of PBMAC1'), 'the code of PBMAC1');
  const hash = HMACS.get(scheme.oid);
  if (hash === undefined) throw unsupported(scheme.oid);
  const length = pbmac1KeyLength(derivation);
  for (const form of password.utf8Forms) {
    if (matches(hash, await deriveNamedKey(derivation, form, length, budget), content, expected)) return true;
  }
  return false;
}

/**
 * True when the password matches the code in `macData` over `content` (the bytes of the AuthenticatedSafe). False means
 * a wrong password, or content changed later: the two look the same.
 */
export async function verifyMac(
  macData: DerElement,
  content: Buffer,
  password: Pkcs12Password,
  budget: Pkcs12Budget,
): Promise<boolean> {
  const digestInfo = macData.expect(Tag.sequence, 'MacData').child(0, 'the digest of MacData');
  const algorithm = readAlgorithm(digestInfo.child(0, 'the algorithm of MacData'), 'the algorithm of MacData');
  const expected = digestInfo.child(1, 'the code of MacData').expect(Tag.octetString, 'the code of MacData').content;
  if (algorithm.oid === PBMAC1) return matchesPbmac1(algorithm, content, expected, password, budget);
  const hash = HASHES.get(algorithm.oid);
  if (hash === undefined) throw unsupported(algorithm.oid);
  const salt = macData.child(1, 'the salt of MacData').expect(Tag.octetString, 'the salt of MacData').content;
  const rounds = macData.children[2];
  const derivation = { hash, salt, iterations: rounds === undefined ? 1 : readIterations(rounds) };
  for (const form of password.bmpForms) {
    const key = await derivePkcs12Key(derivation, form, 'mac', HASH_LENGTH[hash], budget);
    if (matches(hash, key, content, expected)) return true;
  }
  return false;
}
