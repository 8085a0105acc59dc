/** Manual pages of the command line (man(7)), written from the table of commands as its help is. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command, Option } from 'commander';
import { createProgram } from '../../src/app/cli.ts';
import { examples, nameOfCommand } from '../../src/app/cli/examples.ts';
import { product } from '../../src/app/product.ts';

/** A manual page by its file name, as `sinete-sign.1`. */
export interface ManPage {
  readonly file: string;
  readonly text: string;
}

/** Text for roff: a hyphen is a minus, and no line begins with a control character. */
const roff = (text: string): string =>
  text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll("'", '\\(aq')
    .replaceAll('~', '\\(ti')
    .replaceAll('^', '\\(ha')
    .replace(/^\./gm, '\\&.');

const section = (title: string, lines: readonly string[]): readonly string[] =>
  lines.length === 0 ? [] : [`.SH ${title}`, ...lines];

const sentence = (text: string): string => roff(`${text.charAt(0).toUpperCase()}${text.slice(1)}.`);

const optionLines = ({ flags, description }: Option): readonly string[] => [
  '.TP',
  `.B ${roff(flags)}`,
  sentence(description),
];

/** The words after the name of a command: its parameters. */
function parametersOf(command: Command): string {
  const words = command.registeredArguments.map((argument) => {
    const word = `${argument.name()}${argument.variadic ? '...' : ''}`;
    return argument.required ? `<${word}>` : `[${word}]`;
  });
  return words.join(' ');
}

function synopsis(command: Command): readonly string[] {
  if (command.commands.length > 0 && command.registeredArguments.length === 0) {
    return command.commands.flatMap(synopsis);
  }
  const options = command.options.length === 0 ? '' : ' [options]';
  const words = `${nameOfCommand(command)}${options} ${parametersOf(command)}`.trim();
  return ['.PP', `.B sinete ${roff(words)}`];
}

/** A command below another: its purpose, and its options. */
function subsection(command: Command): readonly string[] {
  if (command.commands.length > 0) return command.commands.flatMap(subsection);
  return [
    `.SS sinete ${roff(`${nameOfCommand(command)} ${parametersOf(command)}`.trim())}`,
    sentence(command.description()),
    ...command.options.filter(({ hidden }) => !hidden).flatMap(optionLines),
  ];
}

function exampleLines(command: Command): readonly string[] {
  const own = examples[nameOfCommand(command)] ?? [];
  const lines = own.flatMap(([words, about]) => ['.TP', `.B sinete ${roff(words)}`, sentence(about)]);
  return [...lines, ...command.commands.flatMap(exampleLines)];
}

const exitStatus = section('EXIT STATUS', [
  ...['.TP', '.B 0', 'Done.'],
  ...['.TP', '.B 1', 'A verdict is negative, or some file failed.'],
  ...['.TP', '.B 2', 'Wrong use; nothing was done.'],
  ...['.TP', '.B 3', 'Something is out of reach: the disk, a server, a token or the data folder.'],
]);

const head = (title: string, about: string): readonly string[] => [
  `.TH ${title.toUpperCase()} 1 "" "Sinete ${product.version}" "Sinete"`,
  ...section('NAME', [`${title.replaceAll('-', '\\-')} \\- ${roff(about)}`]),
];

function commandPage(command: Command): ManPage {
  const name = `sinete-${command.name()}`;
  const isGroup = command.commands.length > 0;
  const lines = [
    ...head(name, command.description()),
    ...section('SYNOPSIS', synopsis(command)),
    ...section('DESCRIPTION', [sentence(command.description())]),
    ...section('OPTIONS', isGroup ? [] : command.options.filter(({ hidden }) => !hidden).flatMap(optionLines)),
    ...section('COMMANDS', isGroup ? command.commands.flatMap(subsection) : []),
    ...section('EXAMPLES', exampleLines(command)),
    ...exitStatus,
    ...section('SEE ALSO', ['.BR sinete (1)']),
  ];
  return { file: `${name}.1`, text: `${lines.join('\n')}\n` };
}

function programPage(program: Command): ManPage {
  const rows = program.commands.flatMap((command) => [
    '.TP',
    `.BR sinete\\-${roff(command.name())} (1)`,
    sentence(command.description()),
  ]);
  const lines = [
    ...head('sinete', 'sign documents with your own keys'),
    ...section('SYNOPSIS', ['.B sinete', '.I command', '[options]']),
    ...section('DESCRIPTION', [roff(program.description())]),
    ...section('COMMANDS', rows),
    ...section('ENVIRONMENT', [
      ...['.TP', '.B SINETE_DATA', 'The data folder.'],
      ...['.TP', '.B SINETE_\\fIKEY\\fR', 'A key of the configuration; an unknown one ends every command with 2.'],
    ]),
    ...exitStatus,
  ];
  return { file: 'sinete.1', text: `${lines.join('\n')}\n` };
}

/** All pages: the program's own, and one for each command. */
export async function manPages(): Promise<readonly ManPage[]> {
  const program = await createProgram();
  return [programPage(program), ...program.commands.map(commandPage)];
}

/** Writes the pages into a folder. */
export async function writeManPages(folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  for (const { file, text } of await manPages()) writeFileSync(join(folder, file), text);
}
