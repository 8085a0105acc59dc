import { keysOf, type PdfKeys } from '../encryption/standard-security.ts';
import { PdfDocument } from '../reading/pdf-document.ts';
import { ScannedSection } from './rebuilt-section.ts';
import type { ScannedFile } from './scan-objects.ts';

/** Opens a PDF by the objects that a scan of the whole file found, in place of its cross-reference. */
export async function openScanned(
  path: string,
  keys: PdfKeys,
  scanned: ScannedFile,
): Promise<{ readonly document: PdfDocument; readonly section: ScannedSection }> {
  const section = new ScannedSection(scanned);
  const streams = [...scanned.objects.values()].flatMap(({ stream }) => (stream === undefined ? [] : [stream]));
  const streamLengths = new Map(streams.map(({ position, length }) => [position, length]));
  const structure = { sections: [section], start: 0, base: 0, streamLengths };
  return { document: await PdfDocument.open(path, { ...keysOf(keys), structure }), section };
}
