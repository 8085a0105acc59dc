import type { CustomScheme } from 'electron';

/** The only origin that the desktop shows. */
export const uiOrigin = 'app://ui';

/** The page of the GUI. */
export const uiPage = `${uiOrigin}/`;

/** An origin of its own with storage, under a policy; it may not be fetched from. */
export const schemePrivileges: CustomScheme = {
  scheme: 'app',
  privileges: { standard: true, secure: true, supportFetchAPI: false, corsEnabled: false, stream: true },
};

/** Whether an address is a page of ours. */
export function isUiPage(address: string): boolean {
  const url = URL.parse(address);
  return url?.protocol === 'app:' && url.host === 'ui' && url.pathname === '/' && url.search === '';
}
