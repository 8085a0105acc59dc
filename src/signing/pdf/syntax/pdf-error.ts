import { SigningError } from '../../errors.ts';

/** The file breaks the rules of PDF; `detail` is the end of a sentence. */
export function malformed(detail: string, cause?: unknown): never {
  throw new SigningError(
    'PDF_MALFORMED',
    `The PDF is damaged: ${detail}. Save it again with a PDF editor, or have it repaired, then try once more.`,
    cause === undefined ? undefined : { cause },
  );
}

/** The file follows the rules, but uses an unsupported feature; `sentence` ends with a full stop. */
export function unsupported(sentence: string): never {
  throw new SigningError('PDF_UNSUPPORTED', sentence);
}
