/** Writing to the terminal: results to standard output, everything else to standard error. */

import { visibleText } from '../../text/visible-text.ts';

/** Line ends and tabs, and the spaces that numbers and dates are written with. */
const keptInOutput = '\n\t\u00a0\u2009\u202f';

/** Names of strangers must not steer the terminal, and must not look like other names. */
const shown = (text: string): string => visibleText(text, keptInOutput);

export function printLine(line = ''): void {
  process.stdout.write(`${shown(line)}\n`);
}

/** Errors of output without a reader: a closed pipe, a closed terminal, and a closed console of Windows. */
const withoutReader: ReadonlySet<string> = new Set(['EPIPE', 'EIO', 'EOF']);

/**
 * Lets a command finish its work after the reader of its output has ended: `sinete … | head`, or a closed terminal. An
 * output that cannot be written otherwise, as on a full disk, is told once and makes the exit code 3.
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

/** Prints remarks and progress, which must not get into a piped result. */
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

/** Prints a picture of our own, whose colours are control characters, beside the remarks. */
export function printPicture(picture: string): void {
  process.stderr.write(`${picture}\n`);
}

/** Rows under their headings, in columns of the necessary width. */
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
