import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, posix, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { checkSite, stageLinks } from './build-site.ts';
import { readPage } from './markdown.ts';
import { flows } from './flows.ts';
import { publicNames } from './core-reference.ts';
import { transactionSummary } from '../../src/http/signing-service/list-schemas.ts';
import { testMessage } from '../../src/http/webhooks/event-callback.ts';
import { eventExamples, testEventExample } from './http-reference.ts';
import { collectionFolder, docsFolder, referencePages } from './make-reference.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

describe('the reference', () => {
  it('has a meaning for each public name of the signing core', () => {
    expect(
      publicNames()
        .filter(({ about }) => about === '')
        .map(({ name }) => name),
    ).toEqual([]);
  });

  it('agrees with the tables of the product; npm run docs writes the page', async () => {
    for (const { file, text } of await referencePages()) {
      expect(readFileSync(join(docsFolder, file), 'utf8'), `docs/${file} is not up to date: run npm run docs`).toBe(
        text,
      );
    }
  });
});

describe('the collection of requests for Bruno', () => {
  it('has each file that the operations give, and no other file', async () => {
    const made = (await referencePages()).map(({ file }) => file).filter((file) => file.startsWith(collectionFolder));
    const kept = globSync(`${collectionFolder}/**/*.*`, { cwd: docsFolder });
    expect(kept.map((file) => file.replaceAll('\\', '/')).toSorted()).toEqual(made.toSorted());
    expect(made.length).toBeGreaterThan(60);
  });

  it('has no file of packages and no secret of anybody', () => {
    const text = readFileSync(join(docsFolder, collectionFolder, 'environments/Local.bru'), 'utf8');
    expect(text).toMatch(/^vars:secret \[\n( {2}\w+,?\n)+\]\n$/m);
  });
});

describe('the payloads of events', () => {
  it.each(eventExamples)('fit the schema of a transaction: $type', ({ data }) => {
    expect(transactionSummary.safeParse(data).error).toBeUndefined();
  });

  it('fit the schema of a test', () => {
    expect(testMessage.safeParse(testEventExample).error).toBeUndefined();
  });
});

describe('the flows of the architecture', () => {
  it('name existing files', () => {
    const files = flows.flatMap(({ steps }) => steps.map(([, , , file]) => file));
    expect(files.length).toBeGreaterThan(40);
    expect(files.filter((file) => !existsSync(join(root, file)))).toEqual([]);
  });
});

describe('the pages in Markdown', () => {
  const files = globSync(['*.md', '{.github,assets,clients,docs,renderer,src,test}/**/*.md'], {
    cwd: root,
    exclude: (name) => /(^|[\\/])(node_modules|\.work)$/.test(name),
  });
  const pages = new Map(files.map((name) => [join(root, name), readPage(readFileSync(join(root, name), 'utf8'))]));

  it('link to existing files and headings', () => {
    const broken: string[] = [];
    let checked = 0;
    for (const [path, { links }] of pages) {
      for (const link of links) {
        if (/^[a-z][a-z+.-]*:/i.test(link)) continue;
        checked++;
        const [file = '', anchor] = link.split('#', 2);
        const target = file === '' ? path : resolve(dirname(path), decodeURIComponent(file));
        const page = pages.get(
          existsSync(target) && statSync(target).isDirectory() ? join(target, 'README.md') : target,
        );
        const isThere = existsSync(target) && (anchor === undefined || page?.anchors.has(anchor) === true);
        if (!isThere) broken.push(`${relative(root, path)}: ${link}`);
      }
    }
    expect(broken).toEqual([]);
    expect(checked).toBeGreaterThan(100);
  });

  it.each([
    ['[a](b.md#c-d)', ['b.md#c-d']],
    ['![p](x.png) and [q]( <a b.md> "title")', ['x.png', 'a b.md']],
    ['`[no](link.md)`', []],
    ['```\n[no](link.md)\n```', []],
    ['[a]: ../b.md\n', ['../b.md']],
    ['<img alt="" src="docs/p.png"> <source srcset="q.png">', ['docs/p.png', 'q.png']],
  ])('have the links of %s', (text, links) => {
    expect(readPage(text).links).toEqual(links);
  });

  it("have GitHub's anchors", () => {
    const text = '# Two Words\n## `sinete sign <file...>`\n## Two Words\n```\n# none\n```\n## Ação, e (mais)\n';
    expect([...readPage(text).anchors]).toEqual(['two-words', 'sinete-sign-file', 'two-words-1', 'ação-e-mais']);
  });
});

describe('the site', () => {
  it.each([
    ['[a](b/README.md#c)', '[a](b/index.md#c)'],
    ['![p](../pictures/x.png)', '![p](../pictures/x.png)'],
    ['see [`local-guard`](../../src/guard.ts), please', 'see `local-guard`, please'],
    ['[w](https://a.example/README.md)', '[w](https://a.example/README.md)'],
    ['`[a](README.md)`', '`[a](README.md)`'],
    ['[`a`](../../a.md) has `b`, [`c`](README.md) and `d`', '`a` has `b`, [`c`](index.md) and `d`'],
    ['```sh\n[a](README.md)\n```\n[a](README.md)', '```sh\n[a](README.md)\n```\n[a](index.md)'],
  ])('stages %j of operators/x.md', (text, staged) => {
    expect(stageLinks(text, 'operators/x.md')).toBe(staged);
  });

  it('has no link out of the documentation in any page', () => {
    const out = globSync('**/*.md', { cwd: docsFolder }).flatMap((file) => {
      const links = stageLinks(readFileSync(join(docsFolder, file), 'utf8'), file).matchAll(/\]\((\.\.\/[^()\s]+)\)/g);
      return [...links].flatMap(([, address = '']) =>
        posix.join(posix.dirname(file), address).startsWith('../') ? [`${file}: ${address}`] : [],
      );
    });
    expect(out).toEqual([]);
  });

  it('is refused when a link, a heading, a picture or a script is missing', () => {
    const folder = mkdtempSync(join(tmpdir(), 'sinete-site-'));
    try {
      mkdirSync(join(folder, 'a'));
      writeFileSync(join(folder, 'x.js'), '');
      const good =
        '<script src="/docs/guide/x.js"></script><a href="/docs/guide/a/#h">a</a> <a href="https://b.example/">b</a>';
      writeFileSync(join(folder, 'index.html'), good);
      const bad = ['/docs/guide/b', '#none', '../y.js', '/docs', 'x.js'];
      const links = bad.map((link) => `<a href="${link}">`).join('');
      writeFileSync(join(folder, 'a/index.html'), `<h1 id="h"></h1>${links}`);
      const { broken, checked } = checkSite(folder);
      expect(broken).toEqual(bad.map((link) => `a/index.html: ${link}`));
      expect(checked).toBe(bad.length + 2);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
