/** A folder that looks like Electron's own, without a line of its code: what a packer reads of it, and no more. */
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createPackage } from '@electron/asar';

/** Marks the place of the fuses in Electron's executable (electron/fuses, `SENTINEL`). */
const sentinel = 'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX';

/** Fuses of a fresh Electron 45, in the order of their version 1: run as Node … WebAssembly trap handlers. */
const defaults = '101100011';

/** Writes the stand-in for Linux into `folder`; answers the version that it claims to have. */
export async function writeStandInRuntime(folder: string, electronPackage: string): Promise<string> {
  const { version } = JSON.parse(await readFile(join(electronPackage, 'package.json'), 'utf8')) as { version: string };
  await mkdir(join(folder, 'resources'), { recursive: true });
  await mkdir(join(folder, 'locales'));
  const wire = Buffer.concat([Buffer.from(sentinel), Buffer.from([1, defaults.length]), Buffer.from(defaults)]);
  await writeFile(join(folder, 'electron'), Buffer.concat([Buffer.alloc(4096), wire, Buffer.alloc(4096)]));
  await chmod(join(folder, 'electron'), 0o755);
  await writeFile(join(folder, 'version'), version);
  for (const name of ['LICENSE', 'LICENSES.chromium.html', 'chrome_100_percent.pak', 'locales/en-US.pak']) {
    await writeFile(join(folder, name), 'stand-in');
  }
  const app = join(folder, 'default_app');
  await mkdir(app);
  await writeFile(join(app, 'package.json'), '{"name":"electron","main":"main.js"}');
  await writeFile(join(app, 'main.js'), '');
  await createPackage(app, join(folder, 'resources', 'default_app.asar'));
  return version;
}
