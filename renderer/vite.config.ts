import react from '@vitejs/plugin-react';
import { defineConfig, type ProxyOptions } from 'vite';

/** A running instance, for `npm run dev`. */
const instance = 'http://127.0.0.1:17171';

/** The instance answers only requests of its own pages, so the proxy speaks as one. */
function toInstance(): ProxyOptions {
  return { target: instance, changeOrigin: true, headers: { origin: instance } };
}

interface ModuleSource {
  getModuleInfo(id: string): { readonly isEntry: boolean; readonly importers: readonly string[] } | null;
}

/** Whether the first page needs a module: whether a way of static imports leads from the entry to it. */
function firstPageNeeds(id: string, source: ModuleSource): boolean {
  const seen = new Set<string>([id]);
  for (const one of seen) {
    const info = source.getModuleInfo(one);
    if (info?.isEntry === true) return true;
    for (const importer of info?.importers ?? []) seen.add(importer);
  }
  return false;
}

export default defineConfig({
  base: '/ui/',
  plugins: [react()],
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
    // One file for the first page: dozens of small ones, shared with late pages, take longer to ask for than to run.
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [{ debugName: 'first', name: (id, source) => (firstPageNeeds(id, source) ? 'first' : null) }],
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
});
