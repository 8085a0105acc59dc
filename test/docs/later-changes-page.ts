/** The page of later changes, from the table that `npm run interop` compares with four validators. */
import { LATER_CHANGES, REASONS, type LaterChange } from '../interop/later-changes.ts';

const MARKS: Readonly<Record<string, string>> = { '+': 'yes', '-': '**no**', '?': 'warns' };

const SIGNATURES: Readonly<Record<LaterChange['signature'], string>> = {
  approval: 'none',
  p1: 'no changes',
  p2: 'form filling',
  p3: 'annotations',
  'B-LTA': 'none, B-LTA',
};

const NUMBERS = new Map(Object.keys(REASONS).map((key, index) => [key, index + 1]));

const row = ({ what, signature, section, marks, why }: LaterChange): string => {
  const cells = [what, SIGNATURES[signature], section, ...Array.from(marks, (mark) => MARKS[mark] ?? mark)];
  return `| ${[...cells, why === undefined ? '' : String(NUMBERS.get(why))].join(' | ')} |`;
};

const HEAD = `| Change | Certification | ISO 32000-2 | Sinete | DSS | pyHanko | iText | Reason |
| --- | --- | --- | --- | --- | --- | --- | --- |`;

/** The Markdown of the page. */
export function laterChangesPage(): string {
  const groups = Object.entries(LATER_CHANGES).map(
    ([title, rows]) => `## ${title}\n\n${HEAD}\n${rows.map(row).join('\n')}`,
  );
  const reasons = Object.entries(REASONS).map(([key, text]) => `${NUMBERS.get(key) ?? ''}. ${text}`);
  return `# Later changes

A PDF that is signed may be changed by later revisions. Each change below was made with iText 9 after a signature by Sinete, and four validators judged the signature: Sinete, EU DSS 6.4, pyHanko 0.38 and iText 9.1. \`npm run interop\` makes the changes again and compares the verdicts with this page.

- **yes**: the signature stays valid. **no**: the change is not allowed. **warns**: DSS calls the signature valid and warns of the change; in its own policy, no change makes a signature invalid except another number of pages.
- **Certification**: the changes that the signature itself allows. Without one, forms may be filled in and annotations made.
- **Reason**: why Sinete follows which validator where they differ. The list is below.

${groups.join('\n\n')}

## Reasons

${reasons.join('\n')}`;
}
