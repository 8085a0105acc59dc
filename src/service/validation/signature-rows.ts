import {
  hierarchyOf,
  parseCertificate,
  type ChainReport,
  type ProtectionEnd,
  type SignatureReport,
  type ValidationCheckCode,
} from '../../signing/index.ts';
import { maskNumberBehindName } from '../certificates/index.ts';
import { algorithmAndPolicyTexts, POLICY_FOR_OTHER_ROOT } from './texts/algorithm-and-policy.ts';
import { certificateAndTrustTexts } from './texts/certificate-and-trust.ts';
import type { CheckText, ReportLanguage } from './texts/check-text.ts';
import { dateAndRevocationTexts, TEST_SERVICES_SILENT } from './texts/date-and-revocation.ts';
import { formatAndIntegrityTexts } from './texts/format-and-integrity.ts';
import { timestampAndChangeTexts } from './texts/timestamps-and-changes.ts';
import type { ReportSigner } from './describe-signer.ts';
import type { ReportLabels } from './texts/report-labels.ts';

const toSecond = (date: Date): string => date.toISOString().slice(0, 19).replace('T', ' ');

/**
 * Formats a time to the second in the time zone of this computer, with the zone: `2026-01-02 00:04:05 (UTC−3)`. `offset`
 * is in minutes east of UTC.
 */
export function reportTime(date: Date, offset = -date.getTimezoneOffset()): string {
  if (offset === 0) return `${toSecond(date)} (UTC)`;
  const local = toSecond(new Date(date.getTime() + offset * 60_000));
  const [hours, minutes] = [Math.trunc(Math.abs(offset) / 60), Math.abs(offset) % 60];
  const zone = `${hours}${minutes === 0 ? '' : `:${String(minutes).padStart(2, '0')}`}`;
  return `${local} (UTC${offset < 0 ? '−' : '+'}${zone})`;
}

/** Time and authority of a time stamp. An unreadable time stamp has no time. */
export function timestampRows(
  { time, authority }: { readonly time: string | null; readonly authority: string | null },
  word: (name: 'time' | 'authority') => string,
): readonly { readonly label: string; readonly value: string }[] {
  return [
    ...(time === null ? [] : [{ label: word('time'), value: reportTime(new Date(time)) }]),
    ...(authority === null ? [] : [{ label: word('authority'), value: authority }]),
  ];
}

/** Finding and remedy of every check in every language. The type requires all codes. */
export const CHECK_TEXTS: Readonly<Record<ValidationCheckCode, CheckText>> = {
  ...formatAndIntegrityTexts,
  ...certificateAndTrustTexts,
  ...dateAndRevocationTexts,
  ...algorithmAndPolicyTexts,
  ...timestampAndChangeTexts,
};

/** The texts of a check in one language. */
export interface CheckWords {
  readonly finding: string;
  /** Null if there is nothing to do. */
  readonly remedy: string | null;
}

/** Finding and remedy of a check. Some remedies depend on the root of `chain`, the chain of the checked certificate. */
export function checkWords(code: ValidationCheckCode, language: ReportLanguage, chain?: ChainReport): CheckWords {
  const [finding, remedy = null] = CHECK_TEXTS[code][language];
  return { finding, remedy: remedyBelow(chain, code)?.[language] ?? remedy };
}

/** The remedy for a root outside of ICP-Brasil, if it differs from the usual remedy. */
function remedyBelow(
  chain: ChainReport | undefined,
  code: ValidationCheckCode,
): Readonly<Record<ReportLanguage, string>> | undefined {
  if (code === 'REVOCATION_UNREACHABLE') return isOfTestAuthority(chain) ? TEST_SERVICES_SILENT : undefined;
  if (code !== 'POLICY_ROOT_NOT_ALLOWED') return undefined;
  return chain?.hierarchy === 'other' || chain?.hierarchy === 'gov.br' ? POLICY_FOR_OTHER_ROOT : undefined;
}

/** True below the root of Sinete's test authority. Roots that the owner marked as test roots have their own services. */
function isOfTestAuthority(chain: ChainReport | undefined): boolean {
  const anchor = chain?.entries.at(-1);
  if (chain?.hierarchy !== 'test' || anchor === undefined) return false;
  return hierarchyOf(parseCertificate(anchor.certificate)) === 'test';
}

type Row = readonly [label: string, value: string | undefined | null];

/** Rows about a signature: signer, times, algorithms, and place in a PDF. */
export function signatureRows(report: SignatureReport, signer: ReportSigner, labels: ReportLabels): readonly Row[] {
  const { words, verdicts, subIndications, hierarchies } = labels;
  const { indication, subIndication, claimedSigningTime, provenTime, validationTime, policy } = report;
  const hierarchy = report.chain?.hierarchy;
  const because = subIndication === undefined ? '' : ` (${subIndications[subIndication]})`;
  return [
    [words.verdict, `${verdicts[indication]}${because}`],
    [words.number, signer.taxpayerNumber],
    [words.issuer, signer.certificate?.issuer],
    [words.hierarchy, hierarchy && hierarchies[hierarchy]],
    [words.format, report.format],
    [words.level, report.level === 'none' ? null : report.level],
    [words.levelProven, report.levelProven === 'none' ? words.nothingProven : report.levelProven],
    [words.protectedUntil, report.protection && protectionText(report.protection, words)],
    [words.protectionEnded, report.protectionEnded && protectionText(report.protectionEnded, words)],
    [words.policy, policy && (policy.name ?? policy.oid)],
    [words.claimedRoles, report.statements?.claimedRoles.join('; ')],
    [words.place, report.statements?.place.join(', ')],
    [words.commitments, report.statements?.commitments.join(', ')],
    [words.contentHints, report.statements?.contentHints.join(', ')],
    [words.claimedTime, claimedSigningTime && reportTime(claimedSigningTime)],
    [words.provenTime, provenTime && reportTime(provenTime)],
    [words.validationTime, reportTime(validationTime)],
    [
      words.algorithm,
      [report.signatureAlgorithm, report.digestAlgorithm].filter((one) => one !== undefined).join(', '),
    ],
    ...pdfRows(report, labels),
  ];
}

const protectionText = ({ until, name }: ProtectionEnd, words: ReportLabels['words']): string =>
  `${reportTime(until)} (${words.endOf} ${maskNumberBehindName(name)})`;

function pdfRows({ pdf }: SignatureReport, { words, changeLevels, permissions }: ReportLabels): readonly Row[] {
  if (pdf === undefined) return [];
  return [
    [words.field, pdf.fieldName],
    [words.page, pdf.page === undefined ? null : String(pdf.page)],
    [words.revision, String(pdf.revision)],
    [words.certification, pdf.certification === undefined ? null : `DocMDP P=${pdf.certification}`],
    [words.coverage, pdf.coversWholeFile ? words.wholeFile : words.laterRevisions],
    [words.changes, pdf.changeLevel === 'none' ? null : changeLevels[pdf.changeLevel]],
    [words.allowedBy, pdf.changesAllowed && pdf.changes.length > 0 ? permissions[pdf.permission ?? 0] : null],
    [words.reason, pdf.reason],
    [words.location, pdf.location],
    [words.contact, pdf.contact],
  ];
}
