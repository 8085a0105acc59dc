/** Renders a report as a sheet of paper: a PDF without external resources, for saving and for printing. */
import { writeTextDocument, type Paper, type TextBlock, type TextColour } from '../../signing/index.ts';
import { timestampRows } from './signature-rows.ts';
import type {
  ReadableChainEntry,
  ReadableCheck,
  ReadableReport,
  ReadableSignature,
  ReadableTimestamp,
  ReadableVerdict,
  ReportRow,
} from './readable-report.ts';
import type { ReportLanguage } from './texts/check-text.ts';
import { REPORT_LABELS, type LabelWord } from './texts/report-labels.ts';
import { sheetWords, type SheetWords } from './texts/sheet-words.ts';

const sizes = { over: 9, title: 19, verdict: 14, name: 12.5, text: 9.5, appendix: 7.2 } as const;
const grey: TextColour = [0.35, 0.35, 0.38];
const link: TextColour = [0.05, 0.25, 0.6];

interface Tone {
  readonly ink: TextColour;
  readonly ground: TextColour;
}

const green: Tone = { ink: [0.06, 0.38, 0.16], ground: [0.91, 0.96, 0.92] };
const red: Tone = { ink: [0.68, 0.09, 0.12], ground: [0.99, 0.92, 0.92] };
const amber: Tone = { ink: [0.52, 0.32, 0], ground: [0.99, 0.95, 0.86] };

const tones: Readonly<Record<ReadableVerdict['indication'], Tone>> = {
  'TOTAL-PASSED': green,
  'TOTAL-FAILED': red,
  INDETERMINATE: amber,
};

const toneOf = ({ indication }: ReadableVerdict, changedSince: boolean): Tone =>
  changedSince && indication === 'TOTAL-PASSED' ? amber : tones[indication];

/** How the sheet is made: the time of its making, which is also the time of the file, and the paper (A4). */
export interface SheetOptions {
  readonly created: Date;
  readonly paper?: Paper;
}

/** Returns the bytes of the PDF. */
export async function reportPdf(report: ReadableReport, { created, paper }: SheetOptions): Promise<Buffer> {
  const { title, language, rows } = report;
  const maker = new SheetMaker(language);
  const blocks = maker.blocks(report);
  const file = rows[0]?.value;
  const footer = file === undefined ? title : `${title} · ${file}`;
  return await writeTextDocument({ title: footer, language, created, blocks, footer: shortened(footer), paper });
}

const longestFooter = 90;
const shortened = (text: string): string => (text.length <= longestFooter ? text : `${text.slice(0, longestFooter)}…`);

class SheetMaker {
  readonly #language: ReportLanguage;
  readonly #sheet: SheetWords;
  /** The remedies that the sheet has already, for an earlier signer. */
  readonly #told = new Set<string>();

  constructor(language: ReportLanguage) {
    this.#language = language;
    this.#sheet = sheetWords[language];
  }

