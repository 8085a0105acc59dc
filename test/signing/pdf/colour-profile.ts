/** ICC profiles made by code. */

const fixed = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(Math.round(value * 65_536));
  return bytes;
};
const xyz = (...values: readonly number[]): Buffer =>
  Buffer.concat([Buffer.from('XYZ \0\0\0\0'), ...values.map(fixed)]);

/** A text of an ICC profile of version 2, as a description and as plain text. */
function profileTexts(text: string): readonly [description: Buffer, plain: Buffer] {
  const ascii = Buffer.from(`${text}\0`);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(ascii.length);
  return [
    Buffer.concat([Buffer.from('desc\0\0\0\0'), length, ascii, Buffer.alloc(78)]),
    Buffer.concat([Buffer.from('text\0\0\0\0'), ascii]),
  ];
}

const SRGB = {
  rXYZ: [0.4361, 0.2225, 0.0139],
  gXYZ: [0.3851, 0.7169, 0.0971],
  bXYZ: [0.1431, 0.0606, 0.7141],
} as const;

/** A curve with this gamma, or with these values between 0 and 65535. */
export function colourCurve(values: number | readonly number[]): Buffer {
  const entries = typeof values === 'number' ? [Math.round(values * 256)] : values;
  const curve = Buffer.alloc(12 + 2 * entries.length);
  curve.write('curv', 'latin1');
  curve.writeUInt32BE(entries.length, 8);
  for (const [index, value] of entries.entries()) curve.writeUInt16BE(value, 12 + 2 * index);
  return curve;
}

/**
 * A profile of a display with the primaries of sRGB and a gamma of 2.2 (ICC.1:2001-04), for output intents.
 *
 * @param changes tags that replace or add to those of the profile
 */
export function colourProfile(changes: Readonly<Record<string, Buffer>> = {}): Buffer {
  const [description, copyright] = profileTexts('A display');
  const tags = Object.entries({
    desc: description,
    cprt: copyright,
    wtpt: xyz(0.9642, 1, 0.8249),
    rXYZ: xyz(...SRGB.rXYZ),
    gXYZ: xyz(...SRGB.gXYZ),
    bXYZ: xyz(...SRGB.bXYZ),
    rTRC: colourCurve(2.2),
    gTRC: colourCurve(2.2),
    bTRC: colourCurve(2.2),
    ...changes,
  });
  const table = Buffer.alloc(4 + 12 * tags.length);
  table.writeUInt32BE(tags.length);
  const bodies: Buffer[] = [];
  let offset = 128 + table.length;
  for (const [index, [tag, data]] of tags.entries()) {
    table.write(tag, 4 + 12 * index, 'latin1');
    table.writeUInt32BE(offset, 8 + 12 * index);
    table.writeUInt32BE(data.length, 12 + 12 * index);
    const padded = Buffer.concat([data, Buffer.alloc((4 - (data.length % 4)) % 4)]);
    bodies.push(padded);
    offset += padded.length;
  }
  const header = Buffer.alloc(128);
  header.writeUInt32BE(offset);
  header.writeUInt32BE(0x02100000, 8);
  header.write('mntrRGB XYZ ', 12, 'latin1');
  for (const [index, part] of [2026, 1, 1].entries()) header.writeUInt16BE(part, 24 + 2 * index);
  header.write('acsp', 36, 'latin1');
  xyz(0.9642, 1, 0.8249).subarray(8).copy(header, 68);
  return Buffer.concat([header, table, ...bodies]);
}
