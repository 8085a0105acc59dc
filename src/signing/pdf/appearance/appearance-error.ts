import { SigningError } from '../../errors.ts';

/** The stamp cannot be drawn as asked; `sentence` ends with a full stop and says what to change. */
export function unusableAppearance(sentence: string, cause?: unknown): never {
  throw new SigningError('PDF_APPEARANCE_INVALID', sentence, cause === undefined ? undefined : { cause });
}
