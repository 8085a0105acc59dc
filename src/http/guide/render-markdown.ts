import { createAnchors, headingText } from '../../text/heading-anchors.ts';
import { escapeHtml } from '../pages/pages.ts';

/** A page as HTML. */
export interface RenderedPage {
  /** The text of the first heading; empty without a heading. */
  readonly title: string;
  /** The content of `<main>`. */
  readonly html: string;
}

/** Resolves an address as written in a page. Undefined: the address leads nowhere here, so that only its text is shown. */
export type ResolveLink = (address: string) => string | undefined;

/**
 * Renders a page of docs/ from Markdown. Understands the part of GitHub Flavored Markdown that these pages use, in the
 * form that prettier gives it: headings, paragraphs, flat lists, tables, fenced code, and blocks of HTML. HTML is passed
 * on, because the pages are our own.
 */
export function renderMarkdown(text: string, resolve: ResolveLink): RenderedPage {
  const lines = text.split(/\r?\n/);
  const anchors = createAnchors();
  const html: string[] = [];
  let title = '';
  for (let at = 0; at < lines.length;) {
    const line = lines[at] ?? '';
    const [, marks, heading] = /^(#{1,6})\s+(.+?)\s*$/.exec(line) ?? [];
    if (line.trim() === '') {
      at += 1;
    } else if (marks !== undefined && heading !== undefined) {
      if (title === '') title = headingText(heading);
      const id = escapeHtml(anchors(heading));
      html.push(`<h${marks.length} id="${id}">${renderInline(heading, resolve)}</h${marks.length}>`);
      at += 1;
    } else {
      const end = blockEnd(lines, at);
      html.push(renderBlock(lines.slice(at, end), resolve));
      at = end;
    }
  }
  return { title, html: html.join('\n') };
}

/** The index of the line behind a block: behind the closing fence of code, otherwise the next empty line. */
function blockEnd(lines: readonly string[], start: number): number {
  const [fence] = /^```/.exec(lines[start] ?? '') ?? [];
  const isLast = (line: string, index: number): boolean =>
    index > start && (fence === undefined ? line.trim() === '' : line.startsWith(fence));
  const last = lines.findIndex(isLast);
  if (last === -1) return lines.length;
  return fence === undefined ? last : last + 1;
}

function renderBlock(lines: readonly string[], resolve: ResolveLink): string {
  const [first = ''] = lines;
  if (first.startsWith('```')) return `<pre><code>${escapeHtml(lines.slice(1, -1).join('\n'))}\n</code></pre>`;
  if (first.startsWith('|')) return renderTable(lines, resolve);
  if (/^<[a-z]+[\s>]/.test(first)) return renderHtml(lines.join('\n'), resolve);
  const bullet = /^(?:-|\d+\.) +/;
  if (!bullet.test(first)) return `<p>${renderInline(lines.join('\n'), resolve)}</p>`;
  const items: string[] = [];
  for (const line of lines) {
    if (bullet.test(line)) items.push(line.replace(bullet, ''));
    else items.push(`${items.pop() ?? ''}\n${line.trim()}`);
  }
  const name = first.startsWith('-') ? 'ul' : 'ol';
  return `<${name}>\n${items.map((item) => `<li>${renderInline(item, resolve)}</li>`).join('\n')}\n</${name}>`;
}

/** A table (GitHub Flavored Markdown §4.10): the second line has the alignment of each column. */
function renderTable([head = '', rule = '', ...rows]: readonly string[], resolve: ResolveLink): string {
  const classes = cellsOf(rule).map((cell) => (cell.endsWith(':') ? ' class="right"' : ''));
  const row = (name: string, line: string): string => {
    const cells = cellsOf(line).map(
      (cell, column) => `<${name}${classes[column] ?? ''}>${renderInline(cell, resolve)}</${name}>`,
    );
    return `<tr>${cells.join('')}</tr>`;
  };
  const body = rows.map((line) => row('td', line)).join('\n');
  return `<div class="table" tabindex="0"><table>\n<thead>${row('th', head)}</thead>\n<tbody>\n${body}\n</tbody>\n</table></div>`;
}

/** The cells of a row. `\|` is a bar inside a cell, in code too. */
function cellsOf(line: string): readonly string[] {
  const inner = line.trim().replace(/^\|/, '').replace(/\|$/, '');
  return inner.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll('\\|', '|'));
}

/** A block of HTML with the addresses of its pictures and links resolved. */
function renderHtml(html: string, resolve: ResolveLink): string {
  return html.replaceAll(/\b(src|srcset|href)="([^"]*)"/g, (_whole, name: string, address: string) => {
    return `${name}="${escapeHtml(resolve(address) ?? '')}"`;
  });
}

/** Code spans, pictures, links, addresses in angle brackets, strong and emphasised text, escaped characters. */
const inline =
  /(?<ticks>`+)(?<code>.+?)(?<!`)\k<ticks>(?!`)|(?<picture>!)?\[(?<label>(?:`[^`]*`|[^\]`])*)\]\((?<address>[^()\s]+)\)|<(?<web>https?:[^>\s]+)>|\*\*(?<strong>.+?)\*\*|(?<![\p{L}\p{N}])_(?<emphasis>[^_]+)_(?![\p{L}\p{N}])|\\(?<escaped>[!-/:-@[-`{-~])/gsu;

function renderInline(text: string, resolve: ResolveLink): string {
  let html = '';
  let end = 0;
  for (const match of text.matchAll(inline)) {
    html += escapeHtml(text.slice(end, match.index)) + renderSpan(match.groups ?? {}, resolve);
    end = match.index + match[0].length;
  }
  return html + escapeHtml(text.slice(end));
}

function renderSpan(found: Readonly<Record<string, string | undefined>>, resolve: ResolveLink): string {
  const { code, picture, label, address, web, strong, emphasis, escaped } = found;
  if (code !== undefined) return `<code>${escapeHtml(code)}</code>`;
  if (web !== undefined) return `<a href="${escapeHtml(web)}">${escapeHtml(web)}</a>`;
  if (strong !== undefined) return `<strong>${renderInline(strong, resolve)}</strong>`;
  if (emphasis !== undefined) return `<em>${renderInline(emphasis, resolve)}</em>`;
  if (address === undefined || label === undefined) return escapeHtml(escaped ?? '');
  const target = resolve(address);
  if (picture !== undefined) return `<img alt="${escapeHtml(label)}" src="${escapeHtml(target ?? '')}">`;
  const content = renderInline(label, resolve);
  return target === undefined ? content : `<a href="${escapeHtml(target)}">${content}</a>`;
}
