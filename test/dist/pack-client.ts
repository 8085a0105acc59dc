/** The client as a package of its own, `sinete-client`, for pages and for programs in Node: `npm run pack -- --client`. */
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');

/** Fills a folder with the files of the package. The client has to be built before. */
export function assembleClientPackage(folder: string): void {
  mkdirSync(folder, { recursive: true });
  for (const name of ['client', 'server', 'sinete-sign', 'web-pki', 'web-eid', 'pdf']) {
    for (const ending of ['.js', '.d.ts']) {
      cpSync(join(root, 'src/client/dist', name + ending), join(folder, name + ending));
    }
  }
  cpSync(join(root, 'src/client/dist/sinete-help.html'), join(folder, 'sinete-help.html'));
  cpSync(join(root, 'src/client/README.md'), join(folder, 'README.md'));
  cpSync(join(root, 'LICENSE'), join(folder, 'LICENSE'));
  const { version, license } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Record<string, string>;
  const description = {
    name: 'sinete-client',
    version,
    description: 'A client for Sinete: sign and validate documents from a web page, or from a program in Node.',
    license,
    type: 'module',
    sideEffects: ['./sinete-sign.js'],
    engines: { node: '>=20.3' },
    exports: {
      '.': { types: './client.d.ts', default: './client.js' },
      './server': { types: './server.d.ts', default: './server.js' },
      './sinete-sign': { types: './sinete-sign.d.ts', default: './sinete-sign.js' },
      './web-pki': { types: './web-pki.d.ts', default: './web-pki.js' },
      './web-eid': { types: './web-eid.d.ts', default: './web-eid.js' },
      './pdf': { types: './pdf.d.ts', default: './pdf.js' },
      './sinete-help.html': './sinete-help.html',
      './package.json': './package.json',
    },
  };
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(description, null, 2)}\n`);
}
