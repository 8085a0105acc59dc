import { join } from 'node:path';
import react from '@vitejs/plugin-react';
import { build, defineConfig, type ProxyOptions, type Rolldown } from 'vite';
import { drawingModules, workerBundles } from './drawing-modules.ts';
import { iconModules } from './icon-modules.ts';

/** A running instance, for `npm run dev`. */
const instance = 'http://127.0.0.1:17171';

/** The instance answers only requests of its own pages, so the proxy speaks as one. */
function toInstance(): ProxyOptions {
  return { target: instance, changeOrigin: true, headers: { origin: instance } };
}

/**
 * The modules that an entry needs: what is left when it is bundled without what it loads late. The way of imports alone
 * would say more, since everything of a library leads through its index.
 */
async function modulesOf(entry: string): Promise<ReadonlySet<string>> {
  const bundled = await build({
    root: import.meta.dirname,
    configFile: false,
    logLevel: 'error',
    plugins: [{ name: 'nothing-late', resolveDynamicImport: () => false }, iconModules(), drawingModules()],
    build: {
      write: false,
      minify: false,
      modulePreload: false,
      rolldownOptions: { input: join(import.meta.dirname, entry), preserveEntrySignatures: 'strict' },
    },
  });
  const { output } = bundled as Rolldown.RolldownOutput;
  const modules = output.flatMap((part) => (part.type === 'chunk' ? Object.entries(part.modules) : []));
  return new Set(modules.flatMap(([id, { renderedLength }]) => (renderedLength > 0 ? [id] : [])));
}

export default defineConfig(async ({ command }) => {
  const isBuilt = command === 'build';
  const first = isBuilt ? await modulesOf('src/main.tsx') : new Set<string>();
  const soon = isBuilt ? await modulesOf('src/shell/soon.ts') : new Set<string>();
  return {
    base: '/ui/',
    plugins: [react(), iconModules(), drawingModules()],
    worker: workerBundles,
    build: {
      outDir: 'dist',
      emptyOutDir: true,
      sourcemap: false,
      // The page's policy allows files of its own origin only: no data: addresses, no script of the bundler's in the page.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      // Browsers that know light-dark() themselves; rewritten, it would not follow the switch of colours.
      cssTarget: ['chrome130', 'firefox130', 'safari18'],
      chunkSizeWarningLimit: 900,
      // One file for the first page, and one for what follows at once: dozens of small ones, shared with late pages, take
      // longer to ask for than to run.
      rolldownOptions: {
        output: {
          codeSplitting: {
            groups: [
              { debugName: 'start', name: (id: string) => (first.has(id) ? 'first' : soon.has(id) ? 'soon' : null) },
            ],
          },
        },
      },
    },
    server: {
      proxy: {
        '/ui/rpc': toInstance(),
        '/ui/session': toInstance(),
        '/ui/events': toInstance(),
        '/ui/documents': toInstance(),
        '/file-transfer': toInstance(),
      },
    },
  };
});
