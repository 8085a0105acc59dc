declare global {
  /** Where the scroll lock inside Mantine's dialogs (react-remove-scroll) looks for the nonce of its style element. */
  var __webpack_nonce__: string | undefined;
}

/** The nonce that the host put into the page, for style elements that libraries make. */
export function styleNonce(): string {
  return document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? '';
}

/** Makes the nonce known to libraries that take it from a global. */
export function shareStyleNonce(): void {
  globalThis.__webpack_nonce__ = styleNonce();
}
