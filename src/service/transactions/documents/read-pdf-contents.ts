import { open } from 'node:fs/promises';

/**
 * The DER of a PDF signature: the hexadecimal string between the two byte ranges, padded with zeros (ISO 32000-2
 * §12.8.1). The outer SEQUENCE's length removes the padding.
 */
export async function readPdfContents(
  path: string,
  [, firstLength, secondStart]: readonly [number, number, number, number],
): Promise<Buffer> {
  const gap = Buffer.alloc(secondStart - firstLength);
  const file = await open(path, 'r');
  try {
    await file.read(gap, 0, gap.length, firstLength);
  } finally {
    await file.close();
  }
  const octets = Buffer.from(gap.toString('latin1').replace(/[<>\s]/g, ''), 'hex');
  return octets.subarray(0, derLength(octets));
}

/** Octets of the first DER element (X.690 §8.1.3), header included. */
function derLength(octets: Buffer): number {
  const first = octets[1] ?? 0;
  if (first < 0x80) return 2 + first;
  const lengthOctets = first & 0x7f;
  return 2 + lengthOctets + (lengthOctets === 0 ? 0 : octets.readUIntBE(2, lengthOctets));
}
