import { spawn } from 'node:child_process';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const sources = join(root, 'src/client');
const products = ['client.js', 'bridge.js', 'sinete-sign.js', 'pdf.js', 'sinete-help.html'];

const changeOf = async (path: string): Promise<number> => (await stat(path).catch(() => undefined))?.mtimeMs ?? 0;

/** Builds the client for web pages anew if a source is newer than the built files. */
export async function refreshClient(): Promise<void> {
  const namesIn = async (folder: string): Promise<readonly string[]> =>
    (await readdir(folder, { recursive: true })).filter((name) => /\.(ts|html)$/.test(name)).map((name) => join(folder, name)); // prettier-ignore
  const own = (await namesIn(sources)).filter((path) => !path.startsWith(join(sources, 'dist')));
  // The module for PDFs is made of the core's own writer.
  const names = [...own, ...(await namesIn(join(root, 'src/signing'))), join(root, 'src/app/build-client.ts')];
  const changed = await Promise.all(names.map(changeOf));
  const built = await Promise.all(products.map(async (name) => changeOf(join(sources, 'dist', name))));
  if (Math.min(...built) >= Math.max(...changed)) return;
  const child = spawn(process.execPath, [join(root, 'src/app/build-client.ts')], { cwd: root, stdio: 'inherit' });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  if (code !== 0) throw new Error('The client for web pages cannot be built.');
}
