/** Turns a validation report into readable texts, for the HTML page, the PDF, the window and the command line. */
import { isShownChange, withCounterSignatures } from '../../signing/index.ts';
import type {
  ChainEntry,
  ChainReport,
  Hierarchy,
  Indication,
  PdfSignatureReport,
  SignatureReport,
  SubIndication,
  TimestampReport,
  ValidationCheck,
  ValidationReport,
} from '../../signing/index.ts';
import { findStaleTrust, maskNumberBehindName, maskNumbersInText, staleTrustSentence } from '../certificates/index.ts';
import { describeSigner } from './describe-signer.ts';
import { hasNoLegalValue, isWithoutLegalValue } from './summary.ts';
import { checkWords, reportTime, signatureRows } from './signature-rows.ts';
import type { ReportLanguage } from './texts/check-text.ts';
import { PDF_CHANGE_TEXTS } from './texts/timestamps-and-changes.ts';
import { OFFICIAL_VALIDATION_SITE, REPORT_LABELS, type ReportLabels } from './texts/report-labels.ts';

/** A change made by a later revision of a PDF. */
type PdfChange = PdfSignatureReport['changes'][number];

/** A label with its value. */
export interface ReportRow {
  readonly label: string;
  readonly value: string;
}

/** A verdict in plain words and in the terms of EN 319 102-1. */
export interface ReadableVerdict {
  readonly indication: Indication;
  readonly subIndication: SubIndication | null;
  /** Short verdict, such as `Valid`. */
  readonly verdict: string;
  /** The reason, as a sentence. */
  readonly sentence: string;
}

export interface ReadableCheck {
  readonly code: ValidationCheck['code'];
  readonly area: ValidationCheck['area'];
  readonly outcome: ValidationCheck['outcome'];
  readonly finding: string;
  readonly remedy: string | null;
  /** English sentence with the details of this case, with CPF and CNPJ masked; null in other languages. */
  readonly detail: string | null;
}

export interface ReadableChainEntry {
  readonly name: string;
  /** ISO 8601, like all times of the readable report. */
  readonly notBefore: string;
  readonly notAfter: string;
  /** The role as a root, as text; null below the root. */
  readonly role: string | null;
  readonly revocation: 'good' | 'revoked' | 'unknown' | null;
  /** The kind of the evidence of the revocation status: `CRL` or `OCSP`. */
  readonly evidence: string | null;
  readonly revokedAt: string | null;
  /** The end of validity, the role and the revocation status as one text. */
  readonly about: string;
}

export interface ReadableTimestamp extends ReadableVerdict {
  readonly title: string;
  readonly time: string | null;
  readonly authority: string | null;
  readonly checks: readonly ReadableCheck[];
  readonly chain: readonly ReadableChainEntry[];
}

export interface ReadableChange {
  readonly revision: number;
  readonly page: number | null;
  readonly level: PdfChange['level'];
  readonly code: PdfChange['code'];
  /** True for changes that are visible to a reader of the document. */
  readonly isShown: boolean;
  readonly text: string;
}

export interface ReadableSignature extends ReadableVerdict {
  readonly id: string;
  readonly title: string;
  readonly holder: string | null;
  /** Masked CPF or CNPJ. */
  readonly taxpayerNumber: string | null;
  /** Hierarchy of the trusted root. Signatures below gov.br are advanced, not qualified. */
  readonly hierarchy: Hierarchy | null;
  /** Formal level: the ICP-Brasil policy, else the ETSI level. */
  readonly level: string | null;
  /** Level that the evidence proves now: ICP-Brasil policy or ETSI level; null unless the signature is valid. */
  readonly levelProven: string | null;
  /** The issuer of the signer's certificate. */
  readonly issuer: string | null;
  /** The time proven by a time stamp, else the time that the signer claims. */
  readonly signedAt: string | null;
  readonly isTimeProven: boolean;
  readonly rows: readonly ReportRow[];
  readonly checks: readonly ReadableCheck[];
  readonly chain: readonly ReadableChainEntry[];
  readonly timestamps: readonly ReadableTimestamp[];
  readonly changes: readonly ReadableChange[];
  /** True when a later revision made visible changes other than further signatures. */
  readonly changedSince: boolean;
  /** Names the rule that allows the changes, `Allowed by: …`; null without changes. */
  readonly allowedBy: string | null;
  /** Size in bytes of the PDF up to the end of the signed revision; null if unknown. */
  readonly signedSize: number | null;
  /** Full name of the signature field of a PDF. */
  readonly fieldName: string | null;
  readonly counterSignatures: readonly ReadableSignature[];
  /** Advice to extend the signature to a higher level; null if no level would help. */
  readonly hint: string | null;
  /** The level that the hint recommends. */
  readonly raisesTo: 'B-T' | 'B-LT' | 'B-LTA' | null;
}

