import { hostFailure } from '../errors.ts';
import type { BindingName, Cryptoki } from './cryptoki.ts';

/**
 * Loads a binding. Throws a `CryptokiError` of the kind `binding`, named after the binding, when its package is not
 * installed (detail `not-installed`), or has no binary for this system (detail `no-binary`).
 */
export async function openBinding(name: BindingName): Promise<Cryptoki> {
  try {
    return await importBinding(name);
  } catch (error) {
    const isAbsent = (error as { readonly code?: unknown }).code === 'ERR_MODULE_NOT_FOUND';
    throw hostFailure('binding', 'open', name, isAbsent ? 'not-installed' : 'no-binary');
  }
}

async function importBinding(name: BindingName): Promise<Cryptoki> {
  switch (name) {
    case 'koffi':
      return new (await import('./koffi-binding.ts')).KoffiCryptoki();
    case 'pkcs11js': {
      const { importPkcs11js, Pkcs11jsCryptoki } = await import('./pkcs11js-binding.ts');
      return new Pkcs11jsCryptoki(await importPkcs11js());
    }
  }
}
