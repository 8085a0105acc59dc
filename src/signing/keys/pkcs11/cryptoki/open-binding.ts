import { hostFailure } from '../errors.ts';
import type { Cryptoki } from './cryptoki.ts';

/**
 * Loads koffi. Throws a `CryptokiError` of the kind `binding` when the package is not installed (detail
 * `not-installed`), or has no binary for this system (detail `no-binary`).
 */
export async function openBinding(): Promise<Cryptoki> {
  try {
    return new (await import('./koffi-binding.ts')).KoffiCryptoki();
  } catch (error) {
    const isAbsent = (error as { readonly code?: unknown }).code === 'ERR_MODULE_NOT_FOUND';
    throw hostFailure('binding', 'open', 'koffi', isAbsent ? 'not-installed' : 'no-binary');
  }
}
