import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { AppError } from '../app-error.ts';

/** The surroundings that determine folders. */
export interface FolderSurroundings {
  readonly platform: NodeJS.Platform;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly home: string;
}

export const here: FolderSurroundings = { platform: process.platform, environment: process.env, home: homedir() };

/**
 * The data folder: the given folder, else `SINETE_DATA`, else the system's usual place. Throws `AppError` (exit code 2)
 * for a name that is not UTF-8: Node replaces wrong bytes by U+FFFD, so the name would be another folder's.
 */
export function dataFolder(given: string | undefined, surroundings: FolderSurroundings = here): string {
  const { environment } = surroundings;
  const chosen = given ?? environment.SINETE_DATA;
  if (chosen?.includes('\uFFFD') === true && !existsSync(chosen)) {
    throw new AppError(2, `The name of the data folder "${chosen}" is not UTF-8: choose or rename the folder.`);
  }
  if (chosen !== undefined && chosen !== '') return resolve(chosen);
  return join(systemFolder(surroundings, 'data'), 'sinete');
}

/**
 * Default place of the master key's file: outside the data folder, so that a copy of the folder does not include the
 * key.
 */
export function defaultKeyFile(surroundings: FolderSurroundings = here): string {
  return join(systemFolder(surroundings, 'config'), 'sinete', 'master.key');
}

/**
 * The policy file of this computer, in a place that only administrators can write; its keys take precedence over all
 * others.
 */
export function policyFile({ platform, environment }: FolderSurroundings = here): string {
  if (platform === 'win32') return join(environment.ProgramFiles ?? 'C:\\Program Files', 'Sinete', 'policy.toml');
  if (platform === 'darwin') return '/Library/Application Support/Sinete/policy.toml';
  return '/etc/sinete/policy.toml';
}

function systemFolder({ platform, environment, home }: FolderSurroundings, kind: 'data' | 'config'): string {
  if (platform === 'win32') {
    const name = kind === 'data' ? 'APPDATA' : 'LOCALAPPDATA';
    return environment[name] ?? join(home, 'AppData', kind === 'data' ? 'Roaming' : 'Local');
  }
  if (platform === 'darwin') return join(home, 'Library', kind === 'data' ? 'Application Support' : 'Preferences');
  return kind === 'data'
    ? absolute(environment.XDG_DATA_HOME, join(home, '.local', 'share'))
    : absolute(environment.XDG_CONFIG_HOME, join(home, '.config'));
}

/** Relative paths are ignored, as the XDG Base Directory Specification requires. */
function absolute(path: string | undefined, otherwise: string): string {
  return path?.startsWith('/') === true ? path : otherwise;
}
