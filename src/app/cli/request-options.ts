import { InvalidArgumentError, Option, type Command } from 'commander';
import { requestOptions, settingOptions, type RequestOption } from '../../request/signature-request.ts';
import { pdfTypes, type SignatureType } from '../../request/signature-types.ts';
import { findName } from '../../text/closed-set.ts';
import type { CallInput } from '../../ui-contract/ui-contract.ts';

/** Options of the request that the command line passes on unchanged; `sign` reads the type and the hash itself. */
type GivenOptions = Omit<
  Pick<CallInput<'sign.paths'>, keyof typeof requestOptions | keyof typeof settingOptions>,
  'type' | 'digest'
>;

const table: readonly (readonly [name: string, option: RequestOption])[] = Object.entries({
  ...requestOptions,
  ...settingOptions,
});

/** Adds the options of the request to a command that signs. */
export function withRequestOptions(command: Command): Command {
  for (const [, { command: described, values }] of table) {
    if (described === undefined) continue;
    const option = new Option(described.flags, described.about);
    if (described.isEntry === true) option.argParser(addEntry);
    command.addOption(values === undefined ? option : option.choices(values).argParser(oneOf(values)));
  }
  return command;
}

/** Adds the entry of an option that may be repeated. */
function addEntry(text: string, before: readonly object[] = []): readonly object[] {
  const [, name = '', value] = /^([^=]+)(?:=(.*))?$/s.exec(text) ?? [];
  if (name === '') throw new InvalidArgumentError('Give name=value, or a name alone.');
  return [...before, { name, ...(value === undefined ? {} : { value }) }];
}

/** Reads a member of a closed set in any letter case. */
function oneOf(values: readonly string[]): (text: string) => string {
  return (text) => {
    const found = findName(values, text);
    if (found === undefined) throw new InvalidArgumentError(`Allowed choices are ${values.join(', ')}.`);
    return found;
  };
}

/**
 * The given options in the form of calls. Options for PDFs only are left out for other files, because a command may name
 * files of both kinds.
 */
export function readRequestOptions(options: object, type: SignatureType): GivenOptions {
  const texts = options as Readonly<Record<string, unknown>>;
  const given = table.flatMap(([name, { command: described, types }]) => {
    const isForPdfs = types.every((one) => pdfTypes.includes(one));
    if (described === undefined || (isForPdfs && !pdfTypes.includes(type))) return [];
    const text = texts[new Option(described.flags).attributeName()];
    return text === undefined ? [] : [[name, text] as const];
  });
  return Object.fromEntries(given);
}
