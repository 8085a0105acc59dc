/** Builds the page's side: `dist/client.js`, an ES module, and `dist/client.d.ts`, all its types in a single file. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import ts from 'typescript';
import { build } from 'vite';

const folder = join(import.meta.dirname, '../client');
const entry = join(folder, 'index.ts');
const output = join(folder, 'dist');

/** Joins the declarations of all modules, without the imports and exports between the modules. */
function declarations(): string {
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

await mkdir(output, { recursive: true });
await build({
  root: folder,
  configFile: false,
  logLevel: 'warn',
  build: {
    lib: { entry, formats: ['es'], fileName: () => 'client.js' },
    outDir: output,
    target: 'es2022',
    minify: true,
  },
});
await writeFile(join(output, 'client.d.ts'), declarations());
