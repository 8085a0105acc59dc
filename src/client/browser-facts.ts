/** Facts about the page's browser: its name, its permission for programs on the computer, and the page's own place. */

/** State of the permission; `unknown`: this browser does not have or does not report this permission. */
export type Permission = 'granted' | 'prompt' | 'denied' | 'unknown';

/** The browsers with a rule of their own for programs on the computer. */
export type BrowserName = 'chrome' | 'edge' | 'opera' | 'firefox' | 'safari' | 'brave' | 'other';

/** Names of the permission: the name for the computer itself, and the older name. */
const PERMISSIONS = ['loopback-network', 'local-network-access'] as const;

/** False in Node, which is not subject to the rules for pages. */
export const isPage = (): boolean => typeof globalThis.isSecureContext === 'boolean';

/** @internal */
export const isLocalName = (hostname: string): boolean => /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);

/** Pages from the computer itself need no permission. */
export const isLocalPage = (): boolean => isPage() && isLocalName(location.hostname);

/** Reads the permission, which browsers know under one of two names, or not at all. */
export async function readPermission(): Promise<Permission> {
  if (!isPage() || isLocalPage()) return 'granted';
  for (const name of PERMISSIONS) {
    try {
      const { state } = await navigator.permissions.query({ name: name as PermissionName });
      return state;
    } catch {
      // The browser does not know this name.
    }
  }
  return 'unknown';
}

/** Browsers also name the browsers that they imitate, so the most specific name is tested first. */
export function browserName(): BrowserName {
  if (typeof navigator === 'undefined') return 'other';
  if ('brave' in navigator) return 'brave';
  const agent = navigator.userAgent;
  if (/\bEdg(A|iOS)?\//.test(agent)) return 'edge';
  if (/\bOPR\//.test(agent)) return 'opera';
  if (/\bFirefox\//.test(agent)) return 'firefox';
  if (/\b(Headless)?Chrom(e|ium)\//.test(agent)) return 'chrome';
  return /\bSafari\//.test(agent) ? 'safari' : 'other';
}

interface PermissionsPolicy {
  features(): readonly string[];
  allowsFeature(feature: string): boolean;
}

/**
 * The place of the page: `top` of its window, a `frame` with the permission policy for programs on the computer, a frame
 * `without` it, or a frame of another site whose browser does not show its policy (`unknown`).
 */
export function readPlace(): 'top' | 'frame' | 'without' | 'unknown' {
  if (typeof window === 'undefined' || window.top === window || window.top === null) return 'top';
  const { featurePolicy, permissionsPolicy } = document as {
    readonly featurePolicy?: PermissionsPolicy;
    readonly permissionsPolicy?: PermissionsPolicy;
  };
  const policy = permissionsPolicy ?? featurePolicy;
  const known = PERMISSIONS.filter((name) => policy?.features().includes(name) === true);
  if (known.length > 0) return known.some((name) => policy?.allowsFeature(name) === true) ? 'frame' : 'without';
  try {
    // Readable only by a frame of the same site, which has the policy of the outer page.
    return window.top.location.href === '' ? 'unknown' : 'frame';
  } catch {
    return 'unknown';
  }
}

/** True if the browser would let the page open a window now. Browsers that do not tell are asked by trying. */
export const canOpenWindow = (): boolean =>
  typeof window !== 'undefined' && (navigator.userActivation as UserActivation | undefined)?.isActive !== false;

/** The language of the page's user, as far as this client has sentences. */
export const userLanguage = (): 'en' | 'pt-BR' =>
  typeof navigator !== 'undefined' && /^pt\b/i.test(navigator.language) ? 'pt-BR' : 'en';
