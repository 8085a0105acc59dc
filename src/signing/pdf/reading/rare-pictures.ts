/** Types of segments that only some programs decode right (ITU-T T.88 §7.3): parts for later use, refinements, own codes. */
const RARE_TYPES: ReadonlySet<number> = new Set([20, 36, 40, 42, 43, 53]);

/** Halftones (§7.4.5). Rare are those whose flags skip a part of the grid, or mix patterns in another way than by OR. */
const HALFTONES: ReadonlySet<number> = new Set([22, 23]);
const RARE_HALFTONE = 0x78;

/** How a halftone is put on the page (§7.4.1.5): over or in place of the page as scanners do, or in rarer ways. */
const USUAL_WAYS: ReadonlySet<number> = new Set([0, 4]);

/** A dictionary of symbols, and regions of text that use it. */
const SYMBOLS = 0;
const TEXT_REGIONS: ReadonlySet<number> = new Set([4, 6, 7]);

/** Flags of a dictionary (§7.4.2.1.1): Huffman codes, refinements, and contexts that are used or kept. */
const RARE_SYMBOLS = 0x0303;

/** Flags of a text region (§7.4.3.1.1), behind the information on regions: Huffman codes, refinements. */
const RARE_TEXT = 0x0003;
const REGION_INFORMATION = 17;

/** Segments that a segment refers to by the short form of its header (§7.2.4): some programs draw nothing of others. */
const MOST_REFERRED = 4;

/** The length of a region that ends by itself (§7.2.7). */
const UNKNOWN_LENGTH = 0xffffffff;

/**
 * True for a picture in JBIG2 that uses parts of the standard which scanners do not, or that is not JBIG2 at all. The
 * decoders of common programs differ in these parts.
 */
export function isRareJbig2(data: Buffer): boolean {
  try {
    return hasRareSegment(data);
  } catch (error) {
    // A segment that ends before its header does.
    if (error instanceof RangeError) return true;
    throw error;
  }
}

function hasRareSegment(data: Buffer): boolean {
  for (let at = 0; at < data.length;) {
    const number = data.readUInt32BE(at);
    const flags = data.readUInt8(at + 4);
    const type = flags & 0x3f;
    at += 5;
    const short = data.readUInt8(at) >> 5;
    const referred = short === 7 ? data.readUInt32BE(at) & 0x1fffffff : short;
    at += short === 7 ? 4 + Math.ceil((referred + 1) / 8) : 1;
    at += referred * (number <= 256 ? 1 : number <= 65_536 ? 2 : 4);
    at += (flags & 0x40) === 0 ? 1 : 4;
    const length = data.readUInt32BE(at);
    at += 4;
    if (RARE_TYPES.has(type) || short > MOST_REFERRED) return true;
    if (type === SYMBOLS && (data.readUInt16BE(at) & RARE_SYMBOLS) !== 0) return true;
    if (TEXT_REGIONS.has(type) && (data.readUInt16BE(at + REGION_INFORMATION) & RARE_TEXT) !== 0) return true;
    if (HALFTONES.has(type)) {
      const way = data.readUInt8(at + REGION_INFORMATION - 1) & 7;
      if (!USUAL_WAYS.has(way) || (data.readUInt8(at + REGION_INFORMATION) & RARE_HALFTONE) !== 0) return true;
    }
    // Nothing but the end of the page may follow such a region.
    if (length === UNKNOWN_LENGTH) return false;
    at += length;
  }
  return false;
}
