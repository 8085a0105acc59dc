/** Renders a report as a PDF without external resources. */
import { writeTextDocument, type TextBlock } from '../../signing/index.ts';
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
import { REPORT_LABELS, type LabelWord } from './texts/report-labels.ts';

type Word = (name: LabelWord) => string;
type Colour = NonNullable<TextBlock['colour']>;

const sizes = { title: 17, heading: 13, small: 11, text: 9.5 } as const;
const grey: Colour = [0.35, 0.35, 0.38];
const green: Colour = [0.08, 0.42, 0.18];
const red: Colour = [0.72, 0.1, 0.14];
const amber: Colour = [0.6, 0.38, 0];
const verdictColours: Readonly<Record<ReadableVerdict['indication'], Colour>> = {
  'TOTAL-PASSED': green,
  'TOTAL-FAILED': red,
  INDETERMINATE: amber,
};
const outcomes: Readonly<Record<ReadableCheck['outcome'], { readonly mark: string; readonly colour: Colour }>> = {
  passed: { mark: '+', colour: green },
  failed: { mark: '×', colour: red },
  unknown: { mark: '?', colour: amber },
  warning: { mark: '!', colour: amber },
};

/** Returns the bytes of the PDF. `created` is its creation date. */
export async function reportPdf(report: ReadableReport, created: Date): Promise<Buffer> {
  const { title, language, notice } = report;
  const word: Word = (name) => REPORT_LABELS[language].words[name];
  const blocks: TextBlock[] = [
    { text: title, size: sizes.title, bold: true },
    ...verdictBlocks(report, 0, report.changedSince),
    ...rowBlocks(report.rows, 0),
    ...report.signatures.flatMap((one) => signatureBlocks(one, word, 0)),
    ...report.documentTimestamps.flatMap((one) => timestampBlocks(one, word, 0)),
    ...(report.remarks.length === 0 ? [] : [heading(word('remarks'), 0), ...checkBlocks(report.remarks, word, 0)]),
    { text: notice.text, size: sizes.text, spaceBefore: 18 },
    { text: `${notice.label}: ${notice.url}`, size: sizes.text, link: notice.url, colour: [0.05, 0.25, 0.6] },
  ];
  return await writeTextDocument({ title, language, created, blocks, footer: title });
}

const heading = (text: string, indent: number): TextBlock => ({
  text,
  size: sizes.small,
  bold: true,
  indent,
  spaceBefore: 8,
});

function verdictBlocks(
  { verdict, sentence, indication, subIndication }: ReadableVerdict,
  indent: number,
  changedSince = false,
): TextBlock[] {
  const code = subIndication === null ? indication : `${indication}, ${subIndication}`;
  const colour = changedSince && indication === 'TOTAL-PASSED' ? amber : verdictColours[indication];
  return [
    { text: `${verdict}. ${sentence}`, size: sizes.small, bold: true, indent, spaceBefore: 5, colour },
    { text: code, size: sizes.text, indent, colour: grey },
  ];
}

function rowBlocks(rows: readonly ReportRow[], indent: number): TextBlock[] {
  return rows.map(({ label, value }, index) => ({
    text: `${label}: ${value}`,
    size: sizes.text,
    indent,
    spaceBefore: index === 0 ? 4 : 0,
  }));
}

function signatureBlocks(signature: ReadableSignature, word: Word, indent: number): TextBlock[] {
  const { changes, hint } = signature;
  return [
    { text: signature.title, size: sizes.heading, bold: true, indent, spaceBefore: 18 },
    ...verdictBlocks(signature, indent, signature.changedSince),
    ...(changes.length === 0 ? [] : [heading(word('changes'), indent)]),
    ...changes.map(({ text }) => ({ text: `– ${text}`, size: sizes.text, indent })),
    ...rowBlocks(signature.rows, indent),
    heading(word('checks'), indent),
    ...checkBlocks(signature.checks, word, indent),
    ...chainBlocks(signature.chain, word, indent),
    ...signature.timestamps.flatMap((one) => timestampBlocks(one, word, indent + 14)),
    ...(hint === null ? [] : [{ text: hint, size: sizes.text, indent, spaceBefore: 6 }]),
    ...signature.counterSignatures.flatMap((one) => signatureBlocks(one, word, indent + 14)),
  ];
}

function timestampBlocks(timestamp: ReadableTimestamp, word: Word, indent: number): TextBlock[] {
  const rows = timestampRows(timestamp, word);
  return [
    heading(timestamp.title, indent),
    ...verdictBlocks(timestamp, indent),
    ...rowBlocks(rows, indent),
    ...checkBlocks(timestamp.checks, word, indent),
    ...chainBlocks(timestamp.chain, word, indent),
  ];
}

function checkBlocks(checks: readonly ReadableCheck[], word: Word, indent: number): TextBlock[] {
  return checks.flatMap(({ outcome, finding, remedy, detail, code }) => {
    const { mark, colour } = outcomes[outcome];
    const inner = { size: sizes.text, indent: indent + 12, colour: grey } as const;
    return [
      { text: `${mark} ${finding} (${code})`, size: sizes.text, indent, colour, spaceBefore: 2 },
      ...(outcome === 'passed' || detail === null ? [] : [{ ...inner, text: detail }]),
      ...(remedy === null ? [] : [{ ...inner, text: `${word('remedy')}: ${remedy}` }]),
    ];
  });
}

function chainBlocks(chain: readonly ReadableChainEntry[], word: Word, indent: number): TextBlock[] {
  if (chain.length === 0) return [];
  const lines = chain.map(({ name, about }) => ({ text: `– ${name} (${about})`, size: sizes.text, indent }));
  return [heading(word('chain'), indent), ...lines];
}
