import { describe, expect, it } from 'vitest';
import { isGif, readGif } from '../../../src/signing/pdf/appearance/read-gif.ts';
import { gifColour, makeGif, type GifShape } from './pictures.ts';

const noise = (depth: number) => (x: number, y: number) => (x * x * 31 + y * 57 + x * y) % 2 ** depth;

describe('readGif', () => {
  const shapes: readonly (readonly [string, GifShape])[] = [
    ['two colours', { width: 11, height: 9, depth: 1, pixel: noise(1) }],
    ['four colours, interlaced', { width: 7, height: 13, depth: 2, pixel: noise(2), interlaced: true }],
    ['a local palette', { width: 5, height: 4, depth: 4, pixel: noise(4), localTable: true }],
    ['long runs', { width: 200, height: 150, depth: 3, pixel: (x) => (x > 100 ? 1 : 2) }],
    ['a full code table', { width: 160, height: 160, depth: 8, pixel: noise(8), interlaced: true }],
    ['one pixel', { width: 1, height: 1, depth: 1, pixel: () => 1 }],
  ];

  it.each(shapes)('reads %s', (_what, shape) => {
    const file = makeGif(shape);
    expect(isGif(file)).toBe(true);
    const { samples, ...raster } = readGif(file);
    expect(raster).toEqual({ width: shape.width, height: shape.height, components: 3 });
    const expected: number[] = [];
    for (let y = 0; y < shape.height; y += 1) {
      for (let x = 0; x < shape.width; x += 1) expected.push(...gifColour(shape.pixel(x, y)));
    }
    expect(samples.equals(Buffer.from(expected))).toBe(true);
  });

  it('shows nothing where the colour is transparent, and where the picture leaves the screen free', () => {
    const screen = { width: 4, height: 3, left: 2, top: 1 };
    const { alpha } = readGif(makeGif({ width: 2, height: 2, depth: 1, pixel: (x) => x, transparent: 0, screen }));
    expect([...(alpha ?? [])]).toEqual([0, 0, 0, 0, 0, 0, 0, 255, 0, 0, 0, 255]);
  });

  const good = makeGif({ width: 20, height: 20, depth: 2, pixel: noise(2) });
  it.each([
    ['cut off', good.subarray(0, good.length - 12), 'cut off'],
    ['without a picture', Buffer.concat([good.subarray(0, 25), Buffer.of(0x3b)]), 'it holds no picture'],
    ['of another structure', Buffer.concat([good.subarray(0, 25), Buffer.of(0x99, 0)]), 'unknown kind'],
    ['a head alone', good.subarray(0, 10), 'cut off'],
    ['more pixels than is sensible', makeGif({ width: 1, height: 1, depth: 1, pixel: () => 0, screen: { width: 65_535, height: 65_535, left: 0, top: 0 } }), 'Make it smaller'], // prettier-ignore
  ])('refuses a file that is %s', (_what, file, words) => {
    const says = expect.stringContaining(words) as string;
    expect(() => readGif(file)).toThrow(expect.objectContaining({ code: 'PDF_APPEARANCE_INVALID', message: says }));
  });

  it('ends for every cut and every changed byte', () => {
    for (let at = 6; at < good.length; at += 1) {
      for (const value of [0, 0x2c, 0xff]) {
        const damaged = Buffer.from(good);
        damaged[at] = value;
        for (const file of [damaged, good.subarray(0, at)]) {
          try {
            expect(readGif(file).samples.length).toBeGreaterThan(0);
          } catch (error) {
            expect(error).toMatchObject({ code: 'PDF_APPEARANCE_INVALID' });
          }
        }
      }
    }
  });
});
