/**
 * `npm run pack -- --core`: the signing core as a package of its own, `release/sinete-signing-VERSION.tgz`. The package
 * needs neither the service nor the window, only the packages that the modules of the core import.
 */
import { cpSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import { writeCoreDeclarations } from './core-declarations.ts';
import { assembleCore, renameModules } from './pack-product.ts';

const root = join(import.meta.dirname, '../..');

/** Fills an empty folder with the files of the package. Throws when the core does not compile. */
export function assembleCorePackage(folder: string): void {
  assembleCore(folder);
  writeCoreDeclarations(folder, renameModules);
  cpSync(join(root, 'src/signing/README.md'), join(folder, 'README.md'));
  cpSync(join(root, 'LICENSE'), join(folder, 'LICENSE'));
  const checkout = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    readonly version: string;
    readonly license: string;
    readonly dependencies: Readonly<Record<string, string>>;
  };
  const { version, license, dependencies } = checkout;
  const described = {
    name: 'sinete-signing',
    version,
    description: 'Signs, extends and validates CMS, CAdES and PAdES with keys of files and tokens.',
    license,
    type: 'module',
    engines: { node: '>=22.18' },
    exports: { '.': { types: './src/signing/index.d.ts', default: './src/signing/index.js' } },
    dependencies: Object.fromEntries(importedPackages(folder).map((name) => [name, dependencies[name]])),
  };
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(described, null, 2)}\n`);
}

/** The names of the packages that the modules of a folder import, in alphabetical order. */
function importedPackages(folder: string): readonly string[] {
  const imports = globSync('**/*.js', { cwd: folder }).flatMap((file) => {
    const text = readFileSync(join(folder, file), 'utf8');
    return [...text.matchAll(/(?:\bfrom |\bimport\(|^import |require\()'((?:@[\w-]+\/)?[\w-][\w.-]*)/gm)];
  });
  return [...new Set(imports.map(([, name = '']) => name))]
    .filter((name) => !isBuiltin(name) && name !== 'node')
    .sort();
}
