import { Option, type Command } from 'commander';
import { requestOptions, settingOptions, type RequestOption } from '../../request/signature-request.ts';
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
  for (const [, { command: described }] of table) {
    if (described === undefined) continue;
    const option = new Option(described.flags, described.about);
    command.addOption(described.choices === undefined ? option : option.choices(described.choices));
  }
  return command;
}

/** The given options in the form of calls; options for PDFs only are left out for other files. */
export function readRequestOptions(options: object, isPdf: boolean): GivenOptions {
  const texts = options as Readonly<Record<string, unknown>>;
  const given = table.flatMap(([name, { command: described }]) => {
    if (described === undefined || (described.pdfOnly === true && !isPdf)) return [];
    const text = texts[new Option(described.flags).attributeName()];
    return text === undefined ? [] : [[name, text] as const];
  });
  return Object.fromEntries(given);
}
