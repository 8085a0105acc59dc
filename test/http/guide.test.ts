import { globSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { renderMarkdown } from '../../src/http/pages/render-markdown.ts';
import { plainRequest, startTestServer, type TestServer } from './start-test-server.ts';

const docs = fileURLToPath(new URL('../../docs', import.meta.url));
const navigation = { 'Sec-Fetch-Site': 'none', 'Sec-Fetch-Mode': 'navigate', 'Sec-Fetch-Dest': 'document' };

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});
afterAll(async () => server.stop());

async function read(path: string): Promise<Awaited<ReturnType<typeof plainRequest>>> {
  return plainRequest(server, { path, headers: navigation });
}

const addressOf = (file: string): string =>
  `/docs/guide/${file
    .replaceAll('\\', '/')
    .replace(/(^|\/)README\.md$/, '$1')
    .replace(/\.md$/, '')}`;

describe('GET /docs/guide', () => {
  it('renders every page of docs/, and each link leads to a page, a heading or a file', async () => {
    const files = globSync('**/*.md', { cwd: docs });
    expect(files.length).toBeGreaterThan(80);
    const answers = new Map<string, Awaited<ReturnType<typeof plainRequest>>>();
    for (const file of files) answers.set(addressOf(file), await read(addressOf(file)));
    const wrong: string[] = [];
    for (const [address, { status, body }] of answers) {
      const prose = body.replaceAll(/<(pre|code|style)\b[^]*?<\/\1>/g, '');
      if (status !== 200 || !prose.includes('<h1')) wrong.push(`${address}: ${status}`);
      // Misread marks of Markdown.
      for (const [mark] of prose.matchAll(/\]\(|\*\*|^#+ .*|^\||```|[^`]`[^`]/gm)) wrong.push(`${address}: ${mark}`);
      for (const [, link = ''] of body.matchAll(/\b(?:href|src|srcset)="([^"]*)"/g)) {
        if (/^https?:/.test(link)) continue;
        const { pathname, hash } = new URL(link, `http://x${address}`);
        const target = answers.get(pathname) ?? (await read(pathname));
        const heading = decodeURIComponent(hash.slice(1));
        const isThere = target.status === 200 && (heading === '' || target.body.includes(` id="${heading}"`));
        if (!isThere) wrong.push(`${address}: ${link}`);
      }
    }
    expect(wrong).toEqual([]);
  });

  it('is under the strict policy, in the language of the page', async () => {
    const { body, headers } = await read('/docs/guide/pt-BR/assinar');
    expect(body).toMatch(/<html lang="pt-BR">[^]*<h1 id="assinar">Assinar<\/h1>/);
    expect(headers['content-security-policy']).toMatch(/script-src 'self';/);
    expect(headers['content-security-policy']).not.toContain('unsafe');
  });

  it('leads from the address without a slash to the first page', async () => {
    const { status, headers } = await read('/docs/guide');
    expect([status, headers.location]).toEqual([308, '/docs/guide/']);
  });

  it.each([
    '../package.json',
    '../SECURITY',
    '..%2fpackage.json',
    'a/..%2f..%2f../package.json',
    '.hidden',
    'nothing',
    'x.svg',
    'a//b',
  ])('answers 404 to %s', async (path) => {
    const { status, body } = await read(`/docs/guide/${path}`);
    expect(status).toBe(404);
    expect(body).not.toContain('devDependencies');
  });

  it('serves the pages of the built site where the site is there, with the SHA-256 of each inline script', async () => {
    const site = await mkdtemp(join(tmpdir(), 'sinete-site-'));
    await mkdir(join(site, 'assets'));
    await writeFile(join(site, 'index.html'), '<title>built</title><script>run()</script><script src="x.js"></script>');
    await writeFile(join(site, 'assets/app.js'), 'built()');
    const other = await startTestServer({ guide: { pages: docs, site } });
    try {
      const page = await plainRequest(other, { path: '/docs/guide/', headers: navigation });
      expect([page.status, page.body]).toEqual([200, expect.stringContaining('<title>built</title>')]);
      // printf 'run()' | openssl dgst -sha256 -binary | base64
      expect(page.headers['content-security-policy']).toContain(
        "script-src 'self' 'sha256-AvyuiL0SD1mVY3NNxR+V2uo+lhk6RMFrytWmRt6CrJQ=';",
      );
      const script = await plainRequest(other, { path: '/docs/guide/assets/app.js' });
      expect([script.body, script.headers['content-type']]).toEqual(['built()', 'text/javascript; charset=utf-8']);
      const notBuilt = await plainRequest(other, { path: '/docs/guide/glossary', headers: navigation });
      expect([notBuilt.status, notBuilt.body]).toEqual([200, expect.stringContaining('Glossary')]);
    } finally {
      await other.stop();
      await rm(site, { recursive: true });
    }
  });
});

describe('a page of Markdown', () => {
  const render = (text: string): string =>
    renderMarkdown(text, (address) => (address === 'out' ? undefined : `/${address}`)).html.trimEnd();

  it.each([
    ['# A `b` & C', '<h1 id="a-b--c">A <code>b</code> &amp; C</h1>'],
    ['one\ntwo', '<p>one\ntwo</p>'],
    ['a **b _c_** d_e_f', '<p>a <strong>b <em>c</em></strong> d_e_f</p>'],
    ['[x](y) [`[z]`](out)', '<p><a href="/y">x</a> <code>[z]</code></p>'],
    ['![p <q>](r.png)', '<p><img alt="p &lt;q&gt;" src="/r.png"></p>'],
    ['<https://a.example/>', '<p><a href="/https://a.example/">https://a.example/</a></p>'],
    ['`<i>` \\_', '<p><code>&lt;i&gt;</code> _</p>'],
    ['- a\n  b\n- c', '<ul>\n<li>a\nb</li>\n<li>c</li>\n</ul>'],
    ['1. a\n2. b', '<ol>\n<li>a</li>\n<li>b</li>\n</ol>'],
    ['```sh\n# a\n\n<b>\n```', '<pre><code># a\n\n&lt;b&gt;\n</code></pre>'],
    ['<img alt="" src="p.png">', '<img alt="" src="/p.png">'],
    [
      '| a | b |\n| --- | --: |\n| `x \\| y` | 1 |',
      '<div class="table" tabindex="0"><table>\n<thead><tr><th>a</th><th class="right">b</th></tr></thead>\n<tbody>\n' +
        '<tr><td><code>x | y</code></td><td class="right">1</td></tr>\n</tbody>\n</table></div>',
    ],
  ])('%j', (text, html) => {
    expect(render(text)).toBe(html);
  });
});