  blocks(report: ReadableReport): readonly TextBlock[] {
    const { notice, signatures, documentTimestamps, remarks, title, rows } = report;
    const file = rows.find(({ label }) => label === this.#word('file'));
    const validated = this.#word('validatedAt');
    const facts = rows
      .filter((row) => row !== file)
      .map((row) =>
        row.label === validated ? { ...row, value: localTime(new Date(report.validatedAt), this.#language) } : row,
      );
    return [
      { text: title, size: sizes.over, colour: grey },
      { text: file?.value ?? title, size: sizes.title, role: 'H1', spaceBefore: 2 },
      ...facts.map((row, index) => this.#fact(row, { spaceBefore: index === 0 ? 8 : 1 })),
      ...this.#verdictBand(report),
      ...signatures.flatMap((one) => this.#signature(one, 0)),
      ...documentTimestamps.flatMap((one) => this.#documentTimestamp(one)),
      ...(remarks.length === 0 ? [] : this.#remarks(remarks)),
      { text: notice.text, size: sizes.text, colour: grey, spaceBefore: 14, ruled: true },
      { text: notice.url, size: sizes.text, link: notice.url, colour: link },
      ...this.#appendix(report),
    ];
  }

  #word(name: LabelWord): string {
    return REPORT_LABELS[this.#language].words[name];
  }

  #fact({ label, value }: ReportRow, more: Partial<TextBlock> = {}): TextBlock {
    return { text: value, label, size: sizes.text, spaceBefore: 1, ...more };
  }

  #verdictBand(report: ReadableReport): readonly TextBlock[] {
    const { ink, ground } = toneOf(report, report.changedSince);
    const band = { ground, bar: ink };
    return [
      { text: report.verdict, size: sizes.verdict, colour: ink, band, spaceBefore: 12 },
      { text: report.sentence, size: sizes.text, band },
    ];
  }

  /** A signer: the result, the person, the level in words and the time; then the changes, and what to do. */
  #signature(signature: ReadableSignature, depth: number): readonly TextBlock[] {
    const { holder, title, verdict, sentence, changedSince, taxpayerNumber, issuer, hint } = signature;
    const indent = depth * 14;
    const { ink } = toneOf(signature, changedSince);
    const fact = (label: string, value: string | null, colour?: TextColour): readonly TextBlock[] =>
      value === null || value === '' ? [] : [this.#fact({ label, value }, { indent, colour })];
    const remedies = signature.checks.flatMap(({ outcome, remedy }) =>
      outcome === 'passed' || remedy === null ? [] : [remedy],
    );
    const newRemedies = [...remedies, ...(hint === null ? [] : [hint])].filter((one) => !this.#told.has(one));
    for (const one of newRemedies) this.#told.add(one);
    const shown = signature.changes.filter(({ isShown }) => isShown);
    const changes = (shown.length > 0 ? shown : signature.changes).map(({ text }) => text);
    return [
      { text: holder ?? title, size: sizes.name, role: 'H2', indent, spaceBefore: 12, ruled: depth === 0 },
      ...fact(this.#word('verdict'), `${verdict}. ${sentence}`, ink),
      ...changes.flatMap((text, index) => fact(index === 0 ? this.#word('changes') : '', text)),
      ...fact(this.#word('number'), taxpayerNumber),
      ...fact(this.#word('issuer'), issuer),
      ...fact(this.#word('level'), this.#level(signature.level)),
      ...fact(this.#word('time'), this.#time(signature)),
      ...[...new Set(newRemedies)].flatMap((text, index) => fact(index === 0 ? this.#word('remedy') : '', text)),
      ...signature.counterSignatures.flatMap((one) => this.#signature(one, depth + 1)),
    ];
  }

  #level(level: string | null): string | null {
    if (level === null) return null;
    const words = this.#sheet.levels.find(([beginning]) => level === beginning || level.startsWith(`${beginning} `));
    return words === undefined ? level : `${words[1]} (${level})`;
  }

  #time({ signedAt, isTimeProven }: ReadableSignature): string | null {
    if (signedAt === null) return null;
    const { proven, claimed } = this.#sheet;
    return `${localTime(new Date(signedAt), this.#language)}, ${isTimeProven ? proven : claimed}`;
  }

  #documentTimestamp({ title, time, authority, ...verdict }: ReadableTimestamp): readonly TextBlock[] {
    const words = [
      time === null ? null : localTime(new Date(time), this.#language),
      authority,
      `${verdict.verdict}. ${verdict.sentence}`,
    ];
    const value = words.filter((one) => one !== null).join(', ');
    return [
      { text: title, size: sizes.name, role: 'H2', spaceBefore: 12, ruled: true },
      { text: value, size: sizes.text, colour: tones[verdict.indication].ink },
    ];
  }

  #remarks(remarks: readonly ReadableCheck[]): readonly TextBlock[] {
    return [
      { text: this.#word('remarks'), size: sizes.name, role: 'H2', spaceBefore: 12, ruled: true },
      ...remarks.flatMap(({ finding, remedy }) => [
        { text: finding, size: sizes.text },
        ...(remedy === null ? [] : [this.#fact({ label: this.#word('remedy'), value: remedy })]),
      ]),
    ];
  }

  /** The technical part: all rows, checks with their codes, and chains, in small type. */
  #appendix(report: ReadableReport): readonly TextBlock[] {
    const { indication, subIndication } = report;
    const code = subIndication === null ? indication : `${indication}, ${subIndication}`;
    return [
      {
        text: `${this.#sheet.appendix} · ${code}`,
        size: sizes.text,
        role: 'H2',
        colour: grey,
        spaceBefore: 12,
        ruled: true,
      },
      ...report.signatures.flatMap((one) => this.#technical(one)),
      ...report.documentTimestamps.flatMap((one) => this.#technicalStamp(one)),
      ...report.remarks.map((one) => small(checkLine(one))),
    ];
  }

  #technical(signature: ReadableSignature): readonly TextBlock[] {
    const { title, rows, checks, chain, timestamps, counterSignatures } = signature;
    return [
      { text: title, size: sizes.appendix + 0.8, role: 'H3', colour: grey, spaceBefore: 5 },
      small(rows.map(({ label, value }) => `${label}: ${value}`).join(' · ')),
      small(checks.map(checkLine).join(' · ')),
      ...this.#chain(chain),
      ...timestamps.flatMap((one) => this.#technicalStamp(one)),
      ...counterSignatures.flatMap((one) => this.#technical(one)),
    ];
  }

  #technicalStamp(timestamp: ReadableTimestamp): readonly TextBlock[] {
    const { title, checks, chain, verdict } = timestamp;
    const rows = timestampRows(timestamp, (name) => this.#word(name));
    const about = [`${title}: ${verdict}`, ...rows.map(({ label, value }) => `${label}: ${value}`)].join(' · ');
    return [small(about), small(checks.map(checkLine).join(' · ')), ...this.#chain(chain)];
  }

  #chain(chain: readonly ReadableChainEntry[]): readonly TextBlock[] {
    if (chain.length === 0) return [];
    const names = chain.map(({ name, about }) => `${name} (${about})`).join(' – ');
    return [small(`${this.#word('chain')}: ${names}`)];
  }
}

const small = (text: string): TextBlock => ({ text, size: sizes.appendix, colour: grey, spaceBefore: 1.5 });

const marks: Readonly<Record<ReadableCheck['outcome'], string>> = {
  passed: '+',
  failed: '×',
  unknown: '?',
  warning: '!',
};

/** A check in a line, with the technical detail of what did not pass. */
const checkLine = ({ outcome, code, finding, detail }: ReadableCheck): string =>
  `${marks[outcome]} ${code}: ${finding}${outcome === 'passed' || detail === null ? '' : ` ${detail}`}`;

/** A time to the second as people of the language write it, with the zone: `28/11/2026, 08:35:30 (UTC-3)`. */
function localTime(date: Date, language: ReportLanguage): string {
  const time = new Intl.DateTimeFormat(language === 'en' ? 'en-GB' : language, {
    dateStyle: language === 'en' ? 'medium' : 'short',
    timeStyle: 'medium',
  }).format(date);
  const minutes = -date.getTimezoneOffset();
  const distance = Math.abs(minutes);
  const hours = `${Math.floor(distance / 60)}${distance % 60 === 0 ? '' : `:${String(distance % 60).padStart(2, '0')}`}`;
  return `${time} (${minutes === 0 ? 'UTC' : `UTC${minutes < 0 ? '−' : '+'}${hours}`})`;
}
