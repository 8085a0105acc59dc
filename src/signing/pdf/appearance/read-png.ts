import { crc32, inflateSync } from 'node:zlib';
import { undoPredictor } from '../reading/stream-filters.ts';
import { unusableAppearance } from './page-geometry.ts';

/** A decoded picture: one byte for each component, rows from top to bottom without gaps. */
export interface Raster {
  readonly width: number;
  readonly height: number;
  /** 1: grey; 3: red, green, blue. */
  readonly components: 1 | 3;
  readonly samples: Buffer;
  /** One byte for each pixel, 255 being opaque; absent for an opaque picture. */
  readonly alpha?: Buffer;
}

/** Maximum number of pixels of a picture: a stamp of 30 cm at 400 dots an inch. */
export const MAX_PIXELS = 24_000_000;

/** The picture on white paper, for files without transparency. */
export function flattenOntoWhite(raster: Raster): Raster {
  const { alpha, samples, components, width, height } = raster;
  if (alpha === undefined) return raster;
  const flat = Buffer.alloc(samples.length);
  for (let pixel = 0; pixel < width * height; pixel += 1) {
    const opacity = alpha[pixel] ?? 0;
    for (let index = pixel * components; index < (pixel + 1) * components; index += 1) {
      flat[index] = Math.round(((samples[index] ?? 0) * opacity + 255 * (255 - opacity)) / 255);
    }
  }
  return { width, height, components, samples: flat };
}

const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');

export const isPng = (file: Buffer): boolean => file.subarray(0, 8).equals(SIGNATURE);

/** Samples per pixel by colour type, and the allowed bit depths (PNG §11.2.1). */
const COLOUR_TYPES: ReadonlyMap<number, { readonly channels: number; readonly depths: readonly number[] }> = new Map([
  [0, { channels: 1, depths: [1, 2, 4, 8, 16] }],
  [2, { channels: 3, depths: [8, 16] }],
  [3, { channels: 1, depths: [1, 2, 4, 8] }],
  [4, { channels: 2, depths: [8, 16] }],
  [6, { channels: 4, depths: [8, 16] }],
]);

/** Where the pixels of each Adam7 pass are (PNG §8.2): first column and row, distance between columns and rows. */
const ADAM7 = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const;
const ONE_PASS = [[0, 0, 1, 1]] as const;

interface Header {
  readonly width: number;
  readonly height: number;
  readonly depth: number;
  readonly colourType: number;
  readonly channels: number;
  readonly interlaced: boolean;
}

interface Chunks {
  readonly header: Header;
  readonly palette: Buffer;
  readonly transparency: Buffer | undefined;
  readonly data: Buffer;
}

const damaged = (detail: string, cause?: unknown): never =>
  unusableAppearance(`The picture of the stamp is a damaged PNG: ${detail}. Save it again and use that.`, cause);

function readHeader(data: Buffer): Header {
  if (data.length !== 13) return damaged('its header is not complete');
  const [width, height] = [data.readUInt32BE(0), data.readUInt32BE(4)];
  const [depth = 0, colourType = 0, compression = 0, filter = 0, interlace = 0] = data.subarray(8);
  const type = COLOUR_TYPES.get(colourType);
  if (type?.depths.includes(depth) !== true || compression !== 0 || filter !== 0 || interlace > 1) {
    return damaged('it has a kind of colour that PNG does not know');
  }
  if (width === 0 || height === 0) return damaged('it has no pixels');
  if (width * height > MAX_PIXELS) {
    unusableAppearance(`The picture of the stamp has more than ${MAX_PIXELS} pixels. Make it smaller.`);
  }
  return { width, height, depth, colourType, channels: type.channels, interlaced: interlace === 1 };
}

function readChunks(file: Buffer): Chunks {
  let header: Header | undefined;
  let palette: Buffer = Buffer.alloc(0);
  let transparency: Buffer | undefined;
  const data: Buffer[] = [];
  for (let position = 8; position + 12 <= file.length;) {
    const length = file.readUInt32BE(position);
    const end = position + 8 + length;
    if (end + 4 > file.length) return damaged('it is cut off');
    const type = file.toString('latin1', position + 4, position + 8);
    const content = file.subarray(position + 8, end);
    const isCritical = /^[A-Z]/.test(type);
    if (isCritical && crc32(file.subarray(position + 4, end)) !== file.readUInt32BE(end)) {
      return damaged('a checksum does not agree');
    }
    if (type === 'IHDR') header = readHeader(content);
    else if (type === 'PLTE') palette = content;
    else if (type === 'tRNS') transparency = content;
    else if (type === 'IDAT') data.push(content);
    else if (type === 'IEND') break;
    position = end + 4;
  }
  if (header === undefined || data.length === 0) return damaged('it holds no picture');
  if (header.colourType === 3 && palette.length === 0) return damaged('its palette is missing');
  return { header, palette, transparency, data: Buffer.concat(data) };
}

