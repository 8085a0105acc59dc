import { findWrittenBytes, textOfBytes } from '../../values/written-bytes.ts';
import { Tag } from './reader.ts';

/** Base64 of base64, or of PEM, is read; a third layer of text has no honest source. */
const MOST_LAYERS = 3;

/**
 * The DER or BER inside PEM, base64 or a data URL, also behind a byte order mark and with a second layer of text. Other
 * input is unchanged.
 */
export function unwrapText(input: Buffer): Buffer {
  let bytes = input;
  for (let layer = 0; layer < MOST_LAYERS && bytes[0] !== Tag.sequence; layer += 1) {
    const written = findWrittenBytes(textOfBytes(bytes));
    if (written === undefined) return input;
    bytes = Buffer.from(written.base64, 'base64');
    // The label of PEM says that bytes were meant, whether or not they are whole.
    if (written.form === 'pem' && layer === 0) return bytes;
  }
  return bytes[0] === Tag.sequence ? bytes : input;
}
