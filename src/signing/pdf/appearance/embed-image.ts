import { deflateSync } from 'node:zlib';
import { PdfName, PdfNumber, type PdfValue, PdfReference, type PdfDictionary } from '../syntax/values.ts';
import { unusableAppearance } from './page-geometry.ts';
import type { ArchiveRules } from './archive-rules.ts';
import type { ObjectSink } from '../writing/incremental-update.ts';
import { isGif, readGif } from './read-gif.ts';
import { flattenOntoWhite, isPng, readPng, type Raster } from './read-png.ts';

const numbers = (...values: readonly number[]): PdfValue[] =>
  values.map((value) => (Number.isInteger(value) ? value : new PdfNumber(String(value))));
const WHITE = ['WhitePoint', numbers(0.9505, 1, 1.089)] as const;

/**
 * Grey and colour of sRGB in CIE-based spaces (ISO 32000-2 §8.6.5.2, §8.6.5.3). Both are device independent, so a PDF/A
 * keeps its conformance with any output intent and without.
 */
export const calibratedGrey = (): PdfValue => [
  new PdfName('CalGray'),
  new Map<string, PdfValue>([[...WHITE], ['Gamma', new PdfNumber('2.2')]]),
];

export const calibratedColour = (): PdfValue => [
  new PdfName('CalRGB'),
  new Map<string, PdfValue>([
    [...WHITE],
    ['Gamma', numbers(2.2, 2.2, 2.2)],
    ['Matrix', numbers(0.4124, 0.2126, 0.0193, 0.3576, 0.7152, 0.1192, 0.1805, 0.0722, 0.9505)],
  ]),
];

/** Properties of a JPEG for its image dictionary. */
export interface JpegTraits {
  readonly width: number;
  readonly height: number;
  /** 1: grey; 3: colour; 4: cyan, magenta, yellow, black. */
  readonly components: 1 | 3 | 4;
  /** An Adobe marker: the four components are stored as their complements. */
  readonly inverted: boolean;
}

/** Start of frame: baseline, extended sequential and progressive with Huffman codes, all supported by DCTDecode. */
const SUPPORTED_FRAMES = [0xc0, 0xc1, 0xc2];
const FRAMES = [0xc3, 0xc5, 0xc6, 0xc7, 0xc9, 0xca, 0xcb, 0xcd, 0xce, 0xcf];
const START_OF_SCAN = 0xda;
const ADOBE = 0xee;
const MAX_SIDE = 65_000;

export const isJpeg = (file: Buffer): boolean => file.length > 3 && file.readUIntBE(0, 3) === 0xffd8ff;

const damaged = (detail: string): never =>
  unusableAppearance(`The picture of the stamp is a JPEG that cannot be used: ${detail}. Save it again and use that.`);

function readFrame(segment: Buffer): Omit<JpegTraits, 'inverted'> {
  if (segment.length < 6) return damaged('it is damaged');
  const [height, width] = [segment.readUInt16BE(1), segment.readUInt16BE(3)];
  const components = segment[5];
  if (segment[0] !== 8) return damaged('it does not have 8 bits for each colour');
  if (width === 0 || height === 0 || Math.max(width, height) > MAX_SIDE) return damaged('its size is unknown');
  if (components !== 1 && components !== 3 && components !== 4) return damaged('it has an unusual number of colours');
  return { width, height, components };
}

/** Reads size and colours from the markers (ITU-T T.81 §B.1). Throws `PDF_APPEARANCE_INVALID`. */
export function readJpeg(file: Buffer): JpegTraits {
  let frame: Omit<JpegTraits, 'inverted'> | undefined;
  let hasAdobeMarker = false;
  for (let position = 2; position + 4 <= file.length;) {
    if (file[position] !== 0xff) return damaged('it is damaged');
    const marker = file[position + 1] ?? 0;
    if (marker === 0xff) {
      position += 1;
      continue;
    }
    const length = file.readUInt16BE(position + 2);
    const segment = file.subarray(position + 4, position + 2 + length);
    if (SUPPORTED_FRAMES.includes(marker)) frame = readFrame(segment);
    else if (FRAMES.includes(marker)) return damaged('it is compressed in an unusual way');
    else if (marker === ADOBE && segment.toString('latin1', 0, 5) === 'Adobe') hasAdobeMarker = true;
    else if (marker === START_OF_SCAN) break;
    position += 2 + length;
  }
  if (frame === undefined) return damaged('it holds no picture');
  return { ...frame, inverted: hasAdobeMarker && frame.components === 4 };
}

/** A picture in the document; its size is in pixels. */
export interface EmbeddedImage {
  readonly reference: PdfReference;
  readonly width: number;
  readonly height: number;
  /** True when its transparency was replaced by a white ground. */
  readonly flattened: boolean;
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
  return { reference: new PdfReference(number, 0), width: size.width, height: size.height, flattened: false };
}

function embedRaster(update: ObjectSink, decoded: Raster, rules: ArchiveRules): EmbeddedImage {
  const raster = rules.allowsTransparency ? decoded : flattenOntoWhite(decoded);
  const compressed = ['Filter', name('FlateDecode')] as const;
  const colours = ['ColorSpace', raster.components === 1 ? calibratedGrey() : calibratedColour()] as const;
  const entries: (readonly [string, PdfValue])[] = [colours, compressed];
  if (raster.alpha !== undefined) {
    // A soft mask is always DeviceGray (ISO 32000-2 §11.6.5.2), because opacity is not a colour.
    const mask = addImage(update, deflateSync(raster.alpha), raster, [['ColorSpace', name('DeviceGray')], compressed]);
    entries.push(['SMask', mask.reference]);
  }
  const image = addImage(update, deflateSync(raster.samples), raster, entries);
  return { ...image, flattened: raster.alpha === undefined && decoded.alpha !== undefined };
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

/** Adds a PNG, JPEG or GIF to the document. Throws `PDF_APPEARANCE_INVALID` for other or damaged files. */
export function embedImage(update: ObjectSink, bytes: Uint8Array, rules: ArchiveRules): EmbeddedImage {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (isPng(file)) return embedRaster(update, readPng(file), rules);
  if (isGif(file)) return embedRaster(update, readGif(file), rules);
  if (isJpeg(file)) return embedJpeg(update, file, rules);
  unusableAppearance('The picture of the stamp is no PNG, JPEG or GIF. Save it as one of these.');
}
