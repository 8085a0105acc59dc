/**
 * Characters that cannot be seen, or that change the order of their neighbours: a name with them looks like another
 * name. Control, format, surrogate, private and unassigned characters (Unicode general category C), line and paragraph
 * separators, default ignorable characters (UAX #44), spaces other than U+0020, and the blank Braille pattern.
 */
const unseen = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]|(?! )\p{Zs}/gu;

/** A part of a text: unchanged visible characters, or the mark of a single unseen character. */
export interface TextPart {
  readonly text: string;
  readonly isMark: boolean;
}

/** The mark of an unseen character: its code point in angle quotation marks, `‹U+202E›`. */
function markOf(character: string): string {
  const digits = (character.codePointAt(0) ?? 0).toString(16).toUpperCase();
  return `‹U+${digits.padStart(4, '0')}›`;
}

/**
 * Splits a text into its visible parts and the marks of its unseen characters. Characters in `kept` stay as they are:
 * the line ends of a text of several lines, for example.
 */
export function splitUnseen(text: string, kept = ''): readonly TextPart[] {
  const parts: TextPart[] = [];
  let end = 0;
  for (const { 0: character, index } of text.matchAll(unseen)) {
    if (kept.includes(character)) continue;
    if (index > end) parts.push({ text: text.slice(end, index), isMark: false });
    parts.push({ text: markOf(character), isMark: true });
    end = index + character.length;
  }
  if (end < text.length) parts.push({ text: text.slice(end), isMark: false });
  return parts;
}

/**
 * The text with a mark in place of each unseen character but those in `kept`. Every place that shows a name uses this
 * function.
 */
export function visibleText(text: string, kept = ''): string {
  return text.replace(unseen, (character) => (kept.includes(character) ? character : markOf(character)));
}

/** The text without unseen characters; other spaces become U+0020. For names of files that Sinete chooses. */
export function withoutUnseen(text: string): string {
  return text.replace(unseen, (character) => (/\p{Zs}/u.test(character) ? ' ' : ''));
}
