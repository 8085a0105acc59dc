/** Writing to the terminal: results to standard output, everything else to standard error. */

import { visibleText } from '../../text/visible-text.ts';

/** Characters kept in output: the special spaces in numbers and dates. */
const keptInOutput = '\u00a0\u2009\u202f';

/**
 * Names from outside must not control the terminal, imitate other names, or write lines of our output: a line end in a
 * name is marked as every unseen character is.
 */
const shown = (text: string): string => visibleText(text, keptInOutput);

/** Prints a single line. */
export function printLine(line = ''): void {
  process.stdout.write(`${shown(line)}\n`);
}

/** Prints several lines. */
export function printLines(lines: readonly string[]): void {
  for (const line of lines) printLine(line);
}

/** Prints rows under their headings. */
export function printTable(headings: readonly string[], rows: readonly (readonly string[])[]): void {
  printLines(tableLines(headings, rows));
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

/** Control characters that JSON leaves as they are (RFC 8259 §7): terminals obey some of them. */
const bareControls = /[\u007f-\u009f]/g;

/**
 * Prints data for programs, with the names of the HTTP interface: no character is marked, and every control character is
 * escaped.
 */
export function printJson(value: unknown): void {
  const text = JSON.stringify(withWireNames(value), undefined, 2);
  process.stdout.write(`${text.replace(bareControls, escapeOf)}\n`);
}

const escapeOf = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/**
 * The value with the names of the HTTP interface in all its objects: `clientId` becomes `client_id`. Keys that are data,
 * such as aliases and addresses, stay.
 */
function withWireNames(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withWireNames);
  if (typeof value !== 'object' || value === null) return value;
  if ('toJSON' in value && typeof value.toJSON === 'function') return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [wireName(name), withWireNames(member)]));
}

const wireName = (name: string): string =>
  /^[a-z][a-zA-Z0-9]*$/.test(name) ? name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`) : name;

/** The option of every command with an answer. */
interface AnswerOptions {
  readonly json?: boolean | undefined;
}

/** Prints the value with `--json`, else the text. */
export function answer(options: AnswerOptions, value: unknown, text: () => string): void {
  if (!answeredAsJson(options, value)) printLine(text());
}

/** Prints the value with `--json`. Otherwise false: the command prints a text. */
export function answeredAsJson({ json }: AnswerOptions, value: unknown): boolean {
  if (json === true) printJson(value);
  return json === true;
}

/** How a list is shown. */
export interface ListTable<Item> {
  /** The sentence for an empty list. */
  readonly none: string;
  readonly headings: readonly string[];
  readonly row: (item: Item) => string[];
}

/** Prints a list with `--json`, else a table, or the sentence for an empty list. */
export function answerList<Item>(
  options: AnswerOptions,
  items: readonly Item[],
  { none, headings, row }: ListTable<Item>,
): void {
  if (answeredAsJson(options, items)) return;
  if (items.length === 0) printLine(none);
  else printTable(headings, items.map(row));
}

/** Prints what was done; nothing with `--json`, where the exit code tells. */
export function tellDone({ json }: AnswerOptions, sentence: string): void {
  if (json !== true) printLine(sentence);
}

/** Prints a text of our own as it is. */
export function printRaw(text: string): void {
  process.stdout.write(text);
}

/** Prints a picture made by this program, whose colours are control characters, to standard error. */
export function printPicture(picture: string): void {
  process.stderr.write(`${picture}\n`);
}

/** The lines of a table, each column as wide as its longest text. */
function tableLines(headings: readonly string[], texts: readonly (readonly string[])[]): readonly string[] {
  const rows = texts.map((cells) => cells.map(shown));
  const widths = headings.map((heading, column) =>
    Math.max(width(heading), ...rows.map((row) => width(row[column] ?? ''))),
  );
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, column) => cell + ' '.repeat(Math.max(0, (widths[column] ?? 0) - width(cell))))
      .join('  ')
      .trimEnd();
  return [line(headings), line(widths.map((one) => '─'.repeat(one))), ...rows.map(line)];
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
