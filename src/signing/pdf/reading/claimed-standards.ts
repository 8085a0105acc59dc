/** The standards claimed by a PDF: PDF/A (ISO 19005) and PDF/UA (ISO 14289). Claims are not checked here. */
import { SigningError } from '../../errors.ts';
import type { PdfDocument } from './pdf-document.ts';
import { decodeStream } from './stream-filters.ts';
import { countOf, nameOf, PdfStream } from '../syntax/values.ts';

export interface ClaimedStandards {
  /** The part of ISO 19005; undefined without a claim. */
  readonly archivePart: number | undefined;
  /** The part of ISO 14289; undefined without a claim. */
  readonly accessibilityPart: number | undefined;
  /** For display: `PDF/A-2b`, `PDF/UA-1`. */
  readonly names: readonly string[];
}

const MAX_METADATA = 4 * 1024 * 1024;

/** The value of a property of the XMP, written as an attribute or as an element. */
function propertyOf(metadata: string, name: string): string | undefined {
  const match = new RegExp(`${name}\\s*(?:=\\s*["']|>)\\s*(\\w{1,8})`).exec(metadata);
  return match?.[1];
}

/**
 * The XMP of the catalog as far as it is ASCII, like every claim. PDF/A-1 allows UTF-16 and UTF-32 too (ISO 19005-1
 * §6.7.9), in which the other bytes of such characters are zero. PDF/A forbids encryption.
 */
function readMetadata(document: PdfDocument): string {
  const stream = document.resolve(document.catalog.value.get('Metadata'));
  if (!(stream instanceof PdfStream) || document.encrypted) return '';
  const length = countOf(document.resolve(stream.dictionary.get('Length'))) ?? 0;
  const stored = document.file.read(stream.position, Math.min(length, MAX_METADATA));
  return decodeStream(stored, stream.dictionary, document.resolve).toString('latin1').replaceAll('\0', '');
}

/** True for an output intent of PDF/A: its parts all use the name of the first (ISO 19005-1 §6.2.2). */
function hasArchiveIntent(document: PdfDocument): boolean {
  const intents = document.resolve(document.catalog.value.get('OutputIntents'));
  return (Array.isArray(intents) ? intents : []).some((entry) => {
    const intent = document.resolve(entry);
    return intent instanceof Map && nameOf(document.resolve(intent.get('S'))) === 'GTS_PDFA1';
  });
}

const digitOf = (text: string | undefined): number | undefined =>
  text !== undefined && /^[1-9]$/.test(text) ? Number(text) : undefined;

function readClaims(document: PdfDocument): ClaimedStandards {
  const metadata = readMetadata(document);
  const archivePart = digitOf(propertyOf(metadata, 'pdfaid:part'));
  const accessibilityPart = digitOf(propertyOf(metadata, 'pdfuaid:part'));
  const conformance = propertyOf(metadata, 'pdfaid:conformance')?.toLowerCase() ?? '';
  return {
    archivePart,
    accessibilityPart,
    names: [
      ...(archivePart === undefined ? [] : [`PDF/A-${archivePart}${conformance}`]),
      ...(accessibilityPart === undefined ? [] : [`PDF/UA-${accessibilityPart}`]),
    ],
  };
}

const NONE: ClaimedStandards = { archivePart: undefined, accessibilityPart: undefined, names: [] };

/**
 * The claims in the metadata of the file. Unreadable metadata together with an output intent of PDF/A count as a claim
 * of PDF/A-1, which has the strictest rules.
 */
export function readClaimedStandards(document: PdfDocument): ClaimedStandards {
  try {
    return readClaims(document);
  } catch (error) {
    if (!(error instanceof SigningError) || document.file.budget.exhausted) throw error;
    return hasArchiveIntent(document) ? { ...NONE, archivePart: 1, names: ['PDF/A-1'] } : NONE;
  }
}
