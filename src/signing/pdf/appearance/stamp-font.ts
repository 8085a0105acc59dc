import { readFileSync } from 'node:fs';
import { TrueTypeFont } from './true-type-font.ts';

const FONT_FILE = new URL('../../../../assets/fonts/NotoSans-Regular.ttf', import.meta.url);
const REPLACEMENT = 0x3f;

let font: TrueTypeFont | undefined;

/** The font of all stamps: Noto Sans (SIL Open Font License 1.1), read once. */
export function stampFont(): TrueTypeFont {
  font ??= new TrueTypeFont(readFileSync(FONT_FILE), 'NotoSans-Regular');
  return font;
}

/**
 * The displayable characters, as lines: composed where Unicode can compose, without control characters, and with a
 * question mark for characters outside of the font. PDF/A forbids the glyph for "missing" (ISO 19005-2 §6.2.11.8).
 */
export function showableLines(text: string): readonly string[] {
  const face = stampFont();
  const showable = (character: string): string => {
    const codePoint = character.codePointAt(0) ?? REPLACEMENT;
    return face.glyphOf(codePoint) === undefined ? String.fromCodePoint(REPLACEMENT) : character;
  };
  return text
    .normalize('NFC')
    .split(/\r\n|[\n\r\u2028\u2029]/)
    .map((line) => line.replace(/[\t\p{Zs}]/gu, ' ').replace(/\p{C}/gu, ''))
    .map((line) => Array.from(line, showable).join(''));
}
