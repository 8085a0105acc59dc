import { spawn } from 'node:child_process';
import { dirname, win32 } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Shows the user a file with the programs of the desktop. */
export interface FileOpener {
  /** Opens the file with the usual program for its type. False if the system refuses, or has no such program. */
  open(path: string): Promise<boolean>;
  /** Opens the folder of the file, with the file selected if the system supports that. */
  reveal(path: string): Promise<boolean>;
}

/** A program to start, and the condition for its success. */
export interface OpenerCommand {
  readonly program: string;
  readonly words: readonly string[];
  /** The words are already quoted for a Windows command line, so Node must not quote them again. */
  readonly isVerbatim?: boolean;
  /** `start`: starting the program is a success. `exit`: the program ends soon, with 0 for success. */
  readonly succeedsAt: 'start' | 'exit';
}

const windowsProgram = fileURLToPath(new URL('./open-on-windows.ts', import.meta.url));

/** The command that opens or reveals a file; undefined on a system without a known desktop. */
export function openerCommand(
  action: keyof FileOpener,
  path: string,
  platform: NodeJS.Platform = process.platform,
): OpenerCommand | undefined {
  const isOpening = action === 'open';
  if (platform === 'linux') {
    return { program: 'xdg-open', words: [isOpening ? path : dirname(path)], succeedsAt: 'start' };
  }
  if (platform === 'darwin') {
    return { program: 'open', words: isOpening ? [path] : ['-R', path], succeedsAt: 'start' };
  }
  if (platform !== 'win32') return undefined;
  return isOpening
    ? { program: process.execPath, words: [windowsProgram, plainWindowsPath(path)], succeedsAt: 'exit' }
    : { program: 'explorer.exe', words: [selection(path)], isVerbatim: true, succeedsAt: 'start' };
}

/**
 * Explorer cuts a path at its first comma, unless the path stands in quotation marks. No file name of Windows contains
 * quotation marks; a path with some is shown by its folder.
 */
function selection(path: string): string {
  const plain = plainWindowsPath(path);
  return plain.includes('"') ? `"${win32.dirname(plain).replaceAll('"', '')}"` : `/select,"${plain}"`;
}

/**
 * Uses backslashes only, and removes the prefixes `\\?\` and `\\.\`, which programs of the desktop do not understand.
 */
const plainWindowsPath = (path: string): string => win32.normalize(path).replace(/^\\\\[?.]\\(?=[a-z]:\\)/i, '');

/** Opens files through separate processes, so that no code of a shell extension runs in the process with the keys. */
export const systemFileOpener: FileOpener = {
  open: async (path) => run(openerCommand('open', path)),
  reveal: async (path) => run(openerCommand('reveal', path)),
};

async function run(command: OpenerCommand | undefined): Promise<boolean> {
  if (command === undefined) return false;
  const { program, words, isVerbatim = false, succeedsAt } = command;
  return new Promise((resolve) => {
    const options = { detached: true, stdio: 'ignore', windowsHide: succeedsAt === 'exit' } as const;
    const child = spawn(program, words, { ...options, windowsVerbatimArguments: isVerbatim });
    child.once('error', () => {
      resolve(false);
    });
    child.once('spawn', () => {
      child.unref();
      if (succeedsAt === 'start') resolve(true);
    });
    child.once('exit', (code) => {
      resolve(code === 0);
    });
  });
}
