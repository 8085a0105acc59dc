import type { IncrementalUpdate } from '../writing/incremental-update.ts';
import { laterVersion } from '../verification/inspect-pdf.ts';
import { malformed } from '../syntax/pdf-error.ts';
import type { PdfDocument } from '../reading/pdf-document.ts';
import { nameOf, numberOf, PdfName } from '../syntax/values.ts';
import type { PdfValue } from '../syntax/values.ts';

/** Levels of ETSI's extension of PDF 1.7: document time stamps came with 2, the document security store with 5. */
export const PadesExtensionLevel = { documentTimestamp: 2, securityStore: 5 } as const;

function versionOf(document: PdfDocument): string {
  return laterVersion(document.version, nameOf(document.resolve(document.catalog.value.get('Version'))));
}

/**
 * Declares ETSI's additions to PDF 1.7 in the catalog of a PDF before 2.0 (ISO 32000-1 §7.12, EN 319 142-1 §5.5). PDF
 * 2.0 includes these additions. A declared level is never lowered.
 */
export function declarePadesExtension(document: PdfDocument, update: IncrementalUpdate, level: number): void {
  if (Number(versionOf(document)) >= 2) return;
  const { value: catalog, holder } = update.locate(document.trailer.get('Root'));
  if (!(catalog instanceof Map)) malformed('its document catalog is missing');
  const found = update.locate(catalog.get('Extensions'), holder);
  const entry = found.value instanceof Map ? update.locate(found.value.get('ESIC')).value : null;
  if (entry instanceof Map && (numberOf(update.locate(entry.get('ExtensionLevel')).value) ?? 0) >= level) return;
  const declaration = new Map<string, PdfValue>([
    ['BaseVersion', new PdfName('1.7')],
    ['ExtensionLevel', level],
  ]);
  if (found.value instanceof Map) {
    found.value.set('ESIC', declaration);
    update.markChanged(found.holder);
  } else {
    catalog.set('Extensions', new Map<string, PdfValue>([['ESIC', declaration]]));
    update.markChanged(holder);
  }
}
