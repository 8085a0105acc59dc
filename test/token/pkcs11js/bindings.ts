import type { Cryptoki } from '../../../src/signing/keys/pkcs11/cryptoki/cryptoki.ts';
import { KoffiCryptoki } from '../../../src/signing/keys/pkcs11/cryptoki/koffi-binding.ts';
import { Pkcs11jsCryptoki } from './pkcs11js-binding.ts';
import { importBuiltPkcs11js } from './build-pkcs11js.ts';

/** The binding of the product, and the other binding for the comparison of answers. */
export type BindingName = 'koffi' | 'pkcs11js';

/** A binding by its name; `buildPkcs11js` must have run for the second. */
export async function openTestBinding(name: BindingName): Promise<Cryptoki> {
  return name === 'koffi' ? new KoffiCryptoki() : new Pkcs11jsCryptoki(await importBuiltPkcs11js());
}
