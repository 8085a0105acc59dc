import { cp, mkdir, readdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Packages of a copy. */
export interface PackagesOfCopy {
  /** Names of folders in `node_modules` left out of the copy. */
  readonly without: readonly string[];
}

/** Copies the program into a folder, with links to its packages. Answers the path of its entry. */
export async function copyProgram(folder: string, { without }: PackagesOfCopy): Promise<string> {
  const packages = join(folder, 'node_modules');
  await mkdir(packages, { recursive: true });
  await cp(join(root, 'src'), join(folder, 'src'), { recursive: true });
  await cp(join(root, 'assets'), join(folder, 'assets'), { recursive: true });
  await cp(join(root, 'docs'), join(folder, 'docs'), { recursive: true });
  await cp(join(root, 'package.json'), join(folder, 'package.json'));
  for (const one of await readdir(join(root, 'node_modules'))) {
    if (one === 'koffi' || without.includes(one)) continue;
    await symlink(join(root, 'node_modules', one), join(packages, one));
  }
  // koffi looks for its binary beside itself: a link would lead to the binary of this checkout.
  if (!without.includes('koffi')) {
    await cp(join(root, 'node_modules/koffi'), join(packages, 'koffi'), { recursive: true });
  }
  return join(folder, 'src/app/sinete.js');
}
