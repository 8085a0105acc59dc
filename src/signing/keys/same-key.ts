import type { KeyObject } from 'node:crypto';

/** True for equal public keys. `KeyObject.equals` throws for keys of different kinds. */
export function samePublicKey(left: KeyObject, right: KeyObject): boolean {
  return left.asymmetricKeyType === right.asymmetricKeyType && left.equals(right);
}
