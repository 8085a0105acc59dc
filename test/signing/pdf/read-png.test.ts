import { describe, expect, it } from 'vitest';
import { readPng, flattenOntoWhite } from '../../../src/signing/pdf/appearance/read-png.ts';
import { makePng } from './pictures.ts';
import type { PngShape } from './pictures.ts';

const CHANNELS = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 } as const;
const KINDS: readonly [PngShape['colourType'], PngShape['depth']][] = [
  [0, 1],
  [0, 2],
  [0, 4],
  [0, 8],
  [0, 16],
  [2, 8],
  [2, 16],
  [4, 8],
  [4, 16],
  [6, 8],
  [6, 16],
];
const SIZE = { width: 11, height: 9 };

/** Some value for each sample, at the depth's full range. */
const sampleOf = (x: number, y: number, channel: number, depth: number): number =>
  (x * 31 + y * 57 + channel * 91) % 2 ** depth;

describe('readPng', () => {
  const rows = KINDS.flatMap(([type, depth]) => [false, true].map((interlaced) => [type, depth, interlaced] as const));

  it.each(rows)('reads colour type %i with %i bits, interlaced: %s', (colourType, depth, interlaced) => {
    const channels = CHANNELS[colourType];
    const pixel = (x: number, y: number): number[] =>
      Array.from({ length: channels }, (_, channel) => sampleOf(x, y, channel, depth));
    const raster = readPng(makePng({ ...SIZE, depth, colourType, pixel, interlaced }));
    expect(raster).toMatchObject({ ...SIZE, components: colourType === 0 || colourType === 4 ? 1 : 3 });
    for (let y = 0; y < SIZE.height; y += 1) {
      for (let x = 0; x < SIZE.width; x += 1) {
        const index = y * SIZE.width + x;
        const expected = pixel(x, y).map((sample) =>
          depth === 16 ? sample >> 8 : Math.round((sample * 255) / (2 ** depth - 1)),
        );
        const found = [...raster.samples.subarray(index * raster.components, (index + 1) * raster.components)];
        if (channels % 2 === 0) found.push(raster.alpha?.[index] ?? -1);
        expect(found).toEqual(expected);
      }
    }
  });

  it.each([1, 2, 4, 8] as const)('reads a palette of %i bits with an alpha for its first entry', (depth) => {
    const palette = Buffer.from(Array.from({ length: 3 * Math.min(256, 2 ** depth) }, (_, index) => index % 251));
    const chunks = [
      ['PLTE', palette],
      ['tRNS', Buffer.from([7])],
    ] as const;
    const pixel = (x: number): number[] => [x % 2];
    const raster = readPng(makePng({ ...SIZE, depth, colourType: 3, pixel, chunks }));
    expect([...raster.samples.subarray(0, 6)]).toEqual([0, 1, 2, 3, 4, 5]);
    expect([...(raster.alpha?.subarray(0, 2) ?? [])]).toEqual([7, 255]);
  });

  it('makes the colour named by tRNS transparent', () => {
    const chunks = [['tRNS', Buffer.from([0, 1])]] as const;
    const raster = readPng(makePng({ ...SIZE, depth: 8, colourType: 0, pixel: (x) => [x % 3], chunks }));
    expect([...(raster.alpha?.subarray(0, 3) ?? [])]).toEqual([255, 0, 255]);
  });

  it('puts a picture onto white paper', () => {
    const pixel = (x: number): number[] => [100, [255, 0, 128][x % 3] ?? 0];
    const flat = flattenOntoWhite(readPng(makePng({ ...SIZE, depth: 8, colourType: 4, pixel })));
    expect(flat.alpha).toBeUndefined();
    expect([...flat.samples.subarray(0, 3)]).toEqual([100, 255, 177]);
  });

  it('refuses a claim of more pixels than any stamp shows, before reading the pixels', () => {
    const file = makePng({ width: 1, height: 1, depth: 8, colourType: 0, pixel: () => [0] });
    const header = Buffer.from(file);
    header.writeUInt32BE(2 ** 31 - 1, 16);
    expect(() => readPng(header)).toThrow(/damaged PNG|more than/);
  });
});
