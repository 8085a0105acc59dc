declare global {
  /** Where the scroll lock inside Mantine's dialogs (react-remove-scroll) looks for the nonce of its style element. */
  var __webpack_nonce__: string | undefined;
}

/** The host's nonce of the page, for style elements made by libraries. */
export function styleNonce(): string {
  return document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? '';
}

/** Shares the nonce with libraries through a global. */
export function shareStyleNonce(): void {
  globalThis.__webpack_nonce__ = styleNonce();
}
