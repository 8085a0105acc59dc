import type { CertificateView } from '../../../../src/ui-contract/ui-contract.ts';

const storageKey = 'sinete.certificate';

/** Remembers a batch's certificate for the next batch. */
export function rememberCertificate(alias: string): void {
  window.localStorage.setItem(storageKey, alias);
}

/**
 * The default certificate without a choice: the selected person's default, the last used, a binding certificate, or
 * else a test certificate, the first of each. Null without any.
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
