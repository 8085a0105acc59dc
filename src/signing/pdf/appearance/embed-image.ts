import { deflateSync } from 'node:zlib';
import { PdfName, PdfReference } from '../syntax/values.ts';
import type { PdfDictionary, PdfValue } from '../syntax/values.ts';
import { unusableAppearance } from './appearance-error.ts';
import { calibratedColour, calibratedGrey } from './colour-spaces.ts';
import type { ArchiveRules } from './archive-rules.ts';
import type { ObjectSink } from '../writing/incremental-update.ts';
import { flattenOntoWhite } from './raster.ts';
import { isJpeg, readJpeg } from './read-jpeg.ts';
import { isPng, readPng } from './read-png.ts';

/** A picture in the document; its size is in pixels. */
export interface EmbeddedImage {
  readonly reference: PdfReference;
  readonly width: number;
  readonly height: number;
}

const name = (text: string): PdfName => new PdfName(text);

function addImage(
  update: ObjectSink,
  data: Buffer,
  size: { readonly width: number; readonly height: number },
  entries: readonly (readonly [string, PdfValue])[],
): EmbeddedImage {
  const number = update.allocate();
  const dictionary: PdfDictionary = new Map<string, PdfValue>([
    ['Type', name('XObject')],
    ['Subtype', name('Image')],
    ['Width', size.width],
    ['Height', size.height],
    ['BitsPerComponent', 8],
    ...entries,
  ]);
  update.addStream(number, dictionary, data);
  return { reference: new PdfReference(number, 0), width: size.width, height: size.height };
}

function embedPng(update: ObjectSink, file: Buffer, rules: ArchiveRules): EmbeddedImage {
  const decoded = readPng(file);
  const raster = rules.allowsTransparency ? decoded : flattenOntoWhite(decoded);
  const compressed = ['Filter', name('FlateDecode')] as const;
  const colours = ['ColorSpace', raster.components === 1 ? calibratedGrey() : calibratedColour()] as const;
  const entries: (readonly [string, PdfValue])[] = [colours, compressed];
  if (raster.alpha !== undefined) {
    // A soft mask is always DeviceGray (ISO 32000-2 §11.6.5.2), because opacity is not a colour.
    const mask = addImage(update, deflateSync(raster.alpha), raster, [['ColorSpace', name('DeviceGray')], compressed]);
    entries.push(['SMask', mask.reference]);
  }
  return addImage(update, deflateSync(raster.samples), raster, entries);
}

/** Embeds a JPEG unchanged. */
function embedJpeg(update: ObjectSink, file: Buffer, rules: ArchiveRules): EmbeddedImage {
  const traits = readJpeg(file);
  const filter = ['Filter', name('DCTDecode')] as const;
  if (traits.components !== 4) {
    const space = traits.components === 1 ? calibratedGrey() : calibratedColour();
    return addImage(update, file, traits, [['ColorSpace', space], filter]);
  }
  if (rules.part !== undefined) {
    unusableAppearance(
      'The PDF is a PDF/A, where a picture in the colours of a printer (CMYK) is not allowed. Save the picture as RGB.',
    );
  }
  const decode = ['Decode', [1, 0, 1, 0, 1, 0, 1, 0] as PdfValue] as const;
  const space = ['ColorSpace', name('DeviceCMYK')] as const;
  return addImage(update, file, traits, traits.inverted ? [space, filter, decode] : [space, filter]);
}

/** Adds a PNG or JPEG to the document. Throws `PDF_APPEARANCE_INVALID` for other or damaged files. */
export function embedImage(update: ObjectSink, octets: Uint8Array, rules: ArchiveRules): EmbeddedImage {
  const file = Buffer.from(octets.buffer, octets.byteOffset, octets.byteLength);
  if (isPng(file)) return embedPng(update, file, rules);
  if (isJpeg(file)) return embedJpeg(update, file, rules);
  unusableAppearance('The picture of the stamp is neither a PNG nor a JPEG. Save it as one of these.');
}
