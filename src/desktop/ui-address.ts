import type { CustomScheme } from 'electron';

/** The only origin shown by the desktop. */
export const uiOrigin = 'app://ui';

/** The page of the GUI. */
export const uiPage = `${uiOrigin}/`;

/** The privileges of the scheme: an origin with its own storage, under a policy without fetch. */
export const schemePrivileges: CustomScheme = {
  scheme: 'app',
  privileges: { standard: true, secure: true, supportFetchAPI: false, corsEnabled: false, stream: true },
};

/** True if an address is a page of ours. */
export function isUiPage(address: string): boolean {
  const url = URL.parse(address);
  return url?.protocol === 'app:' && url.host === 'ui' && url.pathname === '/' && url.search === '';
}
