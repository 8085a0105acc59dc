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

/** Most pixels of a picture: a stamp of 30 cm at 400 dots an inch. */
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
