/** Names of files that fit on a disk. */

/** Bytes of a name in UTF-8 on the usual disks of Linux and macOS; Windows counts 255 units of UTF-16, never fewer bytes. */
const LONGEST_NAME = 255;

/** Room that a shortened name leaves for a number, ` (10000)`. */
const ROOM_FOR_NUMBER = 15;

const bytesOf = (text: string): number => new TextEncoder().encode(text).length;

/** Longer ends of a name are part of the name: `.pdf` is an extension, `. And so on` is not. */
const LONGEST_EXTENSION = 16;

/**
 * `stem` and `ending` as one name of at most 255 bytes in UTF-8. A stem that is too long loses letters before its
 * extension, so that `contract….txt` and `.p7m` still say what the file is. No character is cut in two.
 */
export function fitFileName(stem: string, ending: string): string {
  const whole = `${stem}${ending}`;
  if (bytesOf(whole) <= LONGEST_NAME) return whole;
  const extension = new RegExp(`\\.[^. ]{1,${LONGEST_EXTENSION}}$`, 'u').exec(stem)?.[0] ?? '';
  const most = LONGEST_NAME - ROOM_FOR_NUMBER - bytesOf(`${extension}${ending}`);
  const base = extension === '' ? stem : stem.slice(0, -extension.length);
  let kept = '';
  let bytes = 0;
  for (const { segment } of new Intl.Segmenter().segment(base)) {
    bytes += bytesOf(segment);
    if (bytes > most) break;
    kept += segment;
  }
  return `${kept.trimEnd()}${extension}${ending}`;
}
