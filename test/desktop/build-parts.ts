import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { preloadBuild } from '../../electron.vite.config.ts';
import type { DesktopFiles } from '../../src/desktop/run-desktop.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** The window's parts, built into a folder of their own. */
export interface BuiltParts extends DesktopFiles {
  remove(): Promise<void>;
}

/** Builds the GUI and the preload script as the product does. */
export async function buildParts(): Promise<BuiltParts> {
  const folder = await mkdtemp(join(tmpdir(), 'sinete-desktop-'));
  const renderer = join(folder, 'renderer');
  await build({
    root: join(root, 'renderer'),
    configFile: join(root, 'renderer', 'vite.config.ts'),
    logLevel: 'error',
    build: { outDir: renderer, emptyOutDir: true },
  });
  await build({
    root,
    configFile: false,
    logLevel: 'error',
    build: { ...preloadBuild, outDir: join(folder, 'preload') },
  });
  return {
    renderer,
    preload: join(folder, 'preload', 'preload.cjs'),
    icons: join(root, 'assets', 'icons'),
    remove: async () => rm(folder, { recursive: true, force: true }),
  };
}
