import { unusableAppearance } from './appearance-error.ts';

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
