import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'electron-vite';
import type { BuildOptions, Plugin } from 'vite';

const root = fileURLToPath(new URL('.', import.meta.url));
const mainFolder = join(root, 'out', 'main');

/**
 * Programs of their own: the main process, the token process with its watchdog, the workers that read files and the
 * database, the opener.
 */
const programs: Readonly<Record<string, string>> = {
  main: join(root, 'src/desktop/main.ts'),
  host: join(root, 'src/signing/keys/pkcs11/host.ts'),
  'host-watchdog': join(root, 'src/signing/keys/pkcs11/host-watchdog.ts'),
  'worker-main': join(root, 'src/signing/workers/worker-main.ts'),
  'reader-main': join(root, 'src/storage/sqlite/reader-main.ts'),
  'copy-thread-main': join(root, 'src/storage/backup/copy-thread-main.ts'),
  'open-on-windows': join(root, 'src/app/compose/open-on-windows.ts'),
};

/**
 * Code finds programs and files beside it by `new URL('…', import.meta.url)`. In the bundle all code lies in `out/main`:
 * programs lie beside it there, and files where they always were.
 */
export function keepAddresses(): Plugin {
  const names = new Map(Object.entries(programs).map(([name, file]) => [file, `./${name}.js`]));
  const address = /new URL\(\s*'([^']+)',\s*import\.meta\.url\s*\)/g;
  return {
    name: 'keep-addresses',
    enforce: 'pre',
    transform(code, id) {
      if (!id.startsWith(join(root, 'src')) || !code.includes('import.meta.url')) return null;
      const moved = code.replaceAll(address, (_match, path: string) => {
        const file = join(dirname(id), path);
        const target = names.get(file) ?? relative(mainFolder, file).replaceAll('\\', '/');
        return `new URL('${target}', import.meta.url)`;
      });
      return { code: moved, map: null };
    },
  };
}

/** One CommonJS file, as the sandbox wants it. */
export const preloadBuild: BuildOptions = {
  outDir: 'out/preload',
  emptyOutDir: true,
  target: 'node24',
  minify: false,
  lib: { entry: join(root, 'src/desktop/preload.ts'), formats: ['cjs'], fileName: () => 'preload.cjs' },
  rolldownOptions: { external: ['electron'], output: { entryFileNames: 'preload.cjs' } },
};

// The window is built by `renderer/vite.config.ts`, once for both hosts.
export default defineConfig({
  main: {
    plugins: [keepAddresses()],
    build: {
      outDir: 'out/main',
      emptyOutDir: true,
      target: 'node24',
      minify: false,
      externalizeDeps: true,
      lib: { entry: programs, formats: ['es'] },
      rolldownOptions: {
        output: { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
      },
    },
  },
  preload: { build: { ...preloadBuild, externalizeDeps: true } },
});
