/** Effects of a change on the standards claimed by a PDF: PDF/A and PDF/UA. */
import { SigningError } from '../../errors.ts';
import type { ClaimedStandards } from '../reading/claimed-standards.ts';

/** `kept`: something was changed so that the standard is kept; `lost`: the standard could not be kept. */
export const STANDARD_WARNINGS = {
  PICTURE_FLATTENED: 'kept',
  WIDGET_NOT_TAGGED: 'lost',
  FILE_NOT_TAGGED: 'lost',
} as const satisfies Readonly<Record<string, 'kept' | 'lost'>>;

export type StandardWarningCode = keyof typeof STANDARD_WARNINGS;

export interface StandardWarning {
  readonly code: StandardWarningCode;
  /** The claimed standard: `PDF/A-1b`, `PDF/UA-1`. */
  readonly standard: string;
  /** True when the file keeps the standard. */
  readonly kept: boolean;
  /** What happened and why, in a sentence. */
  readonly detail: string;
}

const SENTENCES: Readonly<Record<StandardWarningCode, (standard: string) => string>> = {
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
  const warning = (code: StandardWarningCode, standard: string): StandardWarning => ({
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
