import { LoadDetail } from '../errors.ts';
import { libraryFormat } from './library-format.ts';

/** Facts from this system about a library that could not be loaded. */
export interface LoadSurroundings {
  readonly platform: NodeJS.Platform;
  /** Node's name of this processor. */
  readonly architecture: string;
  /** The first bytes of the file, at most `HEAD_LENGTH`; undefined for an unreadable file. */
  readonly head: Buffer | undefined;
  /** The text of a Win32 error in the language of Windows; undefined without a text. */
  readonly systemText: (code: number) => string | undefined;
}

/** Win32 errors with a `LoadDetail` (winerror.h: ERROR_MOD_NOT_FOUND, ERROR_PROC_NOT_FOUND, ERROR_BAD_EXE_FORMAT). */
const known: readonly (readonly [code: number, detail: string])[] = [
  [126, LoadDetail.missingLibrary],
  [127, LoadDetail.otherVersion],
  [193, LoadDetail.otherFormat],
];

/**
 * The `detail` of a load failure: a `LoadDetail` for a known reason, else the message of the loader. On Windows, koffi
 * passes on the message without its number, in the language of Windows, and not always the message of the first error.
 * So the format of the file is checked first, and then the message is compared with the texts of known errors.
 */
export function loadDetail(message: string, surroundings: LoadSurroundings): string {
  if (/^Cannot find function 'C_GetFunctionList'/.test(message)) return LoadDetail.noDriver;
  const words = plain(message.replace(/^Failed to load shared library: /, ''));
  if (surroundings.platform !== 'win32') return words;
  if (!isForThisComputer(surroundings)) return LoadDetail.otherFormat;
  const number = /^Win32 error 0x([0-9a-f]+)$/i.exec(words)?.[1];
  const found = known.find(([code]) =>
    number === undefined ? plain(surroundings.systemText(code) ?? '') === words : Number.parseInt(number, 16) === code,
  );
  return found?.[1] ?? words;
}

/** An unreadable file counts as suitable, so that the loader's message is shown. */
function isForThisComputer({ head, architecture }: LoadSurroundings): boolean {
  if (head === undefined) return true;
  const format = libraryFormat(head);
  return format.kind === 'library' && format.architectures.includes(architecture);
}

/** Removes the full stop and line break at the end of a Windows message. */
const plain = (text: string): string => text.replace(/[\s.]+$/, '');
