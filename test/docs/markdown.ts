import { createAnchors } from '../../src/text/heading-anchors.ts';

/** The links of a page in Markdown, and the anchors of its headings. */
export interface MarkdownPage {
  /** As written: relative paths, anchors and URLs. */
  readonly links: readonly string[];
  readonly anchors: ReadonlySet<string>;
}

/** Reads inline links, link definitions, images and the sources of HTML images; nothing inside code. */
export function readPage(text: string): MarkdownPage {
  const prose = text.replaceAll(/^(```|~~~)[^]*?^\1[^\n]*$/gm, '');
  const withoutSpans = prose.replaceAll(/(`+)[^`]+\1/g, '');
  const patterns = [
    /\]\(\s*(?:<([^>]+)>|([^()\s]+))(?:\s+"[^"]*")?\s*\)/g,
    /^\s{0,3}\[[^\]]+\]:\s*(?:<([^>]+)>|(\S+))/gm,
    /\b(?:src|srcset|href)="([^"]+)()"/g,
  ];
  const links = patterns.flatMap((pattern) =>
    [...withoutSpans.matchAll(pattern)].map(([, one, other]) => one ?? other ?? ''),
  );
  const anchorOf = createAnchors();
  const titles = [...prose.matchAll(/^#{1,6}\s+(.+?)\s*$/gm)].map(([, title = '']) => title);
  return { links, anchors: new Set(titles.map(anchorOf)) };
}
