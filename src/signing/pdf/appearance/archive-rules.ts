import { SigningError } from '../../errors.ts';
import type { PdfDocument } from '../reading/pdf-document.ts';
import { decodeStream } from '../reading/stream-filters.ts';
import { countOf, PdfStream } from '../syntax/values.ts';

/** Rules for drawing into a file with a PDF/A claim. */
export interface ArchiveRules {
  /** The claimed part of ISO 19005; undefined without a claim. */
  readonly part: number | undefined;
  /**
   * PDF/A-1 forbids transparency (ISO 19005-1 §6.4). Later parts demand a blending colour space for the page, which an
   * output intent gives (ISO 19005-2 §6.2.10); without an output intent nothing transparent is drawn either.
   */
  readonly allowsTransparency: boolean;
}

const MAX_METADATA = 4 * 1024 * 1024;
const CLAIM = /pdfaid:part\s*(?:=\s*["']|>)\s*(\d)/;

/**
 * The XMP of the catalog as far as it is ASCII, like every claim. PDF/A-1 allows UTF-16 and UTF-32 too (ISO 19005-1
 * §6.7.9), in which the other octets of such characters are zero. PDF/A forbids encryption.
 */
function readMetadata(document: PdfDocument): string {
  const stream = document.resolve(document.catalog.value.get('Metadata'));
  if (!(stream instanceof PdfStream) || document.encrypted) return '';
  const length = countOf(document.resolve(stream.dictionary.get('Length'))) ?? 0;
  const stored = document.file.read(stream.position, Math.min(length, MAX_METADATA));
  return decodeStream(stored, stream.dictionary, document.resolve).toString('latin1').replaceAll('\0', '');
}

/** The part named by the metadata; damaged metadata name none. */
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
