import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Compares the packages that run a program when they are installed with the list `allowScripts` of package.json, in a single
 * folder with a lock file. Answers sentences, none when both agree. npm runs `node-gyp rebuild` for a package with a
 * `binding.gyp` and no script of its own; the lock file does not tell, so installed packages are looked into as well.
 */
export function compareInstallScripts(folder: string): readonly string[] {
  const { packages } = readJson(join(folder, 'package-lock.json')) as {
    readonly packages: Readonly<Record<string, { readonly hasInstallScript?: boolean }>>;
  };
  const { allowScripts = {} } = readJson(join(folder, 'package.json')) as {
    readonly allowScripts?: Readonly<Record<string, boolean>>;
  };
  const inLock = Object.keys(packages).filter((path) => path.includes('node_modules/'));
  const running = inLock.filter(
    (path) => packages[path]?.hasInstallScript === true || runsOnInstall(join(folder, path)),
  );
  const names = new Set(running.map(packageName));
  const locked = new Set(inLock.map(packageName));
  const isInstalled = existsSync(join(folder, 'node_modules'));
  return [
    ...[...names]
      .filter((name) => !(name in allowScripts))
      .map((name) => `${name} runs a program when it is installed. Read it, then list it in "allowScripts".`),
    ...Object.keys(allowScripts)
      .filter((name) => !locked.has(name) || (isInstalled && !names.has(name)))
      .map((name) => `${name} is listed in "allowScripts" and runs nothing when it is installed. Take it off.`),
  ];
}

/** `node_modules/a/node_modules/@b/c` → `@b/c`. */
function packageName(path: string): string {
  return path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
}

function runsOnInstall(place: string): boolean {
  const file = join(place, 'package.json');
  if (!existsSync(file)) return false;
  const { scripts = {} } = readJson(file) as { readonly scripts?: Readonly<Record<string, string>> };
  const hasScript = ['preinstall', 'install', 'postinstall'].some((name) => scripts[name] !== undefined);
  return hasScript || existsSync(join(place, 'binding.gyp'));
}

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(path, 'utf8'));
}
