/**
 * The documentation as a site, `build/site`: the pages of docs/ and the API pages of `sinete/signing` and
 * `sinete/client`, built by VitePress and TypeDoc from the package in test/docs/site, then checked link by link.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, globSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { GUIDE_ADDRESS } from '../../src/http/pages/guide.ts';
import { installSuite } from '../setup/install-suite.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const suite = join(root, 'test/docs/site');
const staged = join(root, 'build/site-pages');
const site = join(root, 'build/site');

/** Builds and checks the site. Throws with the broken links, or when a tool fails. */
export function buildSite(): void {
  installSuite('test/docs/site');
  rmSync(staged, { recursive: true, force: true });
  cpSync(join(root, 'docs'), staged, { recursive: true });
  writeApiPages('signing', 'The signing core: signs, extends and validates without the service.');
  writeApiPages('client', 'The client for web pages, also served at `/client.js` of an instance.');
  for (const file of globSync('**/*.md', { cwd: staged })) stagePage(file.replaceAll('\\', '/'));
  rmSync(site, { recursive: true, force: true });
  runSiteTool('vitepress/bin/vitepress.js', 'build', suite);
  for (const file of globSync('**/*.{html.txt,java,mjs,mts,php,py,svg}', { cwd: join(root, 'docs') })) {
    cpSync(join(root, 'docs', file), join(site, file));
  }
  const { broken, checked } = checkSite(site);
  if (broken.length > 0) throw new Error(`Broken links of the site:\n${broken.join('\n')}`);
  console.log(`The site is in build/site: ${checked} links lead somewhere.`);
}

/** Runs a program of the suite under the Node of this process. Throws when it fails. */
function runSiteTool(path: string, ...parameters: readonly string[]): void {
  const { status } = spawnSync(process.execPath, [join(suite, 'node_modules', path), ...parameters], {
    stdio: ['ignore', 2, 2],
  });
  if (status !== 0) throw new Error(`${path} failed.`);
}

/** Writes the pages of `sinete/NAME` from the types and comments of its source. */
function writeApiPages(name: 'signing' | 'client', introduction: string): void {
  const folder = join(root, 'src', name);
  const target = join(staged, 'api', name);
  runSiteTool(
    'typedoc/bin/typedoc',
    ...['--plugin', 'typedoc-plugin-markdown', '--tsconfig', join(folder, 'tsconfig.json')],
    // Types are the business of `npm run check`, under the options of each layer.
    ...['--skipErrorChecking', '--excludeInternal', '--disableSources', '--logLevel', 'Error'],
    ...['--readme', 'none', '--name', `sinete/${name}`, '--hideBreadcrumbs', '--hidePageHeader'],
    ...['--entryPoints', join(folder, 'index.ts'), '--out', target],
  );
  const page = join(target, 'README.md');
  const text = readFileSync(page, 'utf8');
  writeFileSync(page, text.replace(/^(# .*\n)/m, `$1\n${introduction}\n`));
}

/** Gives a staged page the form of VitePress: `index.md` for a folder, and no link out of the documentation. */
function stagePage(file: string): void {
  const path = join(staged, file);
  writeFileSync(path, stageLinks(readFileSync(path, 'utf8'), file));
  if (posix.basename(file) === 'README.md') renameSync(path, join(dirname(path), 'index.md'));
}

/**
 * The text of a page with links to `README.md` as `index.md`, and only the text of links out of the documentation.
 * `file` is the path of the page below docs/, with slashes.
 */
export function stageLinks(text: string, file: string): string {
  // From left to right, so that the code in the label of a link belongs to the link, and a link in code to the code.
  const codeOrLink = /^```[^]*?^```$|(!?)\[((?:`[^`]*`|[^\]`])*)\]\(([^()\s]+)\)|`[^`\n]+`/gm;
  return text.replaceAll(codeOrLink, (whole: string, mark = '', label: string, address?: string): string => {
    if (address === undefined || /^[a-z][a-z+.-]*:|^#/i.test(address)) return whole;
    if (posix.join(posix.dirname(file), address).startsWith('../')) return label;
    return `${mark}[${label}](${address.replace(/README\.md(?=#|$)/, 'index.md')})`;
  });
}

/** Follows each link, picture and script of the pages in a folder with a built site. */
export function checkSite(folder: string): { readonly broken: readonly string[]; readonly checked: number } {
  const pages = new Map(
    globSync('**/*.html', { cwd: folder }).map((name) => {
      const html = readFileSync(join(folder, name), 'utf8');
      return [name.replaceAll('\\', '/'), { html, ids: new Set([...html.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id)) }]; // prettier-ignore
    }),
  );
  const broken: string[] = [];
  let checked = 0;
  for (const [name, { html }] of pages) {
    const here = new URL(GUIDE_ADDRESS + name.replace(/(index)?\.html$/, ''), 'http://site');
    for (const [, link = ''] of html.matchAll(/\s(?:href|src|srcset)="([^"]*)"/g)) {
      const { origin, pathname, hash } = new URL(link.replaceAll('&amp;', '&'), here);
      if (origin !== here.origin) continue;
      checked += 1;
      const path = decodeURIComponent(pathname).slice(GUIDE_ADDRESS.length);
      const page = pages.get(path === '' || path.endsWith('/') ? `${path}index.html` : `${path}.html`);
      const isFile = existsSync(join(folder, path)) && statSync(join(folder, path)).isFile();
      const heading = decodeURIComponent(hash.slice(1));
      const isThere = pathname.startsWith(GUIDE_ADDRESS) && (page === undefined ? isFile : heading === '' || page.ids.has(heading)); // prettier-ignore
      if (!isThere) broken.push(`${name}: ${link}`);
    }
  }
  return { broken, checked };
}
