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

/** All that the bundle of the GUI is made of; a changed library shows in the lock file. */
const sources = ['renderer', 'src/ui-contract', 'src/text', 'assets/icon.svg', 'assets/fonts', 'package-lock.json'];

/**
 * The form of React in a build. A warning of the development form is a fault of the page. It draws at half the speed of
 * the product's own form, so that only `npm run test:all`, which looks at every page, uses it.
 */
type Form = 'development' | 'production';

/** The name of the environment variable that tells the tests of a run which form they look at. */
export const WINDOW_FORM = 'TEST_WINDOW_FORM';

const formOfRun = (): Form => (process.env[WINDOW_FORM] === 'development' ? 'development' : 'production');

const productFolder = join(root, 'renderer/dist');

/**
 * The folder of the built GUI. It is built once for one state of its sources, so that all files of a run share it; the
 * folder is complete from the moment that it is there, also when several runs build at once.
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
    // Another run may have been quicker: then its folder is as good.
    await rename(fresh, folder).catch(() => rm(fresh, { recursive: true, force: true }));
    await forgetOldOnes();
  }
  const now = new Date();
  await utimes(folder, now, now);
  return folder;
}

/** Builds the GUI of the product where it is missing or older than one of its sources. */
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
  /** In ms since 1970. A folder counts as well: it changes when a file leaves it. */
  readonly changed: number;
}

async function sourceFiles(): Promise<readonly SourceFile[]> {
  const found: SourceFile[] = [];
  const look = async (path: string): Promise<void> => {
    const stats = await stat(join(root, path));
    const isFolder = stats.isDirectory();
    // The built files lie in a folder of the sources: its own time says nothing.
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

/** Removes what no run has used for a day. */
async function forgetOldOnes(): Promise<void> {
  for (const name of await readdir(kept)) {
    const path = join(kept, name);
    const used = await stat(path).catch(() => undefined);
    if (used !== undefined && used.mtimeMs < Date.now() - DAY) await rm(path, { recursive: true, force: true });
  }
}
