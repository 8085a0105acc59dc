/**
 * Builds the client: `dist/client.js` for pages and programs, `dist/server.js` for servers of applications, and
 * `dist/sinete-sign.js`, the ready element, `dist/web-pki.js` and `dist/web-eid.js` with the verbs of other libraries, each
 * an ES module with all its types in a single file; besides
 * `dist/bridge.js`, the script of the bridge window, and the help page for users.
 */
import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import ts from 'typescript';
import { build } from 'vite';

const folder = join(import.meta.dirname, '../client');
const output = join(folder, 'dist');

/** Joins the declarations of all modules, without the imports and exports between the modules. */
function declarations(entry: string): string {
  const texts: string[] = [];
  const program = ts.createProgram([entry], {
    lib: ['lib.es2022.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    allowImportingTsExtensions: true,
    declaration: true,
    stripInternal: true,
    emitDeclarationOnly: true,
    strict: true,
    types: [],
  });
  program.emit(undefined, (_name, text) => texts.push(text));
  return texts.join('\n').replaceAll(/^(import|export)\b[^;{]*(\{[^}]*\})?\s*from '[^']*';\n/gm, '');
}

async function bundle(entry: string, name: string): Promise<void> {
  await build({
    root: folder,
    configFile: false,
    logLevel: 'warn',
    build: {
      lib: { entry, formats: ['es'], fileName: () => `${name}.js` },
      outDir: output,
      emptyOutDir: false,
      target: 'es2022',
      minify: true,
    },
  });
}

await mkdir(output, { recursive: true });
await bundle(join(folder, 'bridge-window.ts'), 'bridge');
await copyFile(join(folder, 'sinete-help.html'), join(output, 'sinete-help.html'));
for (const [name, module] of [
  ['client', 'index.ts'],
  ['server', 'server.ts'],
  ['sinete-sign', 'sinete-sign.ts'],
  ['web-pki', 'web-pki.ts'],
  ['web-eid', 'web-eid.ts'],
] as const) {
  const entry = join(folder, module);
  await bundle(entry, name);
  await writeFile(join(output, `${name}.d.ts`), declarations(entry));
}
