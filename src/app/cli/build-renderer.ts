import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { printNote } from './print.ts';
import { rendererFolder } from '../instance/start-sinete.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));

/** Builds the window if it is missing and can be built; answers whether the window exists now. */
export async function ensureRenderer(): Promise<boolean> {
  if (existsSync(join(rendererFolder, 'index.html'))) return true;
  const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js');
  if (!existsSync(vite)) return false;
  printNote('Building the window; this is needed once…');
  const built = await runNode([vite, 'build', 'renderer', '--logLevel', 'warn']);
  return built && existsSync(join(rendererFolder, 'index.html'));
}

/** Bundles the desktop's programs and builds its window from the present sources; answers whether both exist. */
export async function buildDesktop(): Promise<boolean> {
  const bundler = join(root, 'node_modules', 'electron-vite', 'bin', 'electron-vite.js');
  if (!existsSync(bundler)) return false;
  return (await ensureRenderer()) && runNode([bundler, 'build', '--logLevel', 'error']);
}

async function runNode(words: readonly string[]): Promise<boolean> {
  return new Promise<boolean>((resolve) => {
    const child = spawn(process.execPath, words, { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });
    child.once('error', () => {
      resolve(false);
    });
    child.once('exit', (code) => {
      resolve(code === 0);
    });
  });
}