export interface ReadableReport extends ReadableVerdict {
  readonly language: ReportLanguage;
  readonly title: string;
  readonly rows: readonly ReportRow[];
  readonly signatures: readonly ReadableSignature[];
  readonly documentTimestamps: readonly ReadableTimestamp[];
  /** The time of the validation, in ISO 8601. */
  readonly validatedAt: string;
  /** True when `changedSince` is true for any signature of the file. */
  readonly changedSince: boolean;
  /** Size in bytes of the PDF up to the end of each revision; empty for other files. */
  readonly revisionEnds: readonly (number | null)[];
  /** Findings about the file as a whole. */
  readonly remarks: readonly ReadableCheck[];
  /** Notice that the report does not replace the official validation, with the address of the official site. */
  readonly notice: { readonly text: string; readonly label: string; readonly url: string };
}

/** The notice that a report does not replace the official validation, with the address of the official site. */
export const officialNotice = (language: ReportLanguage): { readonly text: string; readonly url: string } => ({
  text: REPORT_LABELS[language].notice,
  url: OFFICIAL_VALIDATION_SITE,
});

/** File names and other facts that the report shows but the validator does not know. */
export interface ReportNames {
  readonly file: string | null;
  readonly content: string | null;
  /** Bytes of the file, and its SHA-256 in lower-case hex: they tell files of the same name apart. */
  readonly size?: number;
  readonly sha256?: string;
  /** End of the newest ICP-Brasil list of approved policies; null without a list. */
  readonly policyListEnds?: Date | null;
}

/** Bytes in words, with the exact number: `58 kB (59,392 bytes)`. */
function sizeText(bytes: number, language: ReportLanguage): string {
  const exact = `${bytes.toLocaleString(language)} bytes`;
  const [unit, name] = bytes < 1_000_000 ? [1000, 'kB'] : [1_000_000, 'MB'];
  const rounded = (bytes / unit).toLocaleString(language, { maximumFractionDigits: unit === 1000 ? 0 : 1 });
  return bytes < 1000 ? exact : `${rounded} ${name} (${exact})`;
}

/** The level that the evidence proves now: the ICP-Brasil policy, else the ETSI level; null unless the signature is valid. */
export const provenLevel = ({ indication, policy, levelProven }: SignatureReport): string | null =>
  indication !== 'TOTAL-PASSED' ? null : (policy?.name ?? (levelProven === 'none' ? null : levelProven));

/** Creates the readable report. CPF and CNPJ are masked. */
export function readableReport(report: ValidationReport, names: ReportNames, language: ReportLanguage): ReadableReport {
  const reader = new ReportReader(language);
  return reader.report(report, names);
}

class ReportReader {
  readonly #language: ReportLanguage;
  readonly #labels: ReportLabels;

  constructor(language: ReportLanguage) {
    this.#language = language;
    this.#labels = REPORT_LABELS[language];
  }

