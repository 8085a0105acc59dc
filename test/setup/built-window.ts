import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { npmTool } from './npm-tool.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const kept = join(root, 'test/.work/window');
const DAY = 24 * 60 * 60 * 1000;

/** The sources of the GUI's bundle; a changed library changes the lock file. */
const sources = ['renderer', 'src/ui-contract', 'src/text', 'assets/icon.svg', 'assets/fonts', 'package-lock.json'];

/**
 * The form of React in a build. A warning of the development form is a fault of the page. That form draws at half the
 * speed, so only `npm run test:all` uses this form, to test every page.
 */
type Form = 'development' | 'production';

/** The environment variable with the form of the window under test. */
export const WINDOW_FORM = 'TEST_WINDOW_FORM';

const formOfRun = (): Form => (process.env[WINDOW_FORM] === 'development' ? 'development' : 'production');

const productFolder = join(root, 'renderer/dist');

/**
 * The folder of the built GUI. The form is built once for each state of its sources and shared by all files of a run;
 * the folder is complete from its first moment, also when several runs build at once.
 */
export async function builtWindow(form: Form = formOfRun()): Promise<string> {
  const files = await sourceFiles();
  const told = files.map(({ path, size, changed }) => `${path} ${size} ${changed}`).join('\n');
  const folder = join(kept, createHash('sha256').update(`${form}\n${told}`).digest('hex').slice(0, 16));
  if (!existsSync(folder)) {
    await mkdir(kept, { recursive: true });
    const fresh = await mkdtemp(join(kept, 'building-'));
    if (form === 'production' && (await isProductCurrent(files))) await cp(productFolder, fresh, { recursive: true });
    else await build(fresh, form);
    // If another run was faster, its folder is equally good.
    await rename(fresh, folder).catch(() => rm(fresh, { recursive: true, force: true }));
    await forgetOldOnes();
  }
  const now = new Date();
  await utimes(folder, now, now);
  return folder;
}

/** Builds the GUI of the product where missing or older than any of its sources. */
export async function refreshProductWindow(): Promise<void> {
  if (await isProductCurrent(await sourceFiles())) return;
  const built = await builtWindow('production');
  await rm(productFolder, { recursive: true, force: true });
  await cp(built, productFolder, { recursive: true });
}

async function isProductCurrent(files: readonly SourceFile[]): Promise<boolean> {
  const built = await stat(join(productFolder, 'index.html')).catch(() => undefined);
  return built !== undefined && files.every(({ changed }) => changed < built.mtimeMs);
}

interface SourceFile {
  readonly path: string;
  readonly size: number;
  /** Milliseconds since 1970. Folders are included, because a folder changes when a file is removed. */
  readonly changed: number;
}

async function sourceFiles(): Promise<readonly SourceFile[]> {
  const found: SourceFile[] = [];
  const look = async (path: string): Promise<void> => {
    const stats = await stat(join(root, path));
    const isFolder = stats.isDirectory();
    // The built files are in a folder of the sources, so the time of that folder means nothing.
    if (path !== 'renderer') found.push({ path, size: isFolder ? 0 : stats.size, changed: stats.mtimeMs });
    if (!isFolder) return;
    for (const name of (await readdir(join(root, path))).sort()) if (name !== 'dist') await look(`${path}/${name}`);
  };
  for (const path of sources) await look(path);
  return found;
}

async function build(output: string, form: Form): Promise<void> {
  const words = [npmTool('vite'), 'build', 'renderer', '--logLevel', 'error', '--outDir', output, '--emptyOutDir'];
  const code = await new Promise<number | null>((resolve, reject) => {
    const environment = { ...process.env, NODE_ENV: form };
    const child = spawn(process.execPath, words, {
      cwd: root,
      env: environment,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    child.once('error', reject);
    child.once('close', resolve);
  });
  if (code !== 0) throw new Error('The GUI cannot be built.');
}

/** Removes folders not used by any run for a day. */
async function forgetOldOnes(): Promise<void> {
  for (const name of await readdir(kept)) {
    const path = join(kept, name);
    const used = await stat(path).catch(() => undefined);
    if (used !== undefined && used.mtimeMs < Date.now() - DAY) await rm(path, { recursive: true, force: true });
  }
}
