const storageKey = 'sinete.session';

/**
 * Takes the one-time key from the address (`/ui/#key=…`) and removes it there, so that no history, bookmark or
 * screenshot contains the key.
 */
export function takeKeyFromAddress(): string | null {
  const match = /^#key=([^&]+)/.exec(window.location.hash);
  if (match?.[1] === undefined) return null;
  window.history.replaceState(null, '', `${window.location.pathname}${window.location.search}`);
  return decodeKey(match[1]);
}

function decodeKey(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The session of this tab, which ends with the tab. */
export function storedSession(): string | null {
  return window.sessionStorage.getItem(storageKey);
}

/** Stores the session for reloads of this tab; null removes it. */
export function storeSession(session: string | null): void {
  if (session === null) window.sessionStorage.removeItem(storageKey);
  else window.sessionStorage.setItem(storageKey, session);
}
