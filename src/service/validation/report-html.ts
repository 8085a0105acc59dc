/** Renders a report as a single HTML page that can be printed, without scripts and external resources. */
import type {
  ReadableChainEntry,
  ReadableCheck,
  ReadableReport,
  ReadableSignature,
  ReadableTimestamp,
  ReadableVerdict,
  ReportRow,
} from './readable-report.ts';
import { escapeHtml, htmlPage } from './html-page.ts';
import { timestampRows } from './signature-rows.ts';
import { REPORT_LABELS, type LabelWord } from './texts/report-labels.ts';

const style = `
:root { color-scheme: light; font: 15px/1.5 system-ui, sans-serif; color: #1b1b1f; background: #fff; }
body { max-width: 52rem; margin: 2rem auto; padding: 0 1rem; overflow-wrap: anywhere; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.2rem; margin-top: 2rem; } h3 { font-size: 1rem; margin: 1.2rem 0 .3rem; }
.verdict { border-inline-start: .4rem solid; padding: .5rem 1rem; background: #f4f4f6; }
.TOTAL-PASSED { border-color: #1a7f37; } .TOTAL-FAILED { border-color: #c0262d; } .INDETERMINATE, .changed { border-color: #b07800; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .15rem 1rem; margin: .8rem 0; }
dt { color: #55555c; } dd { margin: 0; }
ul { list-style: none; padding: 0; } li { margin: .3rem 0; break-inside: avoid; }
.mark { display: inline-block; width: 1.5rem; font-weight: bold; }
.remedy, .detail { display: block; margin-inline-start: 1.5rem; color: #55555c; }
.inner { margin-inline-start: 1.5rem; } .notice { margin-top: 2.5rem; border-top: 1px solid #ccc; padding-top: 1rem; }
@media print { body { margin: 0; max-width: none; } section { break-inside: auto; } a { color: inherit; } }
`;

const marks: Readonly<Record<ReadableCheck['outcome'], string>> = {
  passed: '✔',
  failed: '✘',
  unknown: '?',
  warning: '!',
};

/** Returns the page as UTF-8. */
export function reportHtml(report: ReadableReport): string {
  const word = (name: LabelWord): string => escapeHtml(REPORT_LABELS[report.language].words[name]);
  const timestamps = report.documentTimestamps.map((one) => timestampHtml(one, word));
  const remarks = report.remarks.length === 0 ? '' : `<h2>${word('remarks')}</h2>${checkList(report.remarks, word)}`;
  const body = `${verdictHtml(report, report.changedSince)}
${rowList(report.rows)}
${report.signatures.map((one) => signatureHtml(one, word)).join('\n')}
${timestamps.join('\n')}
${remarks}
<p class="notice">${escapeHtml(report.notice.text)} ${escapeHtml(report.notice.label)}: <a href="${escapeHtml(report.notice.url)}" rel="noreferrer">${escapeHtml(report.notice.url)}</a></p>`;
  return htmlPage({ language: report.language, title: report.title, style, body });
}

type Word = (name: LabelWord) => string;

function verdictHtml({ indication, subIndication, verdict, sentence }: ReadableVerdict, changedSince = false): string {
  const state = changedSince && indication === 'TOTAL-PASSED' ? 'changed' : indication;
  const code = subIndication === null ? indication : `${indication}, ${subIndication}`;
  return `<p class="verdict ${state}"><strong>${escapeHtml(verdict)}.</strong> ${escapeHtml(sentence)} <small>${code}</small></p>`;
}

function rowList(rows: readonly ReportRow[]): string {
  const items = rows.map(({ label, value }) => `<dt>${escapeHtml(label)}</dt><dd>${escapeHtml(value)}</dd>`);
  return `<dl>${items.join('')}</dl>`;
}

function signatureHtml(signature: ReadableSignature, word: Word): string {
  const parts = [
    `<h2>${escapeHtml(signature.title)}</h2>`,
    verdictHtml(signature, signature.changedSince),
    changeList(signature, word),
    rowList(signature.rows),
    `<h3>${word('checks')}</h3>${checkList(signature.checks, word)}`,
    chainList(signature.chain, word),
    ...signature.timestamps.map((one) => timestampHtml(one, word)),
    signature.hint === null ? '' : `<p>${escapeHtml(signature.hint)}</p>`,
    ...signature.counterSignatures.map((one) => `<div class="inner">${signatureHtml(one, word)}</div>`),
  ];
  return `<section>${parts.join('\n')}</section>`;
}

function timestampHtml(timestamp: ReadableTimestamp, word: Word): string {
  const rows = timestampRows(timestamp, word);
  const parts = [
    `<h3>${escapeHtml(timestamp.title)}</h3>`,
    verdictHtml(timestamp),
    rowList(rows),
    checkList(timestamp.checks, word),
    chainList(timestamp.chain, word),
  ];
  return `<section class="inner">${parts.join('\n')}</section>`;
}

function checkList(checks: readonly ReadableCheck[], word: Word): string {
  const items = checks.map(({ outcome, finding, remedy, detail, code }) => {
    const isGood = outcome === 'passed';
    const lines = [
      `<span class="mark" aria-hidden="true">${marks[outcome]}</span>${escapeHtml(finding)} <small>${code}</small>`,
      isGood || detail === null ? '' : `<span class="detail">${escapeHtml(detail)}</span>`,
      remedy === null ? '' : `<span class="remedy">${word('remedy')}: ${escapeHtml(remedy)}</span>`,
    ];
    return `<li>${lines.join('')}</li>`;
  });
  return `<ul>${items.join('')}</ul>`;
}

function changeList({ changes }: ReadableSignature, word: Word): string {
  if (changes.length === 0) return '';
  return `<h3>${word('changes')}</h3><ul>${changes.map(({ text }) => `<li>${escapeHtml(text)}</li>`).join('')}</ul>`;
}

function chainList(chain: readonly ReadableChainEntry[], word: Word): string {
  if (chain.length === 0) return '';
  const items = chain.map(({ name, about }) => `<li>${escapeHtml(name)} <small>${escapeHtml(about)}</small></li>`);
  return `<h3>${word('chain')}</h3><ul>${items.join('')}</ul>`;
}
