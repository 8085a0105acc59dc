import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { preloadBuild } from '../../electron.vite.config.ts';
import { builtWindow } from '../setup/built-window.ts';
import type { DesktopFiles } from '../../src/desktop/run-desktop.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** The parts of the window. `remove` deletes the preload script; the files of a run share the GUI. */
export interface BuiltParts extends DesktopFiles {
  remove(): Promise<void>;
}

/** The GUI and the preload script, built as the product builds them. */
export async function buildParts(): Promise<BuiltParts> {
  const folder = await mkdtemp(join(tmpdir(), 'sinete-desktop-'));
  await build({
    root,
    configFile: false,
    logLevel: 'error',
    build: { ...preloadBuild, outDir: join(folder, 'preload') },
  });
  return {
    renderer: await builtWindow('production'),
    preload: join(folder, 'preload', 'preload.cjs'),
    icons: join(root, 'assets', 'icons'),
    remove: async () => rm(folder, { recursive: true, force: true }),
  };
}
