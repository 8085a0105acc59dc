/** Masks of reasons, and names relative to an issuer, of distribution points (RFC 5280 §4.2.1.13, §5.2.5). */
import { GeneralNameKind, type GeneralName } from '../certificates/path/distinguished-name.ts';
import { Tag, readDer, type DerElement } from '../der/reader.ts';
import { derSequence } from '../der/writer.ts';

/** All reasons of ReasonFlags: the bits 1 to 8 (RFC 5280 §4.2.1.13). */
export const ALL_REASONS = 0b1_1111_1110;

/** The content of a BIT STRING of reasons as a mask; bit 0 has no meaning. */
export function reasonMask(content: Buffer): number {
  let mask = 0;
  for (let bit = 0; bit <= 8; bit++) {
    const byte = content[1 + (bit >> 3)] ?? 0;
    if ((byte & (0x80 >> (bit & 7))) !== 0) mask |= 1 << bit;
  }
  return mask & ALL_REASONS;
}

/** The issuer's Name, extended by a relative name (RFC 5280 §4.2.1.13). */
export function relativeTo(issuer: Buffer, relativeName: DerElement): GeneralName {
  const above = readDer(issuer)
    .expect(Tag.sequence, 'the issuer')
    .children.map(({ bytes }) => bytes);
  const set = Buffer.from(relativeName.bytes);
  set[0] = Tag.set;
  return { kind: GeneralNameKind.directory, value: derSequence(...above, set) };
}
