import { unusableAppearance } from './page-geometry.ts';
import { MAX_PIXELS, type Raster } from './read-png.ts';

const damaged = (detail: string): never =>
  unusableAppearance(`The picture of the stamp is a damaged GIF: ${detail}. Save it again and use that.`);

export const isGif = (file: Buffer): boolean => /^GIF8[79]a$/.test(file.toString('latin1', 0, 6));

/** A table of colours, three bytes each (GIF89a §19). */
const tableLength = (flags: number): number => 3 * 2 ** ((flags & 7) + 1);
const HAS_TABLE = 0x80;
const INTERLACED = 0x40;

const EXTENSION = 0x21;
const GRAPHIC_CONTROL = 0xf9;
const IMAGE = 0x2c;
const TRAILER = 0x3b;

/** Longest code of the compression in bits (GIF89a appendix F). */
const LONGEST_CODE = 12;

interface Frame {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
  readonly interlaced: boolean;
  readonly colours: Buffer;
  /** The index of the transparent colour; undefined for an opaque picture. */
  readonly transparent: number | undefined;
  readonly codeSize: number;
  readonly data: Buffer;
}

/** The data of sub-blocks from `position` (GIF89a §15), and the position after the data. */
function readBlocks(file: Buffer, position: number): { readonly data: Buffer; readonly end: number } {
  const parts: Buffer[] = [];
  let at = position;
  for (let length = file[at]; length !== 0; length = file[at]) {
    if (length === undefined || at + 1 + length > file.length) return damaged('it is cut off');
    parts.push(file.subarray(at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { data: Buffer.concat(parts), end: at + 1 };
}

/** The first picture of the file; later pictures of an animation are not shown. */
function readFirstFrame(file: Buffer): Frame {
  const flags = file[10] ?? 0;
  const hasGlobalTable = (flags & HAS_TABLE) !== 0;
  const globalTable = hasGlobalTable ? file.subarray(13, 13 + tableLength(flags)) : Buffer.alloc(0);
  let transparent: number | undefined;
  for (let at = 13 + globalTable.length; at < file.length;) {
    const kind = file[at];
    if (kind === EXTENSION) {
      const { data, end } = readBlocks(file, at + 2);
      if (file[at + 1] === GRAPHIC_CONTROL) transparent = ((data[0] ?? 0) & 1) === 1 ? data[3] : undefined;
      at = end;
    } else if (kind === IMAGE && at + 11 <= file.length) {
      return readFrame(file, at, globalTable, transparent);
    } else if (kind === TRAILER) {
      return damaged('it holds no picture');
    } else {
      return damaged('it has a block of an unknown kind');
    }
  }
  return damaged('it is cut off');
}

function readFrame(file: Buffer, at: number, globalTable: Buffer, transparent: number | undefined): Frame {
  const flags = file[at + 9] ?? 0;
  const tableEnd = at + 10 + ((flags & HAS_TABLE) === 0 ? 0 : tableLength(flags));
  const colours = (flags & HAS_TABLE) === 0 ? globalTable : file.subarray(at + 10, tableEnd);
  const codeSize = file[tableEnd] ?? 0;
  if (colours.length === 0) return damaged('its colours are missing');
  if (codeSize < 2 || codeSize > 8) return damaged('its data cannot be decompressed');
  const { data } = readBlocks(file, tableEnd + 1);
  return {
    left: file.readUInt16LE(at + 1),
    top: file.readUInt16LE(at + 3),
    width: file.readUInt16LE(at + 5),
    height: file.readUInt16LE(at + 7),
    interlaced: (flags & INTERLACED) !== 0,
    colours,
    transparent,
    codeSize,
    data,
  };
}

/** Decompresses colour indexes (GIF89a appendix F): codes of growing length, least significant bit first. */
function decompress({ data, codeSize }: Frame, length: number): Buffer {
  const pixels = Buffer.alloc(length);
  const clear = 2 ** codeSize;
  const prefixes = new Uint16Array(2 ** LONGEST_CODE);
  const suffixes = new Uint8Array(2 ** LONGEST_CODE);
  const lengths = new Uint16Array(2 ** LONGEST_CODE);
  for (let code = 0; code < clear; code += 1) {
    suffixes[code] = code;
    lengths[code] = 1;
  }
  let [bits, size, next, width, filled] = [0, 0, clear + 2, codeSize + 1, 0];
  let previous: number | undefined;
  for (const byte of data) {
    bits |= byte << size;
    size += 8;
    while (size >= width) {
      const code = bits & (2 ** width - 1);
      bits >>>= width;
      size -= width;
      if (code === clear) {
        [next, width, previous] = [clear + 2, codeSize + 1, undefined];
        continue;
      }
      if (code === clear + 1 || filled === length) return pixels.subarray(0, filled);
      if (code > next || (code === next && previous === undefined) || (code >= clear && code < clear + 2)) {
        return damaged('its data cannot be decompressed');
      }
      if (previous !== undefined && next < 2 ** LONGEST_CODE) {
        prefixes[next] = previous;
        lengths[next] = (lengths[previous] ?? 0) + 1;
        suffixes[next] = firstOf(code === next ? previous : code, prefixes, suffixes, clear);
        next += 1;
        if (next === 2 ** width && width < LONGEST_CODE) width += 1;
      }
      filled = writeString(pixels, filled, code, { prefixes, suffixes, lengths });
      previous = code;
    }
  }
  return pixels.subarray(0, filled);
}

function firstOf(code: number, prefixes: Uint16Array, suffixes: Uint8Array, clear: number): number {
  let at = code;
  while (at >= clear) at = prefixes[at] ?? 0;
  return suffixes[at] ?? 0;
}

interface CodeTable {
  readonly prefixes: Uint16Array;
  readonly suffixes: Uint8Array;
  readonly lengths: Uint16Array;
}

/** Writes the string of a code, last pixel first; pixels after the picture's end are dropped. */
function writeString(pixels: Buffer, filled: number, code: number, table: CodeTable): number {
  const length = table.lengths[code] ?? 0;
  let at = code;
  for (let position = filled + length - 1; position >= filled; position -= 1) {
    if (position < pixels.length) pixels[position] = table.suffixes[at] ?? 0;
    at = table.prefixes[at] ?? 0;
  }
  return Math.min(pixels.length, filled + length);
}

/** The rows of an interlaced picture in the order of the file (GIF89a appendix E). */
function rowOrder(height: number, interlaced: boolean): readonly number[] {
  const passes = interlaced ? [[0, 8], [4, 8], [2, 4], [1, 2]] : [[0, 1]]; // prettier-ignore
  return passes.flatMap(([first = 0, step = 1]) =>
    Array.from({ length: Math.max(0, Math.ceil((height - first) / step)) }, (_, index) => first + index * step),
  );
}

/**
 * Decodes the first picture of a GIF (87a and 89a), with its transparent colour. Parts of the screen that the picture
 * leaves out are transparent. Throws `PDF_APPEARANCE_INVALID`.
 */
export function readGif(file: Buffer): Raster {
  if (file.length < 13) return damaged('it is cut off');
  const [width, height] = [file.readUInt16LE(6), file.readUInt16LE(8)];
  if (width === 0 || height === 0) return damaged('it has no pixels');
  const frame = readFirstFrame(file);
  if (Math.max(width * height, frame.width * frame.height) > MAX_PIXELS) {
    unusableAppearance(`The picture of the stamp has more than ${MAX_PIXELS} pixels. Make it smaller.`);
  }
  const indexes = decompress(frame, frame.width * frame.height);
  if (indexes.length < frame.width * frame.height) return damaged('rows are missing');
  const samples = Buffer.alloc(width * height * 3);
  const alpha = Buffer.alloc(width * height);
  for (const [fileRow, row] of rowOrder(frame.height, frame.interlaced).entries()) {
    const y = frame.top + row;
    if (y >= height) continue;
    for (let column = 0; column < frame.width && frame.left + column < width; column += 1) {
      const index = indexes[fileRow * frame.width + column] ?? 0;
      const pixel = y * width + frame.left + column;
      frame.colours.copy(samples, pixel * 3, index * 3, index * 3 + 3);
      alpha[pixel] = index === frame.transparent ? 0 : 255;
    }
  }
  const isOpaque = alpha.every((opacity) => opacity === 255);
  return { width, height, components: 3, samples, ...(isOpaque ? {} : { alpha }) };
}
