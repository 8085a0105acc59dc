/** Effects of a signature that its author may not expect: on the claimed standards (PDF/A, PDF/UA) and on the page. */
import { SigningError } from '../../errors.ts';
import type { ClaimedStandards } from '../reading/claimed-standards.ts';

/** `kept`: something was changed so that the standard is kept; `lost`: the standard could not be kept. */
export const STANDARD_WARNINGS = {
  PICTURE_FLATTENED: 'kept',
  WIDGET_NOT_TAGGED: 'lost',
  FILE_NOT_TAGGED: 'lost',
  FIELDS_LEFT_EMPTY: 'kept',
  INFORMATION_LEFT_OUT: 'kept',
  GLYPHS_MISSING: 'kept',
  CERTIFICATE_REVOKED: 'kept',
} as const satisfies Readonly<Record<string, 'kept' | 'lost'>>;

/** The closed list of warnings about a signed PDF. */
export type StandardWarningCode = keyof typeof STANDARD_WARNINGS;

/** A warning about a signed PDF: a standard that the signature breaks or keeps, or another fact before signing. */
export interface StandardWarning {
  readonly code: StandardWarningCode;
  /** The claimed standard: `PDF/A-1b`, `PDF/UA-1`; empty for a warning about something else. */
  readonly standard: string;
  /** True when the file keeps the standard. */
  readonly kept: boolean;
  /** What happened and why, in a sentence. */
  readonly detail: string;
}

const SENTENCES: Readonly<
  Record<'PICTURE_FLATTENED' | 'WIDGET_NOT_TAGGED' | 'FILE_NOT_TAGGED', (standard: string) => string>
> = {
  PICTURE_FLATTENED: (standard) =>
    `The file is ${standard}, which allows no transparency here: the picture got a white ground.`,
  WIDGET_NOT_TAGGED: (standard) =>
    `The file is certified and allows no changes, so the field of the time stamp is not part of its structure, as ${standard} demands.`,
  FILE_NOT_TAGGED: (standard) =>
    `The file claims ${standard} but has no usable structure, so the new field could not become a part of it.`,
};

/** Findings while a signature field was added. */
export interface FieldFindings {
  /** A picture lost its transparency. */
  readonly flattened: boolean;
  /** The reason why a new field or stamp is not part of the structure; undefined when part of the structure. */
  readonly untagged: 'certified' | 'no-structure' | undefined;
}

/** The warnings for these findings; none for a file without claims. */
export function standardWarnings(
  { names }: ClaimedStandards,
  { flattened, untagged }: FieldFindings,
): readonly StandardWarning[] {
  const archive = names.find((name) => name.startsWith('PDF/A'));
  const accessible = names.find((name) => name.startsWith('PDF/UA'));
  const warning = (code: keyof typeof SENTENCES, standard: string): StandardWarning => ({
    code,
    standard,
    kept: STANDARD_WARNINGS[code] === 'kept',
    detail: SENTENCES[code](standard),
  });
  return [
    ...(flattened && archive !== undefined ? [warning('PICTURE_FLATTENED', archive)] : []),
    ...(untagged === undefined || accessible === undefined
      ? []
      : [warning(untagged === 'certified' ? 'WIDGET_NOT_TAGGED' : 'FILE_NOT_TAGGED', accessible)]),
  ];
}

/** Throws `PDF_STANDARD_LOST` when a claimed standard could not be kept. */
export function expectStandardsKept(warnings: readonly StandardWarning[]): void {
  const lost = warnings.find(({ kept }) => !kept);
  if (lost === undefined) return;
  throw new SigningError(
    'PDF_STANDARD_LOST',
    `${lost.detail} Sign without the demand to keep the standard, or sign another version of the document.`,
  );
}

/** Removes repeated warnings, because several time stamps of a file may give the same warning. */
export const withoutRepeats = (warnings: readonly StandardWarning[]): readonly StandardWarning[] =>
  warnings.filter(({ code }, index) => warnings.findIndex((other) => other.code === code) === index);

/** The warning that a signature got a field of its own although the author of the PDF placed empty ones. */
export const fieldsLeftEmpty = (names: readonly string[]): StandardWarning => ({
  code: 'FIELDS_LEFT_EMPTY',
  standard: '',
  kept: true,
  detail: `The PDF has several empty signature fields, and none was named: ${names.map((name) => `"${name}"`).join(', ')} stay empty.`,
});

/** The warning that the file cannot take entries of the document information. */
export const informationLeftOut = (names: readonly string[]): StandardWarning => ({
  code: 'INFORMATION_LEFT_OUT',
  standard: '',
  kept: true,
  detail: `The PDF cannot take these entries of extra_info, which were left out: ${names.map((name) => `"${name}"`).join(', ')}.`,
});

/** The warning that the signer's certificate is known as revoked or suspended; `fact` is a sentence without a name. */
export const certificateRevoked = (fact: string): StandardWarning => ({
  code: 'CERTIFICATE_REVOKED',
  standard: '',
  kept: true,
  detail: `${fact} Others will not accept the signature.`,
});

/** The warning that characters of a stamp are in no font at hand, and are drawn as boxes. */
export const glyphsMissing = (characters: string): StandardWarning => ({
  code: 'GLYPHS_MISSING',
  standard: '',
  kept: true,
  detail: `The visible signature shows boxes, because its font has no characters for: ${characters}`,
});
