declare global {
  /** Global variable in which react-remove-scroll, the scroll lock of Mantine's dialogs, looks for a style nonce. */
  var __webpack_nonce__: string | undefined;
}

/** The nonce of the page, set by its host, for style elements made by libraries. */
export function styleNonce(): string {
  return document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? '';
}

/** Shares the nonce with libraries through a global. */
export function shareStyleNonce(): void {
  globalThis.__webpack_nonce__ = styleNonce();
}
