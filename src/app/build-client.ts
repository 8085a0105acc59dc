/**
 * Builds the client: `dist/client.js` for pages and programs, `dist/server.js` for servers of applications, and
 * `dist/sinete-sign.js`, the ready element, `dist/web-pki.js` and `dist/web-eid.js` with the verbs of other libraries, and
 * `dist/pdf.js`, which prepares PDFs with the core's own writer, each an ES module with all its types in a single file;
 * besides `dist/bridge.js`, the script of the bridge window, and the help page for users.
 */
import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import ts from 'typescript';
import { build, type Plugin } from 'vite';

const folder = join(import.meta.dirname, '../client');
const output = join(folder, 'dist');
const portable = join(import.meta.dirname, '../signing/portable');

/** Joins the declarations of all modules, or of the entry alone, without the imports and exports between the modules. */
function declarations(entry: string, isAlone = false): string {
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
  program.emit(isAlone ? program.getSourceFile(entry) : undefined, (_name, text) => texts.push(text));
  return texts.join('\n').replaceAll(/^(import|export)\b[^;{]*(\{[^}]*\})?\s*from '[^']*';\n/gm, '');
}

/** Modules that a page has no use for, or not as they are, in the writer of PDFs. */
const REPLACED = /^node:|\/(?:place-stamp|stamp-painter|standard-security)\.ts$/;

/** Puts the stand-ins of `signing/portable` in the place of Node's modules and of `Buffer`. */
const withoutNode: Plugin = {
  name: 'without-node',
  enforce: 'pre',
  resolveId: (source) => (REPLACED.test(source) ? join(portable, 'node-parts.ts') : undefined),
  transform: (code, id) =>
    /\bBuffer\b/.test(code) && !id.endsWith('/bytes.ts')
      ? `import { Bytes as Buffer } from ${JSON.stringify(join(portable, 'bytes.ts'))};${code}`
      : undefined,
};

async function bundle(entry: string, name: string, plugins: Plugin[] = []): Promise<void> {
  await build({
    root: folder,
    configFile: false,
    logLevel: 'warn',
    plugins,
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
const pdfEntry = join(portable, 'prepare-pdf.ts');
await bundle(pdfEntry, 'pdf', [withoutNode]);
await writeFile(join(output, 'pdf.d.ts'), declarations(pdfEntry, true));
