import { win32 } from 'node:path';

const LONGEST_NAME = 255;

/** A client's file name as a plain name: no folders, no control characters. Undefined when nothing is left. */
export function plainFileName(name: string | undefined): string | undefined {
  const last = name?.split(/[/\\]/).at(-1) ?? '';
  const clean = last.replace(/[\u0000-\u001f\u007f]/g, '').trim();
  return clean === '' || clean === '.' || clean === '..' ? undefined : clean.slice(0, LONGEST_NAME);
}

/**
 * Names that Windows reserves for devices, in every folder and with every extension (Naming Files, Paths, Namespaces).
 */
const DEVICE = /^(?:CON|PRN|AUX|NUL|CONIN\$|CONOUT\$|(?:COM|LPT)[0-9\u00b9\u00b2\u00b3])$/i;

/** Characters that Windows does not permit in names; the colon would name a stream of another file. */

const FORBIDDEN = /[<>:"|?*\u0000-\u001f]/;

const MAX_NAME = 255;

/**
 * Why Windows could not keep a file under this absolute path, as a sentence with the remedy; undefined when it could.
 * Such a name would become a device, a hidden stream of another file, a file that Explorer cannot delete, or an error
 * after the signature was made. The text alone is judged, so the answer is the same on every system.
 */
export function findWindowsNameProblem(path: string): string | undefined {
  const { root } = win32.parse(path);
  const names = path
    .slice(root.length)
    .split(/[\\/]/)
    .filter((name) => name !== '' && name !== '.' && name !== '..');
  const isDevicePath = /^[\\/]{2}\.[\\/]/.test(root) && !/^[\\/]{2}\.[\\/][a-z]:[\\/]$/i.test(root);
  if (isDevicePath || names.length === 0) return 'On Windows this path names no file. Give the path of a file.';
  for (const name of names) {
    const problem = findNameProblem(name);
    if (problem !== undefined) return `On Windows no file can be called "${printable(name)}": ${problem}`;
  }
  return undefined;
}

function findNameProblem(name: string): string | undefined {
  const base = (name.split('.', 1)[0] ?? '').trimEnd();
  if (DEVICE.test(base)) return `${base.toUpperCase()} is a device. Choose another name.`;
  const character = FORBIDDEN.exec(name)?.[0];
  if (character !== undefined) {
    const shown = character < ' ' ? 'a control character' : `the character ${character}`;
    return `it contains ${shown}. Leave it out.`;
  }
  if (/[. ]$/.test(name)) return 'it ends with a dot or a space. Leave that out.';
  if (name.length > MAX_NAME) return `it is longer than ${MAX_NAME} characters. Choose a shorter name.`;
  return undefined;
}

/** The name in a form for messages: without control characters, and not too long. */
function printable(name: string): string {
  const shown = name.replace(/[\u0000-\u001f]/g, '\u00b7');
  return shown.length > 60 ? `${shown.slice(0, 60)}…` : shown;
}
