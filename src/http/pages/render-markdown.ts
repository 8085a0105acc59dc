import { Marked, type RendererObject } from 'marked';
import { createAnchors, headingText } from '../../text/heading-anchors.ts';
import { escapeHtml } from './pages.ts';

/** A page as HTML. */
export interface RenderedPage {
  /** The text of the first heading; empty without a heading. */
  readonly title: string;
  /** The content of `<main>`. */
  readonly html: string;
}

/**
 * Resolves an address as written in a page. Undefined when there is no such address here: only the link's text is shown
 * then.
 */
export type ResolveLink = (address: string) => string | undefined;

/**
 * Renders a page of docs/ from GitHub Flavored Markdown. Headings get the names that GitHub gives them. HTML is passed
 * on, because the pages are our own.
 */
export function renderMarkdown(text: string, resolve: ResolveLink): RenderedPage {
  let title = '';
  const anchors = createAnchors();
  const headings: RendererObject = {
    heading({ depth, tokens, text: heading }) {
      if (title === '') title = headingText(heading);
      return `<h${depth} id="${escapeHtml(anchors(heading))}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
    },
  };
  const marked = new Marked({ renderer: { ...rendererOf(resolve), ...headings } });
  return { html: marked.parse(text, { async: false }), title };
}

/** Renders the parts of a page that the content policy, the page's style or its addresses require to be different. */
function rendererOf(resolve: ResolveLink): RendererObject {
  return {
    link({ href, tokens }) {
      const content = this.parser.parseInline(tokens);
      const target = resolve(href);
      return target === undefined ? content : `<a href="${escapeHtml(target)}">${content}</a>`;
    },
    image({ href, text }) {
      return `<img alt="${escapeHtml(text)}" src="${escapeHtml(resolve(href) ?? '')}">`;
    },
    html({ text }) {
      const resolved = (_whole: string, name: string, address: string): string =>
        `${name}="${escapeHtml(resolve(address) ?? '')}"`;
      return text.replaceAll(/\b(src|srcset|href)="([^"]*)"/g, resolved);
    },
    code({ text }) {
      return `<pre><code>${escapeHtml(text)}\n</code></pre>\n`;
    },
    // A wide table scrolls sideways, by the keyboard too.
    table({ header, rows }) {
      const row = (cells: typeof header): string => `<tr>${cells.map((cell) => this.tablecell(cell)).join('')}</tr>`;
      const body = rows.map(row).join('\n');
      return `<div class="table" tabindex="0"><table>\n<thead>${row(header)}</thead>\n<tbody>\n${body}\n</tbody>\n</table></div>\n`;
    },
    tablecell({ header, align, tokens }) {
      const name = header ? 'th' : 'td';
      return `<${name}${align === 'right' ? ' class="right"' : ''}>${this.parser.parseInline(tokens)}</${name}>`;
    },
  };
}
