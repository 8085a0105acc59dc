/** Reads the text of a file with a secret, in the encodings of editors and shells of every system. */

const LINE_END = /\r?\n$/;
const windows1252 = new TextDecoder('windows-1252');

/** UTF-16 by its mark, or by a zero in each character of ASCII: PowerShell and Notepad write this. */
function encodingOf(content: Buffer): 'utf-8' | 'utf-16le' | 'utf-16be' {
  if (content[0] === 0xff && content[1] === 0xfe) return 'utf-16le';
  if (content[0] === 0xfe && content[1] === 0xff) return 'utf-16be';
  if (content.length < 2 || content.length % 2 !== 0) return 'utf-8';
  const isZeroAt = (rest: number): boolean => content.every((byte, index) => index % 2 !== rest || byte === 0);
  if (isZeroAt(1)) return 'utf-16le';
  return isZeroAt(0) ? 'utf-16be' : 'utf-8';
}

/** The text without a byte order mark and its last line end; undefined for bytes without a Unicode text. */
export function decodeUnicode(content: Buffer): string | undefined {
  try {
    return new TextDecoder(encodingOf(content), { fatal: true }).decode(content).replace(LINE_END, '');
  } catch {
    return undefined;
  }
}

/** The text of a secret; other bytes than Unicode are read as Windows-1252. */
export function decodeSecret(content: Buffer): string {
  return decodeUnicode(content) ?? windows1252.decode(content).replace(LINE_END, '');
}
