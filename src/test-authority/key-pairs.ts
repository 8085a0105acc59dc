import { generateKeyPair, type KeyObject, type KeyPairKeyObjectResult } from 'node:crypto';
import { promisify } from 'node:util';

/** The kinds of key made by the test authority. */
export type TestKeyKind =
  | 'rsa-2048'
  | 'rsa-3072'
  | 'rsa-4096'
  | 'rsa-pss'
  | 'ec-p256'
  | 'ec-p384'
  | 'ec-p521'
  | 'brainpool'
  | 'ed25519'
  | 'ed448';

const generate = promisify(generateKeyPair);

/** A fresh key pair of this kind. */
export function makeKeyPair(kind: TestKeyKind): Promise<KeyPairKeyObjectResult> {
  switch (kind) {
    case 'rsa-2048':
    case 'rsa-3072':
    case 'rsa-4096':
      return generate('rsa', { modulusLength: Number(kind.slice('rsa-'.length)) });
    case 'rsa-pss':
      return generate('rsa-pss', { modulusLength: 2048 });
    case 'ec-p256':
      return generate('ec', { namedCurve: 'P-256' });
    case 'ec-p384':
      return generate('ec', { namedCurve: 'P-384' });
    case 'ec-p521':
      return generate('ec', { namedCurve: 'P-521' });
    case 'brainpool':
      return generate('ec', { namedCurve: 'brainpoolP256r1' });
    case 'ed25519':
      return generate('ed25519');
    case 'ed448':
      return generate('ed448');
  }
}

/** PKCS#8 PrivateKeyInfo, DER. */
export const exportPrivateKey = (key: KeyObject): Buffer => key.export({ format: 'der', type: 'pkcs8' });
/** SubjectPublicKeyInfo, DER. */
export const exportPublicKey = (key: KeyObject): Buffer => key.export({ format: 'der', type: 'spki' });
