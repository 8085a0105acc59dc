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
  const anchors = new Set<string>();
  for (const [, title = ''] of prose.matchAll(/^#{1,6}\s+(.+?)\s*$/gm)) addAnchor(anchors, title);
  return { links, anchors };
}

/** GitHub's rule: lower case, without punctuation, blanks as hyphens; a repeated heading gets a number. */
function addAnchor(anchors: Set<string>, title: string): void {
  const plain = title.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').replaceAll(/[`*]/g, '');
  const slug = plain
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(/\s/g, '-');
  let anchor = slug;
  for (let count = 1; anchors.has(anchor); count++) anchor = `${slug}-${count}`;
  anchors.add(anchor);
}
