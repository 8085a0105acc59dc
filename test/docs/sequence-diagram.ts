/** A step of a flow: two parties (the same twice for a step inside a party), the message, and its file. */
type Step = readonly [from: string, to: string, text: string, file: string];

/** A flow between parties, in order. */
export interface Flow {
  /** For the name of its drawing. */
  readonly name: string;
  readonly title: string;
  readonly summary: string;
  readonly parties: readonly string[];
  readonly steps: readonly Step[];
}

/** Pixels between two lifelines, between two steps, of the head, and around the drawing. */
const size = { column: 196, row: 44, head: 40, edge: 14 } as const;

const style = `
  svg { color-scheme: light dark; --back: #fff; --ink: #1f2328; --faint: #8c959f; --box: #eef2f7; --line: #0b5cad; }
  @media (prefers-color-scheme: dark) {
    svg { --back: #16181c; --ink: #e6e8eb; --faint: #7d8590; --box: #262b33; --line: #7db7f5; }
  }
  text { font: 13px system-ui, 'Segoe UI', 'DejaVu Sans', sans-serif; fill: var(--ink); text-anchor: middle; }
  .number { font-weight: 600; fill: var(--line); }
  .back { fill: var(--back); }
  .box { fill: var(--box); stroke: var(--faint); }
  .life { stroke: var(--faint); stroke-dasharray: 3 4; }
  .arrow { stroke: var(--line); stroke-width: 1.5; fill: none; }
  .tip { fill: var(--line); }
`;

const escapeXml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** Draws a flow as an SVG, readable on light and dark pages. Throws for a step between parties missing in the flow. */
export function drawSequence({ title, summary, parties, steps }: Flow): string {
  const width = parties.length * size.column + 2 * size.edge;
  const height = size.edge + size.head + (steps.length + 0.6) * size.row + size.edge;
  const centre = (party: string): number => {
    const column = parties.indexOf(party);
    if (column === -1) throw new Error(`${title}: no party is called ${party}.`);
    return size.edge + (column + 0.5) * size.column;
  };
  const heads = parties.map((party) => {
    const x = centre(party);
    const top = size.edge;
    return [
      `<line class="life" x1="${x}" y1="${top + size.head}" x2="${x}" y2="${height - size.edge}"/>`,
      `<rect class="box" x="${x - 72}" y="${top}" width="144" height="${size.head - 8}" rx="6"/>`,
      `<text x="${x}" y="${top + 21}">${escapeXml(party)}</text>`,
    ].join('');
  });
  const lines = steps.map(([from, to, text], index) => {
    const y = size.edge + size.head + (index + 1) * size.row;
    const [start, end] = [centre(from), centre(to)];
    const label = `<tspan class="number">${index + 1}</tspan> ${escapeXml(text)}`;
    return start === end ? drawNote(start, y, label, text) : drawArrow({ start, end, y, label, text });
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-labelledby="title summary">
<title id="title">${escapeXml(title)}</title>
<desc id="summary">${escapeXml(summary)}</desc>
<style>${style}</style>
<rect class="back" width="${width}" height="${height}" rx="8"/>
${heads.join('\n')}
${lines.join('\n')}
</svg>
`;
}

/** Half the width of a text in pixels, for a shape behind the text. */
const halfWidth = (text: string): number => 16 + text.length * 3.6;

function drawNote(x: number, y: number, label: string, text: string): string {
  const half = halfWidth(text);
  return `<rect class="box" x="${x - half}" y="${y - 17}" width="${2 * half}" height="26" rx="4"/><text x="${x}" y="${y}">${label}</text>`;
}

interface Arrow {
  readonly start: number;
  readonly end: number;
  readonly y: number;
  readonly label: string;
  readonly text: string;
}

/** The label stands over the arrow, on the ground of the page where crossing a lifeline. */
function drawArrow({ start, end, y, label, text }: Arrow): string {
  const away = end > start ? -1 : 1;
  const middle = (start + end) / 2;
  const half = halfWidth(text) - 6;
  return [
    `<rect class="back" x="${middle - half}" y="${y - 20}" width="${2 * half}" height="16"/>`,
    `<text x="${middle}" y="${y - 7}">${label}</text>`,
    `<line class="arrow" x1="${start}" y1="${y}" x2="${end + 8 * away}" y2="${y}"/>`,
    `<path class="tip" d="M${end} ${y}l${9 * away} -4.5v9z"/>`,
  ].join('');
}