  report(report: ValidationReport, names: ReportNames): ReadableReport {
    const { words, kinds, title, summaries } = this.#labels;
    const { indication, checks, validatedAt, contentDigest } = report;
    const hasSignatures = report.signatures.length > 0;
    const stamp = report.documentTimestamps.find((one) => one.indication === indication);
    const changedSince = report.signatures.some(({ pdf }) => pdf?.changedSince === true);
    const isTest = hasNoLegalValue(report);
    const verdict = {
      ...this.#verdict(report, hasSignatures ? summaries[indication] : this.#reason(stamp?.checks ?? checks)),
      ...this.#changedVerdict(report, changedSince, this.#labels.changedSince.summary),
    };
    return {
      language: this.#language,
      title,
      ...this.#withTestWords(verdict, isTest),
      ...(isTest ? { sentence: `${verdict.sentence} ${this.#labels.noLegalValue.sentence}` } : {}),
      validatedAt: validatedAt.toISOString(),
      changedSince,
      revisionEnds: report.revisionEnds ?? [],
      rows: rowsOf([
        [words.file, names.file],
        [words.size, names.size === undefined ? null : sizeText(names.size, this.#language)],
        [words.fileDigest, names.sha256],
        [words.content, names.content],
        [words.format, kinds[report.kind]],
        [words.standards, report.standards?.length ? report.standards.join(', ') : undefined],
        [words.validatedAt, reportTime(validatedAt)],
        [words.digest, contentDigest],
        [words.staleTrust, this.#staleTrust(report, names.policyListEnds ?? undefined)],
      ]),
      signatures: report.signatures.map((signature) => this.#signature(signature, words.signature)),
      documentTimestamps: report.documentTimestamps.map((timestamp) => this.#timestamp(timestamp)),
      remarks: checks.map((check) => this.#check(check)),
      notice: { ...officialNotice(this.#language), label: words.official },
    };
  }

  #verdict(
    { indication, subIndication }: Pick<ReadableVerdict, 'indication'> & { readonly subIndication?: SubIndication },
    sentence: string,
  ): ReadableVerdict {
    const verdict = this.#labels.verdicts[indication];
    return { indication, subIndication: subIndication ?? null, verdict, sentence };
  }

  /** Replaces the texts of a valid verdict if the document was visibly changed later. The indication stays. */
  #changedVerdict(
    { indication }: Pick<ReadableVerdict, 'indication'>,
    changedSince: boolean,
    sentence: string,
  ): Partial<ReadableVerdict> {
    if (!changedSince || indication !== 'TOTAL-PASSED') return {};
    return { verdict: this.#labels.changedSince.verdict, sentence };
  }

  /** Sentences about authorities that end soon and, for ICP-Brasil policies, about an expired list of policies. */
  #staleTrust(report: ValidationReport, listEnds: Date | undefined): string {
    const signed = report.signatures.flatMap(withCounterSignatures);
    const chains = [...signed, ...signed.flatMap(({ timestamps }) => timestamps), ...report.documentTimestamps];
    const entries = chains.flatMap(({ chain }) => chain?.entries.slice(1) ?? []);
    const unique = [...new Map(entries.map((entry) => [entry.commonName, entry])).values()];
    const hasPolicy = signed.some(({ policy }) => policy?.name !== undefined);
    const stale = findStaleTrust(
      {
        roots: unique.filter(({ isAnchor }) => isAnchor),
        authorities: unique.filter(({ isAnchor }) => !isAnchor),
        listEnds: hasPolicy ? listEnds : undefined,
      },
      report.validatedAt,
    );
    return stale.map((one) => maskNumbersInText(staleTrustSentence(one, this.#language))).join(' ');
  }

  /** Appends "no legal value" to the verdict of a test. */
  #withTestWords(verdict: ReadableVerdict, isTest: boolean): ReadableVerdict {
    return isTest ? { ...verdict, verdict: `${verdict.verdict}, ${this.#labels.noLegalValue.verdict}` } : verdict;
  }

  #allowedBy({ changesAllowed, changes, permission }: PdfSignatureReport): string | null {
    if (!changesAllowed || changes.length === 0) return null;
    return `${this.#labels.words.allowedBy}: ${this.#labels.permissions[permission ?? 0]}`;
  }

  /**
   * The finding that explains the verdict: the first failure, else the first undetermined check, else the hierarchy of the
   * root. An ended protection of time stamps takes precedence over other undetermined checks, because it causes them.
   */
  #reason(checks: readonly ValidationCheck[]): string {
    const undetermined = checks.find(({ outcome }) => outcome === 'unknown');
    const deciding =
      checks.find(({ outcome }) => outcome === 'failed') ??
      (undetermined && checks.find(({ code }) => code === 'PROTECTION_ENDED')) ??
      undetermined ??
      checks.find(({ code }) => code.startsWith('HIERARCHY_')) ??
      checks.find(({ outcome }) => outcome === 'passed');
    return deciding === undefined ? '' : checkWords(deciding.code, this.#language).finding;
  }

  #check({ code, area, outcome, sentence }: ValidationCheck, chain?: ChainReport): ReadableCheck {
    const words = checkWords(code, this.#language, chain);
    return { code, area, outcome, ...words, detail: this.#language === 'en' ? maskNumbersInText(sentence) : null };
  }

  #signature(report: SignatureReport, kind: string): ReadableSignature {
    const { words } = this.#labels;
    const { id, extendable, pdf } = report;
    const signer = describeSigner(report);
    const verdict = {
      ...this.#verdict(report, this.#reason(report.checks)),
      ...this.#changedVerdict(
        report,
        pdf?.changedSince ?? false,
        checkWords('PDF_CHANGES_ALLOWED', this.#language).finding,
      ),
    };
    return {
      id,
      title: `${kind} ${id}: ${signer.holder ?? words.unknownHolder}`,
      holder: signer.holder,
      taxpayerNumber: signer.taxpayerNumber,
      issuer: signer.certificate?.issuer ?? null,
      signedAt: (report.provenTime ?? report.claimedSigningTime)?.toISOString() ?? null,
      isTimeProven: report.provenTime !== undefined,
      hierarchy: report.chain?.hierarchy ?? null,
      level: levelName(report),
      levelProven: provenLevel(report),
      ...this.#withTestWords(verdict, isWithoutLegalValue(report)),
      changedSince: pdf?.changedSince ?? false,
      allowedBy: pdf === undefined ? null : this.#allowedBy(pdf),
      signedSize: pdf?.signedSize ?? null,
      fieldName: pdf?.fieldName ?? null,
      rows: rowsOf(signatureRows(report, signer, this.#labels)),
      checks: report.checks.map((check) => this.#check(check, report.chain)),
      chain: (report.chain?.entries ?? []).map((entry) => this.#chainEntry(entry)),
      timestamps: report.timestamps.map((timestamp) => this.#timestamp(timestamp)),
      changes: (pdf?.changes ?? []).map((change) => this.#change(change)),
      counterSignatures: report.counterSignatures.map((one) => this.#signature(one, words.counterSignature)),
      hint: extendable === undefined ? null : `${words.hint} ${extendable}.`,
      raisesTo: extendable ?? null,
    };
  }

  #timestamp(report: TimestampReport): ReadableTimestamp {
    const authority = report.authority === undefined ? null : maskNumberBehindName(report.authority);
    return {
      title: this.#labels.roles[report.role],
      time: report.time?.toISOString() ?? null,
      authority,
      ...this.#withTestWords(this.#verdict(report, this.#reason(report.checks)), report.chain?.hierarchy === 'test'),
      checks: report.checks.map((check) => this.#check(check, report.chain)),
      chain: (report.chain?.entries ?? []).map((entry) => this.#chainEntry(entry)),
    };
  }

  #chainEntry({
    commonName,
    notBefore,
    notAfter,
    isAnchor,
    isForTimestampsOnly = false,
    revocation,
  }: ChainEntry): ReadableChainEntry {
    const { words, revocation: states } = this.#labels;
    const role = isAnchor ? (isForTimestampsOnly ? words.stampAnchor : words.anchor) : null;
    const evidence = revocation?.kind?.toUpperCase() ?? null;
    const about = [
      `${words.until} ${reportTime(notAfter).slice(0, 10)}`,
      role,
      revocation === undefined ? null : states[revocation.status],
      evidence,
      revocation?.revokedAt === undefined ? null : reportTime(revocation.revokedAt),
    ];
    return {
      name: maskNumberBehindName(commonName),
      notBefore: notBefore.toISOString(),
      notAfter: notAfter.toISOString(),
      role,
      revocation: revocation?.status ?? null,
      evidence,
      revokedAt: revocation?.revokedAt?.toISOString() ?? null,
      about: about.filter((part) => part !== null).join(', '),
    };
  }

  #change({ revision, page, level, code, fieldName, sentence }: PdfChange): ReadableChange {
    const { words, changeLevels } = this.#labels;
    const place = [
      `${words.revision} ${revision}`,
      ...(page === undefined ? [] : [`${words.page.toLowerCase()} ${page}`]),
      ...(fieldName === undefined ? [] : [`${words.field.toLowerCase()} ${fieldName}`]),
    ].join(', ');
    const what = this.#language === 'en' ? sentence : PDF_CHANGE_TEXTS[code];
    const isShown = isShownChange({ code, level });
    return { revision, page: page ?? null, level, code, isShown, text: `${place}: ${what} (${changeLevels[level]})` };
  }
}

/** The ICP-Brasil policy if the signature has everything that the policy requires, else the ETSI level. */
function levelName({ policy, level }: SignatureReport): string | null {
  if (policy?.complete === true && policy.name !== undefined) return policy.name;
  return level === 'none' ? null : level;
}

/** Drops rows without a value. */
function rowsOf(rows: readonly (readonly [label: string, value: string | null | undefined])[]): readonly ReportRow[] {
  return rows.flatMap(([label, value]) =>
    value === null || value === undefined || value === '' ? [] : [{ label, value }],
  );
}
