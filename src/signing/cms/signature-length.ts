import type { KeyObject } from 'node:crypto';
import { SigningError } from '../errors.ts';
import type { MlDsaScheme, SignatureScheme } from '../keys/signer.ts';

/** Bytes of a signature in CMS. Where the two bounds differ, the exact length is known after signing. */
export interface SignatureLength {
  readonly least: number;
  readonly most: number;
}

/** Octets of a field element of the curves of NIST (FIPS 186-5) and of Brainpool (RFC 5639). */
const FIELD_LENGTHS: ReadonlyMap<string, number> = new Map([
  ['prime256v1', 32],
  ['secp384r1', 48],
  ['secp521r1', 66],
  ['brainpoolP256r1', 32],
  ['brainpoolP320r1', 40],
  ['brainpoolP384r1', 48],
  ['brainpoolP512r1', 64],
]);

/** SEQUENCE of two INTEGERs; each is shortened, or gets a zero octet in front when its first bit is set. */
function ecdsaLength(curve: string | undefined): SignatureLength {
  const field = FIELD_LENGTHS.get(curve ?? '');
  if (field === undefined) throw new SigningError('ALGORITHM_UNSUPPORTED', 'The elliptic curve is not known here.');
  const integer = 2 + field + (field === 66 ? 0 : 1);
  return { least: 2 + 2 * 3, most: (2 * integer < 0x80 ? 2 : 3) + 2 * integer };
}

/** FIPS 204 §4, table 2. */
const ML_DSA_LENGTHS = { 'ml-dsa-44': 2420, 'ml-dsa-65': 3309, 'ml-dsa-87': 4627 } as const satisfies Record<
  MlDsaScheme,
  number
>;

/** The length of signatures with this key. Throws `ALGORITHM_UNSUPPORTED` for a key of unknown size. */
export function signatureLength(publicKey: KeyObject, scheme: SignatureScheme): SignatureLength {
  switch (scheme) {
    case 'rsassa-pkcs1-v1_5':
    case 'rsassa-pss': {
      const bits = publicKey.asymmetricKeyDetails?.modulusLength;
      if (bits === undefined) throw new SigningError('ALGORITHM_UNSUPPORTED', 'The key is not an RSA key.');
      const octets = Math.ceil(bits / 8);
      return { least: octets, most: octets };
    }
    case 'ecdsa':
      return ecdsaLength(publicKey.asymmetricKeyDetails?.namedCurve);
    case 'ed25519':
      return { least: 64, most: 64 };
    case 'ed448':
      return { least: 114, most: 114 };
    case 'ml-dsa-44':
    case 'ml-dsa-65':
    case 'ml-dsa-87':
      return { least: ML_DSA_LENGTHS[scheme], most: ML_DSA_LENGTHS[scheme] };
  }
}
