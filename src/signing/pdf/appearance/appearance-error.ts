import { SigningError } from '../../errors.ts';

/** The stamp cannot be drawn as requested; `sentence` ends with a full stop and names the remedy. */
export function unusableAppearance(sentence: string, cause?: unknown): never {
  throw new SigningError('PDF_APPEARANCE_INVALID', sentence, cause === undefined ? undefined : { cause });
}
