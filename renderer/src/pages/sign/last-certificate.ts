import type { CertificateView } from '../../../../src/ui-contract/ui-contract.ts';

const storageKey = 'sinete.certificate';

/** Keeps which certificate a batch was signed with, for the next one. */
export function rememberCertificate(alias: string): void {
  window.localStorage.setItem(storageKey, alias);
}

/**
 * The certificate that signs unless another is chosen: the default of the selected person, the one used last, one that
 * binds, or else a test certificate, the first of each. Null where there is none.
 */
export function certificateFor(usable: readonly CertificateView[], chosen: string): CertificateView | null {
  const last = window.localStorage.getItem(storageKey);
  return (
    usable.find(({ alias }) => alias === chosen) ??
    usable.find(({ isDefault }) => isDefault) ??
    usable.find(({ alias }) => alias === last) ??
    usable.find(({ isTest }) => !isTest) ??
    usable[0] ??
    null
  );
}
