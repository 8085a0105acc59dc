import type { ClaimedStandards } from '../reading/claimed-standards.ts';
import type { PdfDocument } from '../reading/pdf-document.ts';

/** Rules for drawing into a file with a PDF/A claim. */
export interface ArchiveRules {
  /** The claimed part of ISO 19005; undefined without a claim. */
  readonly part: number | undefined;
  /**
   * PDF/A-1 forbids transparency (ISO 19005-1 §6.4). Later parts demand a blending colour space for the page (ISO
   * 19005-2 §6.2.10). An output intent provides this space; without an output intent nothing transparent is drawn.
   */
  readonly allowsTransparency: boolean;
}

/** The rules of the standards that the file claims. */
export function archiveRulesOf(document: PdfDocument, { archivePart: part }: ClaimedStandards): ArchiveRules {
  if (part === undefined) return { part, allowsTransparency: true };
  const intents = document.resolve(document.catalog.value.get('OutputIntents'));
  return { part, allowsTransparency: part > 1 && Array.isArray(intents) && intents.length > 0 };
}
