/** A still picture, and its milliseconds on the screen. */
export interface Frame {
  /** A WebP file of a single picture. */
  readonly picture: Uint8Array;
  readonly milliseconds: number;
}

/** The chunks of a still picture carried by a frame: its alpha channel and its image data. */
const imageChunks: ReadonlySet<string> = new Set(['ALPH', 'VP8 ', 'VP8L']);

/**
 * Joins WebP pictures of the same size into a single animated WebP file, repeating without end. The pictures are not
 * encoded again: each becomes a frame unchanged (RFC 9649 §2.7.1).
 */
export function animateWebp(
  frames: readonly Frame[],
  { width, height }: { readonly width: number; readonly height: number },
): Buffer {
  const canvas = Buffer.alloc(10);
  // The flag of an animation.
  canvas.writeUInt8(0x02, 0);
  canvas.writeUIntLE(width - 1, 4, 3);
  canvas.writeUIntLE(height - 1, 7, 3);
  // A white background, and no end of the repetition.
  const animation = Buffer.from([0xff, 0xff, 0xff, 0xff, 0, 0]);
  const drawn = frames.map(({ picture, milliseconds }) => {
    const head = Buffer.alloc(16);
    head.writeUIntLE(width - 1, 6, 3);
    head.writeUIntLE(height - 1, 9, 3);
    head.writeUIntLE(milliseconds, 12, 3);
    // Each frame replaces the whole canvas, without blending.
    head.writeUInt8(0x02, 15);
    return chunk('ANMF', Buffer.concat([head, ...imageDataOf(picture)]));
  });
  const content = Buffer.concat([
    Buffer.from('WEBP', 'latin1'),
    chunk('VP8X', canvas),
    chunk('ANIM', animation),
    ...drawn,
  ]);
  return chunk('RIFF', content);
}

/** Name, length and content, padded to an even length. */
function chunk(name: string, content: Uint8Array): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32LE(content.length);
  return Buffer.concat([Buffer.from(name, 'latin1'), length, content, Buffer.alloc(content.length % 2)]);
}

/** The chunks of a still picture with its image. Throws for a file without any. */
function imageDataOf(picture: Uint8Array): readonly Buffer[] {
  const file = Buffer.from(picture.buffer, picture.byteOffset, picture.byteLength);
  const found: Buffer[] = [];
  for (let at = 12; at + 8 <= file.length;) {
    const length = file.readUInt32LE(at + 4);
    const end = at + 8 + length + (length % 2);
    if (imageChunks.has(file.toString('latin1', at, at + 4))) found.push(file.subarray(at, end));
    at = end;
  }
  if (found.length === 0) throw new Error('This is no still WebP picture.');
  return found;
}
