/**
 * The fonts of stamps: Noto Sans for Latin, Greek and Cyrillic, and fonts of other scripts, read when a text needs one.
 * All are under the SIL Open Font License 1.1.
 */
import { readFileSync } from 'node:fs';
import { TrueTypeFont } from './true-type-font.ts';

/** A font of stamps. */
export interface StampFace {
  readonly font: TrueTypeFont;
  /** The font file, for a script whose letters change their form beside others. */
  readonly shaped?: Buffer;
}

const folder = new URL('../../../../assets/fonts/', import.meta.url);

/** A font by its file below `assets/fonts`. */
interface FontFile {
  readonly file: string;
  readonly name: string;
  /** The characters of the script. */
  readonly characters: RegExp;
  /** The characters that the script shares with others, such as marks (UAX 24, Script_Extensions). */
  readonly shared: RegExp;
  /** True when letters change their form beside others, or marks are placed at letters. */
  readonly isShaped: boolean;
}

const shaped = (script: string, characters: RegExp): FontFile => ({
  shared: new RegExp(characters.source.replace('sc=', 'scx='), 'u'),
  file: `scripts/NotoSans${script}-Regular.woff`,
  name: `NotoSans${script}-Regular`,
  characters,
  isShaped: true,
});

const HAN = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Bopomofo}\u3000-\u303f\uff00-\uffef]/u;

const JAPANESE: FontFile = {
  file: 'scripts/NotoSansJP-Regular.woff',
  name: 'NotoSansJP-Regular',
  characters: HAN,
  shared: HAN,
  isShaped: false,
};

/** Chinese in the forms of mainland China, with the letters of Korea and the characters that Japan adds. */
const CHINESE: FontFile = {
  file: 'scripts/NotoSansCJK-Regular.woff',
  name: 'NotoSansCJK-Regular',
  characters: HAN,
  shared: HAN,
  isShaped: false,
};

/** The fonts of other scripts. */
export const SCRIPT_FONTS: readonly FontFile[] = [
  shaped('Arabic', /\p{sc=Arabic}/u),
  shaped('Hebrew', /\p{sc=Hebrew}/u),
  shaped('Devanagari', /\p{sc=Devanagari}/u),
  shaped('Bengali', /\p{sc=Bengali}/u),
  shaped('Gujarati', /\p{sc=Gujarati}/u),
  shaped('Gurmukhi', /\p{sc=Gurmukhi}/u),
  shaped('Tamil', /\p{sc=Tamil}/u),
  shaped('Telugu', /\p{sc=Telugu}/u),
  shaped('Kannada', /\p{sc=Kannada}/u),
  shaped('Malayalam', /\p{sc=Malayalam}/u),
  shaped('Sinhala', /\p{sc=Sinhala}/u),
  shaped('Thai', /\p{sc=Thai}/u),
  shaped('Lao', /\p{sc=Lao}/u),
  shaped('Khmer', /\p{sc=Khmer}/u),
  shaped('Myanmar', /\p{sc=Myanmar}/u),
  shaped('Ethiopic', /\p{sc=Ethiopic}/u),
  shaped('Georgian', /\p{sc=Georgian}/u),
  shaped('Armenian', /\p{sc=Armenian}/u),
];

const KANA = /[\p{sc=Hiragana}\p{sc=Katakana}]/u;

const faces = new Map<string, StampFace>();

function faceOf({ file, name, isShaped }: FontFile): StampFace {
  const known = faces.get(file);
  if (known !== undefined) return known;
  const data = readFileSync(new URL(file, folder));
  const font = new TrueTypeFont(data, name);
  const face = isShaped ? { font, shaped: font.toSfnt() } : { font };
  faces.set(file, face);
  return face;
}

let latin: StampFace | undefined;

/** The font of most texts: Noto Sans (SIL Open Font License 1.1), read once. */
export function latinFace(): StampFace {
  latin ??= { font: new TrueTypeFont(readFileSync(new URL('NotoSans-Regular.ttf', folder)), 'NotoSans-Regular') };
  return latin;
}

/** True when the font has a glyph for the character. */
export const hasGlyph = ({ font }: StampFace, character: string): boolean =>
  font.glyphOf(character.codePointAt(0) ?? 0) !== undefined;

/** The font that has a character; undefined when no font has one. A text with kana has Japanese forms. */
export function findFace(character: string, text: string): StampFace | undefined {
  const eastAsian = KANA.test(text) ? [JAPANESE, CHINESE] : [CHINESE, JAPANESE];
  const files = [...SCRIPT_FONTS, ...eastAsian];
  const own = files.filter(({ characters }) => characters.test(character));
  const faceIn = (some: readonly FontFile[]): StampFace | undefined =>
    some.map(faceOf).find((face) => hasGlyph(face, character));
  if (own.length > 0) return faceIn(own) ?? (hasGlyph(latinFace(), character) ? latinFace() : undefined);
  if (hasGlyph(latinFace(), character)) return latinFace();
  return faceIn(SCRIPT_FONTS.filter(({ shared }) => shared.test(character)));
}

/** True when letters of the text change their form beside others. */
export const needsShaping = (text: string): boolean => SCRIPT_FONTS.some(({ characters }) => characters.test(text));
