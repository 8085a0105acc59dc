import { SigningError } from '../../errors.ts';
import type { PdfDocument } from '../reading/pdf-document.ts';
import { decodeStream } from '../reading/stream-filters.ts';
import { countOf, PdfStream } from '../syntax/values.ts';

/** What a file's claim to be a PDF/A means for what is drawn into it. */
export interface ArchiveRules {
  /** The part of ISO 19005 that the file claims to follow; undefined when it claims none. */
  readonly part: number | undefined;
  /**
   * PDF/A-1 forbids transparency (ISO 19005-1 §6.4). Later parts want a blending colour space for the page, which an
   * output intent gives (ISO 19005-2 §6.2.10); without one, nothing transparent is drawn either.
   */
  readonly allowsTransparency: boolean;
}

const MAX_METADATA = 4 * 1024 * 1024;
const CLAIM = /pdfaid:part\s*(?:=\s*["']|>)\s*(\d)/;

/** The XMP of the catalog, which PDF/A wants in UTF-8. PDF/A forbids encryption. */
function readMetadata(document: PdfDocument): string {
  const stream = document.resolve(document.catalog.value.get('Metadata'));
  if (!(stream instanceof PdfStream) || document.encrypted) return '';
  const length = countOf(document.resolve(stream.dictionary.get('Length'))) ?? 0;
  const stored = document.file.read(stream.position, Math.min(length, MAX_METADATA));
  return decodeStream(stored, stream.dictionary, document.resolve).toString('utf8');
}

/** The part that the metadata name; damaged metadata name none. */
function readClaim(document: PdfDocument): string | undefined {
  try {
    return CLAIM.exec(readMetadata(document))?.[1];
  } catch (error) {
    if (error instanceof SigningError) return undefined;
    throw error;
  }
}

/** Reads the claim from the file's metadata. */
export function readArchiveRules(document: PdfDocument): ArchiveRules {
  const digit = readClaim(document);
  if (digit === undefined) return { part: undefined, allowsTransparency: true };
  const part = Number(digit);
  const intents = document.resolve(document.catalog.value.get('OutputIntents'));
  return { part, allowsTransparency: part > 1 && Array.isArray(intents) && intents.length > 0 };
}
