/** Builds HTML pages of reports, without scripts and external resources. */
import { createHash } from 'node:crypto';

interface HtmlPage {
  /** Language tag, such as `pt-BR`. */
  readonly language: string;
  /** Plain text. */
  readonly title: string;
  readonly style: string;
  /** HTML below the heading, already escaped. */
  readonly body: string;
}

/** A complete page. Its Content-Security-Policy allows only the page's own style. */
export function htmlPage({ language, title, style, body }: HtmlPage): string {
  const styleHash = createHash('sha256').update(style).digest('base64');
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${escapeHtml(title)}</title>
<style>${style}</style>
</head>
<body>
<h1>${escapeHtml(title)}</h1>
${body}
</body>
</html>
`;
}

/** Escapes a text for an element or a quoted attribute. */
export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}
