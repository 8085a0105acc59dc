import type { KeyObject } from 'node:crypto';

/** Whether two public keys are one. `KeyObject.equals` throws, instead of saying no, when their kinds differ. */
export function samePublicKey(left: KeyObject, right: KeyObject): boolean {
  return left.asymmetricKeyType === right.asymmetricKeyType && left.equals(right);
}
