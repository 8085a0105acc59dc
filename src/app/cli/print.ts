/** Writing to the terminal: results to standard output, everything else to standard error. */

import { visibleText } from '../../text/visible-text.ts';

/** Characters kept in output: line ends and tabs, and the special spaces in numbers and dates. */
const keptInOutput = '\n\t\u00a0\u2009\u202f';

/** Names from outside must not control the terminal, and must not imitate other names. */
const shown = (text: string): string => visibleText(text, keptInOutput);

export function printLine(line = ''): void {
  process.stdout.write(`${shown(line)}\n`);
}

/**
 * Errors that mean that nobody reads the output any more: a closed pipe, a closed terminal, and a closed console of
 * Windows.
 */
const withoutReader: ReadonlySet<string> = new Set(['EPIPE', 'EIO', 'EOF']);

/**
 * Lets a command finish its work after the reader of its output has ended, as in `sinete … | head`, or after the
 * terminal was closed. Other failures of the output, such as a full disk, are reported once and set exit code 3.
 */
export function outliveReaders(): void {
  const { stdout, stderr } = process;
  let isTold = false;
  for (const stream of [stdout, stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (isTold || withoutReader.has(error.code ?? '')) return;
      isTold = true;
      process.once('exit', () => {
        process.exitCode = 3;
      });
      const reason = error.code === 'ENOSPC' ? 'the disk is full' : (error.code ?? error.message);
      if (stream === stdout) printNote(`sinete: The answer could not be written: ${reason}.`);
    });
  }
}

/** Prints remarks and progress to standard error, so that a piped result stays clean. */
export function printNote(line: string): void {
  process.stderr.write(`${shown(line)}\n`);
}

/** Prints data for programs: every character as it is, control characters escaped by JSON itself. */
export function printJson(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value, undefined, 2)}\n`);
}

/** Prints a text of our own as it is. */
export function printRaw(text: string): void {
  process.stdout.write(text);
}

/** Prints a picture made by this program, whose colours are control characters, to standard error. */
export function printPicture(picture: string): void {
  process.stderr.write(`${picture}\n`);
}

/** Formats rows under their headings, each column as wide as its longest text. */
export function formatTable(headings: readonly string[], texts: readonly (readonly string[])[]): string {
  const rows = texts.map((cells) => cells.map(shown));
  const widths = headings.map((heading, column) =>
    Math.max(width(heading), ...rows.map((row) => width(row[column] ?? ''))),
  );
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, column) => cell + ' '.repeat(Math.max(0, (widths[column] ?? 0) - width(cell))))
      .join('  ')
      .trimEnd();
  return [line(headings), line(widths.map((one) => '─'.repeat(one))), ...rows.map(line)].join('\n');
}

/** Redraws a line on a terminal; prints nothing elsewhere. */
export function showProgress(done: number, total: number): void {
  if (!process.stderr.isTTY) return;
  const filled = total === 0 ? 0 : Math.round((done / total) * 24);
  const bar = '█'.repeat(filled) + '░'.repeat(24 - filled);
  process.stderr.write(`\r${bar} ${done}/${total}${done === total ? '\n' : ''}`);
}

function width(text: string): number {
  return Array.from(text.normalize('NFC')).length;
}
