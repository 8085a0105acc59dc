import { existsSync, readFileSync } from 'node:fs';
import { isAbsolute, join, win32 } from 'node:path';
import { here, type FolderSurroundings } from './data-folder.ts';

/**
 * The user's folder for documents: on Linux `XDG_DOCUMENTS_DIR` of user-dirs.dirs (xdg-user-dirs), on Windows
 * OneDrive's folder if OneDrive has replaced the usual one, else `Documents` in the home folder.
 */
export function documentsFolder({ platform, environment, home }: FolderSurroundings = here): string {
  if (platform === 'win32') {
    const own = win32.join(home, 'Documents');
    const cloud = environment.OneDrive === undefined ? undefined : win32.join(environment.OneDrive, 'Documents');
    return cloud !== undefined && !existsSync(own) && existsSync(cloud) ? cloud : own;
  }
  if (platform === 'darwin') return join(home, 'Documents');
  return xdgDocuments(environment, home) ?? join(home, 'Documents');
}

function xdgDocuments(environment: FolderSurroundings['environment'], home: string): string | undefined {
  const configured = environment.XDG_CONFIG_HOME;
  const folder = configured?.startsWith('/') === true ? configured : join(home, '.config');
  const text = readIfThere(join(folder, 'user-dirs.dirs'));
  // A shell assignment with a path in quotation marks, absolute or below $HOME (user-dirs.dirs(5)).
  const [, value] = /^\s*XDG_DOCUMENTS_DIR="([^"\n]+)"/m.exec(text) ?? [];
  if (value === undefined) return undefined;
  const path = value.replace(/^\$HOME(?=\/|$)/, home).replaceAll(/\\(.)/g, '$1');
  // In user-dirs.dirs the home folder itself means "none".
  return isAbsolute(path) && path.replace(/\/+$/, '') !== home ? path : undefined;
}

function readIfThere(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
