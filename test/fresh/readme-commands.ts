import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

/** The commands of the README that a fresh machine has to understand, exactly as they are written there. */
export interface ReadmeCommands {
  /** Installs the packages and starts an instance. */
  readonly start: string;
  /** Walks through a whole signature by itself. */
  readonly demo: string;
  /** Installs the packages and runs the tests. */
  readonly test: string;
}

/** Each line of the shell blocks of a Markdown text, without its comment. */
export function shellCommands(markdown: string): readonly string[] {
  const blocks = [...markdown.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, text]) => text ?? '');
  return blocks
    .join('')
    .split('\n')
    .map((line) => line.replace(/(^|\s)#.*$/, '').trim())
    .filter((line) => line !== '');
}

/** Finds the three commands in the text of the README. Throws when one is missing or written in two ways. */
export function findReadmeCommands(markdown: string): ReadmeCommands {
  const commands = new Set(shellCommands(markdown));
  const theOne = (name: string, pattern: RegExp): string => {
    const found = [...commands].filter((command) => pattern.test(command));
    const [command] = found;
    if (command === undefined || found.length > 1) {
      const reason = found.length === 0 ? 'holds none' : `holds ${found.length}: ${found.join('; ')}`;
      throw new Error(`README.md must hold one command that ${name} in its shell blocks; it ${reason}.`);
    }
    return command;
  };
  return {
    start: theOne('starts Sinete (npm start)', /\bnpm start\b/),
    demo: theOne('runs the demonstration (sinete demo)', /\bsinete demo$/),
    test: theOne('runs the tests (npm test)', /\bnpm test$/),
  };
}

/** The commands of this checkout's README. */
export async function readReadmeCommands(): Promise<ReadmeCommands> {
  return findReadmeCommands(await readFile(fileURLToPath(new URL('../../README.md', import.meta.url)), 'utf8'));
}
