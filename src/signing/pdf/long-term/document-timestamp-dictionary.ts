import type { SignatureDictionary } from '../signature/signature-dictionary.ts';
import { BYTE_RANGE_LENGTH } from '../signature/signature-dictionary.ts';

/**
 * The dictionary of a document time stamp with room for the token (ISO 32000-2 §12.8.5, EN 319 142-1 §5.4.3), without
 * other entries: the token has time and authority.
 *
 * @param capacity most bytes of the token
 */
export function buildTimestampDictionary(capacity: number): SignatureDictionary {
  const head = '<</Type /DocTimeStamp\n/Filter /Adobe.PPKLite\n/SubFilter /ETSI.RFC3161\n/V 0\n/ByteRange ';
  const middle = `${' '.repeat(BYTE_RANGE_LENGTH)}\n/Contents `;
  const contents = `<${'0'.repeat(2 * capacity)}>`;
  const contentsStart = head.length + middle.length;
  return {
    body: Buffer.from(`${head}${middle}${contents}>>`, 'latin1'),
    byteRange: head.length,
    contentsStart,
    contentsEnd: contentsStart + contents.length,
  };
}