function inflate(data: Buffer, limit: number): Buffer {
  try {
    return inflateSync(data, { maxOutputLength: limit });
  } catch (error) {
    return damaged('its data cannot be decompressed', error);
  }
}

/** Gives each pixel's samples, at the file's depth, to `visit`, pass by pass. */
function eachPixel(chunks: Chunks, visit: (pixel: number, samples: readonly number[]) => void): void {
  const { width, height, depth, channels, interlaced } = chunks.header;
  const passes = interlaced ? ADAM7 : ONE_PASS;
  const perRow = Math.ceil((width * channels * depth) / 8) + 2;
  const data = inflate(chunks.data, perRow * (height + 8) * (interlaced ? 2 : 1) + 1024);
  const samples: number[] = [0, 0, 0, 0];
  let position = 0;
  for (const [left, top, across, down] of passes) {
    const columns = Math.ceil((width - left) / across);
    const rows = Math.ceil((height - top) / down);
    if (columns <= 0 || rows <= 0) continue;
    const rowLength = Math.ceil((columns * channels * depth) / 8);
    const end = position + rows * (rowLength + 1);
    if (end > data.length) damaged('rows are missing');
    const parameters = new Map([
      ['Predictor', 15],
      ['Colors', channels],
      ['BitsPerComponent', depth],
      ['Columns', columns],
    ]);
    const pass = undoPredictor(data.subarray(position, end), (key) => parameters.get(key));
    position = end;
    for (let row = 0; row < rows; row += 1) {
      for (let column = 0; column < columns; column += 1) {
        for (let channel = 0; channel < channels; channel += 1) {
          samples[channel] = sampleAt(pass, row * rowLength, column * channels + channel, depth);
        }
        visit((top + row * down) * width + left + column * across, samples);
      }
    }
  }
}

function sampleAt(data: Buffer, rowStart: number, index: number, depth: number): number {
  if (depth === 8) return data[rowStart + index] ?? 0;
  if (depth === 16) return data.readUInt16BE(rowStart + index * 2);
  const bit = index * depth;
  const byte = data[rowStart + (bit >> 3)] ?? 0;
  return (byte >> (8 - depth - (bit & 7))) & ((1 << depth) - 1);
}

/**
 * The alpha of a pixel without an alpha channel: `tRNS` names a transparent colour, or the alpha of each palette entry.
 */
function keyedAlpha({ header, transparency }: Chunks, samples: readonly number[]): number {
  if (transparency === undefined) return 255;
  if (header.colourType === 3) return transparency[samples[0] ?? 0] ?? 255;
  const channels = header.colourType === 2 ? 3 : 1;
  for (let channel = 0; channel < channels; channel += 1) {
    if (transparency.length < channel * 2 + 2) return 255;
    if (transparency.readUInt16BE(channel * 2) !== samples[channel]) return 255;
  }
  return 0;
}

/**
 * Decodes a PNG of any kind (ISO/IEC 15948): grey, colour, palette, with alpha, 1 to 16 bits, interlaced. Sixteen bits
 * become eight. Colours are taken as sRGB. Throws `PDF_APPEARANCE_INVALID`.
 */
export function readPng(file: Buffer): Raster {
  const chunks = readChunks(file);
  const { width, height, depth, colourType, channels } = chunks.header;
  const components = colourType === 0 || colourType === 4 ? 1 : 3;
  const samples = Buffer.alloc(width * height * components);
  const alpha = Buffer.alloc(width * height, 255);
  const highest = 2 ** depth - 1;
  const toByte = (sample: number): number =>
    depth === 8 ? sample : depth === 16 ? sample >> 8 : Math.round((sample * 255) / highest);
  eachPixel(chunks, (pixel, found) => {
    for (let index = 0; index < components; index += 1) {
      const sample = found[index] ?? 0;
      samples[pixel * components + index] =
        colourType === 3 ? (chunks.palette[(found[0] ?? 0) * 3 + index] ?? 0) : toByte(sample);
    }
    const hasAlpha = colourType === 4 || colourType === 6;
    alpha[pixel] = hasAlpha ? toByte(found[channels - 1] ?? 0) : keyedAlpha(chunks, found);
  });
  const isOpaque = alpha.every((opacity) => opacity === 255);
  return { width, height, components, samples, ...(isOpaque ? {} : { alpha }) };
}
