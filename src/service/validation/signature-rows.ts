import type { SignatureReport } from '../../signing/index.ts';
import type { ReportSigner } from './describe-signer.ts';
import { reportTime } from './report-time.ts';
import type { ReportLabels } from './texts/report-labels.ts';

type Row = readonly [label: string, value: string | undefined | null];

/** The facts of a signature besides its checks: signer, time, method, and place in a PDF. */
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
    [words.policy, policy && (policy.name ?? policy.oid)],
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

function pdfRows({ pdf }: SignatureReport, { words, changeLevels }: ReportLabels): readonly Row[] {
  if (pdf === undefined) return [];
  return [
    [words.field, pdf.fieldName],
    [words.page, pdf.page === undefined ? null : String(pdf.page)],
    [words.revision, String(pdf.revision)],
    [words.certification, pdf.certification === undefined ? null : `DocMDP P=${pdf.certification}`],
    [words.coverage, pdf.coversWholeFile ? words.wholeFile : words.laterRevisions],
    [words.changes, pdf.changeLevel === 'none' ? null : changeLevels[pdf.changeLevel]],
    [words.reason, pdf.reason],
    [words.location, pdf.location],
    [words.contact, pdf.contact],
  ];
}
