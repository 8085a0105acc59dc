/** PNG files made by code, of every kind of colour, and the ink shown by poppler on a page. */
import { crc32, deflateSync } from 'node:zlib';
import { runToolForBytes } from '../../oracles/run-program.ts';

export interface PngShape {
  readonly width: number;
  readonly height: number;
  readonly depth: 1 | 2 | 4 | 8 | 16;
  /** 0 grey, 2 colour, 3 palette, 4 grey with alpha, 6 colour with alpha. */
  readonly colourType: 0 | 2 | 3 | 4 | 6;
  /** Samples of a pixel, at the file's depth. */
  readonly pixel: (x: number, y: number) => readonly number[];
  readonly chunks?: readonly (readonly [type: string, content: Buffer])[];
  readonly interlaced?: boolean;
}

const ADAM7 = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const;

function chunk(type: string, content: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), content]);
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(content.length);
  checksum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, checksum]);
}

/** A row, with the filter "none" in front. */
function packRow(samples: readonly number[], depth: number): Buffer {
  const bits = samples.map((sample) => sample.toString(2).padStart(depth, '0')).join('');
  const padded = bits.padEnd(Math.ceil(bits.length / 8) * 8, '0');
  return Buffer.from([0, ...(padded.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2))]);
}

export function makePng(shape: PngShape): Buffer {
  const { width, height, depth, colourType, pixel, chunks = [], interlaced = false } = shape;
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([depth, colourType, 0, 0, interlaced ? 1 : 0], 8);
  const rows: Buffer[] = [];
  for (const [left, top, across, down] of interlaced ? ADAM7 : ([[0, 0, 1, 1]] as const)) {
    if (left >= width) continue;
    for (let y = top; y < height; y += down) {
      const samples: number[] = [];
      for (let x = left; x < width; x += across) samples.push(...pixel(x, y));
      rows.push(packRow(samples, depth));
    }
  }
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    ...chunks.map(([type, content]) => chunk(type, content)),
    chunk('IDAT', deflateSync(Buffer.concat(rows))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** A page shown by poppler, one byte for each of red, green and blue; a pixel is a point. */
export interface ShownPage {
  readonly width: number;
  readonly height: number;
  /** Colour at a place, in points from the bottom left corner. */
  at(x: number, y: number): readonly [number, number, number];
  /** The smallest rectangle around everything dark: left, bottom, right, top in points; undefined for a blank page. */
  ink(): readonly [number, number, number, number] | undefined;
}

export async function showPage(path: string, page = 1): Promise<ShownPage> {
  const parameters = ['-r', '72', '-cropbox', '-f', String(page), '-l', String(page), path];
  const stdout = await runToolForBytes('pdftoppm', parameters);
  const [head = '', columns = '', rows = ''] =
    /^P6\s+(\d+)\s+(\d+)\s+255\s/.exec(stdout.toString('latin1', 0, 64)) ?? [];
  const [width, height, data] = [Number(columns), Number(rows), stdout.subarray(head.length)];
  const colourAt = (x: number, row: number): [number, number, number] => {
    const offset = (row * width + x) * 3;
    return [data[offset]!, data[offset + 1]!, data[offset + 2]!];
  };
  return {
    width,
    height,
    at: (x, y) => colourAt(Math.floor(x), height - 1 - Math.floor(y)),
    ink: () => {
      let box: [number, number, number, number] | undefined;
      for (let row = 0; row < height; row += 1) {
        for (let x = 0; x < width; x += 1) {
          if (Math.min(...colourAt(x, row)) > 200) continue;
          const y = height - row;
          box ??= [x, y - 1, x + 1, y];
          box = [Math.min(box[0], x), Math.min(box[1], y - 1), Math.max(box[2], x + 1), Math.max(box[3], y)];
        }
      }
      return box;
    },
  };
}

/** A GIF to be made: a picture of palette indexes. */
export interface GifShape {
  readonly width: number;
  readonly height: number;
  /** Bits of the palette's size, 1 to 8. */
  readonly depth: number;
  readonly pixel: (x: number, y: number) => number;
  readonly interlaced?: boolean;
  readonly transparent?: number;
  /** The palette stands before the picture instead of the file's head. */
  readonly localTable?: boolean;
  /** Width and height of the screen, and where the picture is on it. */
  readonly screen?: { readonly width: number; readonly height: number; readonly left: number; readonly top: number };
}

/** The colour of a palette index in `makeGif`. */
export const gifColour = (index: number): readonly number[] => [index, 255 - index, (index * 7) % 256];

/** Writes a GIF89a with data compressed by codes of growing length. */
export function makeGif(shape: GifShape): Buffer {
  const { width, height, depth, pixel, interlaced = false, transparent, localTable = false } = shape;
  const screen = shape.screen ?? { width, height, left: 0, top: 0 };
  const table = Buffer.from(Array.from({ length: 2 ** depth }, (_, index) => gifColour(index)).flat());
  const flags = 0x80 | (depth - 1);
  const head = Buffer.alloc(7);
  head.writeUInt16LE(screen.width, 0);
  head.writeUInt16LE(screen.height, 2);
  head[4] = localTable ? 0 : flags;
  const control = transparent === undefined ? [] : [Buffer.of(0x21, 0xf9, 4, 1, 0, 0, transparent, 0)];
  const comment = Buffer.from('\x21\xfe\x04test\x00', 'latin1');
  const place = Buffer.alloc(10);
  place[0] = 0x2c;
  for (const [index, value] of [screen.left, screen.top, width, height].entries()) {
    place.writeUInt16LE(value, 1 + 2 * index);
  }
  place[9] = (localTable ? flags : 0) | (interlaced ? 0x40 : 0);
  const rows = Array.from({ length: height }, (_, row) => row);
  const order = interlaced
    ? [...rows.filter((y) => y % 8 === 0), ...rows.filter((y) => y % 8 === 4)].concat(
        rows.filter((y) => y % 4 === 2),
        rows.filter((y) => y % 2 === 1),
      )
    : rows;
  const indexes = order.flatMap((y) => Array.from({ length: width }, (_, x) => pixel(x, y)));
  const codeSize = Math.max(2, depth);
  return Buffer.concat([
    Buffer.from('GIF89a', 'latin1'),
    head,
    ...(localTable ? [] : [table]),
    ...control,
    comment,
    place,
    ...(localTable ? [table] : []),
    Buffer.of(codeSize),
    inBlocks(compressed(indexes, codeSize)),
    Buffer.of(0x3b),
  ]);
}

function compressed(indexes: readonly number[], codeSize: number): Buffer {
  const [clear, end] = [2 ** codeSize, 2 ** codeSize + 1];
  const bytes: number[] = [];
  let [bits, size] = [0, 0];
  const put = (code: number, width: number): void => {
    bits |= code << size;
    for (size += width; size >= 8; size -= 8, bits >>>= 8) bytes.push(bits & 0xff);
  };
  let [codes, next, width] = [new Map<string, number>(), end + 1, codeSize + 1];
  put(clear, width);
  let run = '';
  const codeOf = (text: string): number => codes.get(text) ?? Number(text);
  for (const index of indexes) {
    const longer = run === '' ? String(index) : `${run},${index}`;
    if (run === '' || codes.has(longer)) {
      run = longer;
      continue;
    }
    put(codeOf(run), width);
    if (next === 4096) {
      put(clear, width);
      [codes, next, width] = [new Map<string, number>(), end + 1, codeSize + 1];
    } else {
      codes.set(longer, next);
      if (next === 2 ** width) width += 1;
      next += 1;
    }
    run = String(index);
  }
  put(codeOf(run), width);
  put(end, width);
  put(0, 7);
  return Buffer.from(bytes);
}

function inBlocks(data: Buffer): Buffer {
  const parts: Buffer[] = [];
  for (let at = 0; at < data.length; at += 255) {
    const part = data.subarray(at, at + 255);
    parts.push(Buffer.of(part.length), part);
  }
  return Buffer.concat([...parts, Buffer.of(0)]);
}
