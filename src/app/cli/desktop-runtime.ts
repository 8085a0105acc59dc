import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Whether the desktop application can run here; if not, the reason. */
export type DesktopRuntime =
  /** `program` is the folder of the checkout; its bundle is built before the start. */
  | { readonly available: true; readonly executable: string; readonly program: string }
  | { readonly available: false; readonly reason: string; readonly remedy: string };

/** The surroundings that decide whether the desktop can run. */
export interface DesktopSurroundings {
  /** The folder with `node_modules` and `src`. */
  readonly root: string;
  readonly platform: NodeJS.Platform;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

const checkout: DesktopSurroundings = {
  root: fileURLToPath(new URL('../../..', import.meta.url)),
  platform: process.platform,
  environment: process.env,
};

/**
 * Looks for Electron's runtime by its files. The package itself is never imported, because its import downloads a
 * missing runtime.
 */
export function findDesktopRuntime(surroundings: DesktopSurroundings = checkout): DesktopRuntime {
  const { root, platform, environment } = surroundings;
  const electron = join(root, 'node_modules', 'electron');
  const pathFile = join(electron, 'path.txt');
  const executable = existsSync(pathFile) ? join(electron, 'dist', readFileSync(pathFile, 'utf8').trim()) : undefined;
  if (executable === undefined || !existsSync(executable)) {
    return missing(
      "Electron's runtime is not here",
      existsSync(electron)
        ? 'Fetch it once with "node node_modules/electron/install.js", which needs the network.'
        : 'Run "npm ci" here, then "node node_modules/electron/install.js", which needs the network.',
    );
  }
  const display = environment.DISPLAY ?? environment.WAYLAND_DISPLAY ?? '';
  if (platform === 'linux' && display === '') {
    return missing('there is no display', 'Start it in a desktop session, or use "sinete serve".');
  }
  return { available: true, executable, program: root };
}

function missing(reason: string, remedy: string): DesktopRuntime {
  return { available: false, reason, remedy };
}
