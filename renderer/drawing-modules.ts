import { readdirSync, readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Plugin } from 'vite';

/** The folder of an installed package. */
function folderOf(name: string): string {
  const description = findPackageJSON(name, import.meta.url);
  if (description === undefined) throw new Error(`${name} is not installed: run "npm ci".`);
  return dirname(description);
}

/** Bytes as a text of script: the window of the desktop may not fetch. */
const packed = (bytes: Uint8Array): string => JSON.stringify(gzipSync(bytes, { level: 9 }).toString('base64'));

/** Every predefined CMap of pdfjs (ISO 32000-2 §9.7.5.2) in one text, with its place there by file name. */
function characterMaps(): string {
  const folder = join(folderOf('pdfjs-dist'), 'cmaps');
  const names = readdirSync(folder).filter((name) => name.endsWith('.bcmap'));
  const files = names.map((name) => readFileSync(join(folder, name)));
  let end = 0;
  const places = names.map((name, index) => [name, end, (end += files[index]?.length ?? 0)] as const);
  const all = Object.fromEntries(places.map(([name, from, to]) => [name, [from, to]]));
  return `export const places = ${JSON.stringify(all)};\nexport const packed = ${packed(Buffer.concat(files))};`;
}

/**
 * Makes modules of what the drawing of PDFs needs besides its programs: `~drawing/pdfium` is PDFium as WebAssembly, and
 * `~drawing/character-maps` has the predefined CMaps. Each is compressed, because base64 makes it a third longer.
 */
export function drawingModules(): Plugin {
  return {
    name: 'drawing-modules',
    resolveId: (id) => (id.startsWith('~drawing/') ? `\0${id}` : undefined),
    load(id) {
      if (id === '\0~drawing/character-maps') return characterMaps();
      if (id !== '\0~drawing/pdfium') return;
      return `export const packed = ${packed(readFileSync(join(folderOf('@embedpdf/pdfium'), 'dist/pdfium.wasm')))};`;
    },
  };
}

/** How workers are bundled. Servers of the window give files with this ending the policy of workers. */
export const workerBundles = {
  format: 'es',
  plugins: () => [withoutWasmFile()],
  rolldownOptions: { output: { entryFileNames: 'assets/[name]-[hash].mjs' } },
} as const;

/** PDFium gets its WebAssembly by message. Its own way, an address beside the script, would copy the file once more. */
function withoutWasmFile(): Plugin {
  return {
    name: 'without-wasm-file',
    transform(code, id) {
      if (!id.includes('@embedpdf/pdfium')) return;
      return { code: code.replace("new URL('pdfium.wasm', import.meta.url).href", "'pdfium.wasm'"), map: null };
    },
  };
}
