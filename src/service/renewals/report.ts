/**
 * The report of renewals, also for a court: the proven times and the authorities that proved them, as a page, a PDF or
 * data.
 */
import { writeTextDocument, type TextBlock } from '../../signing/index.ts';
import { escapeHtml, htmlPage, reportTime, type ReportLanguage } from '../validation/index.ts';
import { reasonOf, renewalWords, type RenewalWords } from './report-words.ts';
import type { KeptFile, Proof } from './renewal.ts';

export interface RenewalReportRequest {
  readonly format: 'html' | 'pdf' | 'json';
  readonly language: ReportLanguage;
  readonly made: Date;
}

/** A file to be saved; `data` is base64. */
export interface RenewalReportFile {
  readonly name: string;
  readonly mediaType: string;
  readonly data: string;
}

export async function renewalReport(
  files: readonly KeptFile[],
  { format, language, made }: RenewalReportRequest,
): Promise<RenewalReportFile> {
  const words = renewalWords[language];
  const day = made.toISOString().slice(0, 10);
  const file = (mediaType: string, content: Buffer): RenewalReportFile => ({
    name: `sinete-${words.fileName}-${day}.${format}`,
    mediaType,
    data: content.toString('base64'),
  });
  switch (format) {
    case 'html':
      return file('text/html; charset=utf-8', Buffer.from(asHtml(files, words, { language, made })));
    case 'pdf':
      return file('application/pdf', await asPdf(files, words, { language, made }));
    case 'json':
      return file('application/json', Buffer.from(`${JSON.stringify(asData(files, made), undefined, 2)}\n`));
  }
}

/** The same JSON as `sinete extend --due --report`, with the times of the archive. */
function asData(files: readonly KeptFile[], made: Date): object {
  const timeOf = (time: Date | null | undefined): string | null => time?.toISOString() ?? null;
  const proofOf = ({ role, time, authority, valid }: Proof): object => ({
    role,
    authority,
    valid,
    time: time.toISOString(),
  });
  return {
    made_at: made.toISOString(),
    files: files.map(({ path, outcome, checkedAt, renewedAt, nextAt }) => ({
      file: path,
      state: outcome?.state ?? null,
      detail: outcome?.detail ?? '',
      sha256: outcome?.sha256 ?? null,
      checked_at: timeOf(checkedAt),
      renewed_at: timeOf(renewedAt),
      next_look: nextAt.toISOString(),
      protected_until: timeOf(outcome?.protectedUntil),
      ends_by: outcome?.endsBy?.name ?? null,
      signatures: (outcome?.signatures ?? []).map(({ signer, levelProven, provenTime, timestamps }) => ({
        signer,
        level_proven: levelProven,
        proven_time: timeOf(provenTime),
        time_stamps: timestamps.map(proofOf),
      })),
      document_time_stamps: (outcome?.documentTimestamps ?? []).map(proofOf),
      ...(outcome?.warnings === undefined ? {} : { warnings: outcome.warnings }),
    })),
  };
}

interface Line {
  readonly label: string;
  readonly value: string;
}

/** A part of the report about one file or one signature. */
interface ReportPart {
  readonly title: string;
  readonly depth: 0 | 1;
  readonly lines: readonly Line[];
  readonly proofs: readonly string[];
}

