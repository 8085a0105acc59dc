/**
 * `npm run pack`: the product as an npm package, `release/sinete-VERSION.tgz`. Node strips no types from packages, so
 * that the package holds JavaScript, file by file in the same folders: code finds its programs and pictures there.
 * `-- --image` fills `release/image` instead: everything that an image for containers is built from. `-- --core` packs
 * the signing core alone (pack-core.ts), `-- --client` the client of the interface (pack-client.ts).
 */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { writeChecksums } from './checksums.ts';
import { writeManPages } from '../docs/man-pages.ts';
import { writeCoreDeclarations } from './core-declarations.ts';

const root = join(import.meta.dirname, '../..');

/** The addresses that a program imports: the core, and the client for web pages. */
const exported = {
  './signing': { types: './src/signing/index.d.ts', default: './src/signing/index.js' },
  './client': { types: './src/client/dist/client.d.ts', default: './src/client/dist/client.js' },
  './package.json': './package.json',
} as const;

/** Programs that need a checkout: what builds the product, and the desktop, which Electron's installers bring. */
const leftOut = ['src/app/build-client.ts', 'src/desktop/', 'src/client/'];

/** Folders and files that are packed as they are. */
const asTheyAre = [
  'renderer/dist',
  'src/client/dist',
  'assets/fonts',
  'assets/trust',
  'docs',
  'packaging',
  'LICENSE',
  'README.md',
];

/** The JavaScript of a module in TypeScript. Line numbers stay, and imports name the files that are packed. */
export function toJavaScript(source: string): string {
  return renameModules(stripTypeScriptTypes(source));
}

/** Names of our own modules in a source end in `.js` instead of `.ts`. */
export function renameModules(source: string): string {
  return source.replaceAll(/(['"])(\.{1,2}\/[^'"\n]+)\.ts\1/g, '$1$2.js$1');
}

interface PackageJson {
  readonly [key: string]: unknown;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly optionalDependencies: Readonly<Record<string, string>>;
}

/** The description of the package: that of the checkout without everything that only a checkout needs. */
function packageJson(checkout: PackageJson): Readonly<Record<string, unknown>> {
  const kept = ['version', 'description', 'license', 'type', 'engines', 'dependencies', 'optionalDependencies'];
  return {
    name: 'sinete',
    ...Object.fromEntries(kept.map((key) => [key, checkout[key]])),
    bin: { sinete: 'src/app/sinete.js' },
    // Manual pages, which npm installs for its system.
    directories: { man: 'man' },
    exports: exported,
  };
}

/** Fills an empty folder with the files of the package. The window and the client have to be built before. */
export function assemblePackage(folder: string): void {
  copyModules('src', folder);
  for (const path of asTheyAre) cpSync(join(root, path), join(folder, path), { recursive: true });
  const checkout = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as PackageJson;
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(packageJson(checkout), null, 2)}\n`);
}

/** Folders of the packages that bring Node, which nothing runs from. */
const besideNode = /\/node-linux-[^/]+\/(include|share)$/;

/**
 * Fills an empty folder with what an image is built from, without network: the Containerfile, and the product with its
 * packages. Node comes with them, for the processor of this computer. Throws when npm cannot list the packages.
 */
export function assembleImage(folder: string, npm: string): void {
  const product = join(folder, 'sinete');
  assemblePackage(product);
  const words = [npm, 'ls', '--omit=dev', '--all', '--parseable'];
  const { stdout, status } = spawnSync(process.execPath, words, { cwd: root, encoding: 'utf8' });
  if (status !== 0) throw new Error('npm does not list the packages of the product: run "npm ci".');
  const modules = `${join(root, 'node_modules')}/`;
  const packages = stdout.split('\n').filter((path) => path.startsWith(modules));
  // Packages inside of packages come with them.
  for (const path of packages.filter((one) => !one.slice(modules.length).includes('/node_modules/'))) {
    const filter = (source: string): boolean => !besideNode.test(source);
    cpSync(path, join(product, relative(root, path)), { recursive: true, dereference: true, filter });
  }
  cpSync(join(root, 'packaging/container/Containerfile'), join(folder, 'Containerfile'));
}

/**
 * Fills an empty folder with the JavaScript of the signing core, of the plain functions that it shares with the other
 * layers, and its fonts, in the folders of the checkout.
 */
export function assembleCore(folder: string): void {
  for (const source of ['src/signing', 'src/text', 'src/values']) copyModules(source, folder);
  cpSync(join(root, 'assets/fonts'), join(folder, 'assets/fonts'), { recursive: true });
}

/** Puts the modules of a folder into another one as JavaScript, and other files as they are. */
function copyModules(from: string, folder: string): void {
  for (const path of readdirSync(join(root, from), { recursive: true, encoding: 'utf8' }).sort()) {
    const source = `${from}/${path.replaceAll('\\', '/')}`;
    if (leftOut.some((start) => source.startsWith(start)) || statSync(join(root, source)).isDirectory()) continue;
    if (/(\.md|tsconfig\.json|\.d\.ts)$/.test(source)) continue;
    const text = readFileSync(join(root, source));
    const target = join(folder, source.replace(/\.ts$/, '.js'));
    mkdirSync(dirname(target), { recursive: true });
    if (source.endsWith('.ts')) writeFileSync(target, toJavaScript(text.toString()));
    else writeFileSync(target, source.endsWith('sinete.js') ? renameModules(text.toString()) : text);
  }
}

async function packProduct(): Promise<number> {
  const npm = process.env['npm_execpath'];
  if (npm === undefined) throw new Error('Run it by "npm run pack", which says where npm is.');
  const release = join(root, 'release');
  const { values } = parseArgs({
    options: {
      image: { type: 'boolean', default: false },
      core: { type: 'boolean', default: false },
      client: { type: 'boolean', default: false },
    },
  });
  if (values.image) {
    const image = join(release, 'image');
    rmSync(image, { recursive: true, force: true });
    assembleImage(image, npm);
    console.log(`Build the image from ${relative(process.cwd(), image)}.`);
    return 0;
  }
  const folder = join(release, 'package');
  rmSync(folder, { recursive: true, force: true });
  if (values.core) {
    const { assembleCorePackage } = await import('./pack-core.ts');
    assembleCorePackage(folder);
  } else if (values.client) {
    const { assembleClientPackage } = await import('./pack-client.ts');
    assembleClientPackage(folder);
  } else {
    assemblePackage(folder);
    writeCoreDeclarations(folder, renameModules);
    await writeManPages(join(folder, 'man'));
  }
  const { status } = spawnSync(process.execPath, [npm, 'pack', folder, '--pack-destination', release], {
    stdio: ['ignore', 'inherit', 'ignore'],
  });
  rmSync(folder, { recursive: true });
  if (status !== 0) return status ?? 1;
  await writeChecksums(release);
  console.log(`The package is in ${relative(process.cwd(), release)}.`);
  return 0;
}

if (import.meta.main) process.exitCode = await packProduct();