function partsOf({ path, outcome, checkedAt, renewedAt }: KeptFile, language: ReportLanguage): readonly ReportPart[] {
  const words = renewalWords[language];
  const proofText = ({ role, time, authority, valid }: Proof): string => {
    const by = authority ?? words.unknownAuthority;
    return `${words.roles[role]}: ${reportTime(time)}, ${by}${valid ? '' : ` (${words.notValid})`}`;
  };
  const line = (label: string, value: string | null | undefined): readonly Line[] =>
    value === null || value === undefined || value === '' ? [] : [{ label, value }];
  const timeLine = (label: string, time: Date | null | undefined): readonly Line[] =>
    line(label, time === null || time === undefined ? null : reportTime(time));
  if (outcome === null) return [{ title: path, depth: 0, lines: line(words.state, words.notLooked), proofs: [] }];
  const until = outcome.protectedUntil;
  return [
    {
      title: path,
      depth: 0,
      lines: [
        ...line(words.state, words.states[outcome.state]),
        ...line(words.detail, reasonOf(outcome, language)),
        ...line('SHA-256', outcome.sha256),
        ...line(words.before, outcome.sha256Before),
        ...timeLine(words.until, until),
        ...line(words.endsBy, outcome.endsBy?.name),
        ...timeLine(words.looked, checkedAt),
        ...timeLine(words.renewed, renewedAt),
        ...(outcome.warnings ?? []).flatMap(({ code, standard }) =>
          line(words.warning, words.warnings[code](standard)),
        ),
      ],
      proofs: outcome.documentTimestamps.map(proofText),
    },
    ...outcome.signatures.map(({ signer, levelProven, provenTime, timestamps }): ReportPart => ({
      title: `${words.signature}: ${signer ?? words.unknownSigner}`,
      depth: 1,
      lines: [...line(words.level, levelProven), ...timeLine(words.proven, provenTime)],
      proofs: timestamps.map(proofText),
    })),
  ];
}

interface About {
  readonly language: ReportLanguage;
  readonly made: Date;
}

const style =
  'body{font:15px/1.5 system-ui,sans-serif;max-width:52rem;margin:2rem auto;padding:0 1rem;overflow-wrap:anywhere}' +
  'h1{font-size:1.5rem}h2{font-size:1.05rem;margin-top:1.6rem}h3{font-size:.95rem;margin-inline-start:1.5rem}' +
  'dl{display:grid;grid-template-columns:max-content 1fr;gap:.1rem 1rem;margin:.4rem 0}dt{color:#55555c}dd{margin:0}' +
  '.inner{margin-inline-start:1.5rem}';

/** A single page without scripts and external resources. */
function asHtml(files: readonly KeptFile[], words: RenewalWords, { language, made }: About): string {
  const parts = files.flatMap((file) => partsOf(file, language)).map(partHtml);
  const body = [
    `<p>${escapeHtml(`${words.made} ${reportTime(made)}. ${words.intro}`)}</p>`,
    ...(parts.length === 0 ? [`<p>${escapeHtml(words.none)}</p>`] : parts),
  ];
  return htmlPage({ language, title: words.title, style, body: body.join('\n') });
}

function partHtml({ title, depth, lines, proofs }: ReportPart): string {
  const rows = lines.map(({ label, value }) => `<dt>${escapeHtml(label)}</dt><dd>${escapeHtml(value)}</dd>`).join('');
  const list = proofs.length === 0 ? '' : `<ul>${proofs.map((one) => `<li>${escapeHtml(one)}</li>`).join('')}</ul>`;
  const heading = depth === 0 ? `<h2>${escapeHtml(title)}</h2>` : `<h3>${escapeHtml(title)}</h3>`;
  return `<section>${heading}<div${depth === 0 ? '' : ' class="inner"'}><dl>${rows}</dl>${list}</div></section>`;
}

const sizes = { title: 17, heading: 11, text: 9.5 } as const;

async function asPdf(files: readonly KeptFile[], words: RenewalWords, { language, made }: About): Promise<Buffer> {
  const blocks: TextBlock[] = [
    { text: words.title, size: sizes.title, role: 'H1' },
    { text: `${words.made} ${reportTime(made)}. ${words.intro}`, size: sizes.text, spaceBefore: 4 },
    ...(files.length === 0 ? [{ text: words.none, size: sizes.text, spaceBefore: 8 }] : []),
    ...files.flatMap((file) => partsOf(file, language)).flatMap(partBlocks),
  ];
  return await writeTextDocument({ title: words.title, language, created: made, blocks, footer: words.title });
}

function partBlocks({ title, depth, lines, proofs }: ReportPart): readonly TextBlock[] {
  const indent = depth * 14;
  return [
    {
      text: title,
      size: depth === 0 ? sizes.heading : sizes.text,
      role: depth === 0 ? 'H2' : 'H3',
      indent,
      spaceBefore: 12 - depth * 6,
    },
    ...lines.map(({ label, value }) => ({ text: `${label}: ${value}`, size: sizes.text, indent })),
    ...proofs.map((text) => ({ text, size: sizes.text, indent: indent + 14 })),
  ];
}
