import { existsSync } from 'node:fs';
import { Command, CommanderError } from 'commander';
import { AppError } from './app-error.ts';
import { checkSurroundings } from './cli/check-surroundings.ts';
import { addExamples } from './cli/examples.ts';
import { outliveReaders, printJson, printNote } from './cli/print.ts';
import { product } from './product.ts';
import { keepHeapSmall } from './instance/small-heap.ts';

type AddCommands = (program: Command) => void;

interface CommandFamily {
  /** The names of the commands in this family. */
  readonly names: readonly string[];
  readonly load: () => Promise<AddCommands>;
}

/** In the order of the help. */
const families: readonly CommandFamily[] = [
  {
    names: ['start', 'desktop', 'serve', 'link'],
    load: async () => {
      keepHeapSmall();
      return (await import('./cli/commands/serve.ts')).addServeCommands;
    },
  },
  {
    names: ['certificates'],
    load: async () => (await import('./cli/commands/certificates.ts')).addCertificateCommands,
  },
  { names: ['tokens', 'modules'], load: async () => (await import('./cli/commands/modules.ts')).addModuleCommands },
  { names: ['sign'], load: async () => (await import('./cli/commands/sign.ts')).addSignCommand },
  { names: ['extend', 'raise'], load: async () => (await import('./cli/commands/extend.ts')).addExtendCommand },
  { names: ['validate'], load: async () => (await import('./cli/commands/validate.ts')).addValidateCommand },
  { names: ['renewals'], load: async () => (await import('./cli/commands/renewals.ts')).addRenewalCommands },
  { names: ['tsa'], load: async () => (await import('./cli/commands/tsa.ts')).addTimestampCommands },
  { names: ['trust'], load: async () => (await import('./cli/commands/trust.ts')).addTrustCommands },
  { names: ['sites'], load: async () => (await import('./cli/commands/sites.ts')).addSiteCommands },
  { names: ['stores'], load: async () => (await import('./cli/commands/stores.ts')).addStoreCommands },
  {
    names: ['test-services'],
    load: async () => (await import('./cli/commands/test-services.ts')).addTestServicesCommand,
  },
  {
    names: ['master-key'],
    load: async () => (await import('./cli/commands/admin.ts')).addMasterKeyCommands,
  },
  { names: ['users'], load: async () => (await import('./cli/commands/users.ts')).addUserCommands },
  {
    names: ['applications'],
    load: async () => (await import('./cli/commands/applications.ts')).addApplicationCommands,
  },
  { names: ['admin'], load: async () => (await import('./cli/commands/admin.ts')).addAdminCommands },
  {
    names: ['notifications'],
    load: async () => (await import('./cli/commands/notifications.ts')).addNotificationCommands,
  },
  { names: ['audit'], load: async () => (await import('./cli/commands/audit.ts')).addAuditCommands },
  { names: ['backup', 'restore'], load: async () => (await import('./cli/commands/backup.ts')).addBackupCommands },
  { names: ['fsck'], load: async () => (await import('./cli/commands/fsck.ts')).addFsckCommand },
  { names: ['recover'], load: async () => (await import('./cli/commands/recover.ts')).addRecoverCommand },
  { names: ['database'], load: async () => (await import('./cli/commands/database.ts')).addDatabaseCommands },
  { names: ['demo'], load: async () => (await import('./cli/commands/demo.ts')).addDemoCommand },
  { names: ['clock'], load: async () => (await import('./cli/commands/clock.ts')).addClockCommands },
  {
    // Without names of its own: loaded together with all other commands, which completions need.
    names: [],
    load: async () => (await import('./cli/commands/completion.ts')).addCompletionCommand,
  },
  { names: ['doctor'], load: async () => (await import('./cli/commands/doctor.ts')).addDoctorCommand },
];

/** The commands with a given first word; all commands for help and for a misspelt name. */
async function loadCommands(word: string | undefined): Promise<readonly AddCommands[]> {
  if (word === '--version' || word === '-V') return [];
  const meant = families.filter(({ names }) => names.includes(word ?? ''));
  return Promise.all((meant.length > 0 ? meant : families).map(async ({ load }) => load()));
}

/** The program with the commands for a first word, or with all commands. */
export async function createProgram(word?: string): Promise<Command> {
  const program = new Command('sinete')
    .description('Signs documents with your own keys, on this computer.')
    .version(product.version)
    .showHelpAfterError('(add --help to see what a command takes)')
    .exitOverride()
    .hook('preAction', async (_program, command) => {
      await refuseExcess(command);
      await checkSurroundings(command);
    });
  for (const add of await loadCommands(word)) add(program);
  addExamples(program);
  for (const group of program.commands) group.commands.forEach(takeExcess);
  return program;
}

/**
 * Lets a command without parameters accept excess words, so that `refuseExcess` can report them with a better message.
 */
function takeExcess(command: Command): void {
  command.commands.forEach(takeExcess);
  if (command.registeredArguments.length === 0) command.allowExcessArguments();
}

/** Reports a misspelt command: in a group with a default command, an unknown first word would go to that command. */
async function refuseExcess(command: Command): Promise<void> {
  const { parent: group, registeredArguments, args } = command;
  const [word] = args;
  if (group === null || registeredArguments.length > 0 || word === undefined) return;
  const names = group.commands.flatMap((one) => [one.name(), ...one.aliases()]);
  if (names.includes(group.args[0] ?? '')) {
    const message = `error: too many arguments for '${command.name()}'. Expected 0 arguments but got ${args.length}: ${args.join(', ')}.`;
    command.error(message, { code: 'commander.excessArguments' });
  }
  const { closeName } = await import('../service/errors/index.ts');
  const meant = closeName(word, names);
  const remedy = meant === undefined ? `Its commands are ${names.join(', ')}.` : `(Did you mean ${meant}?)`;
  group.error(`error: unknown command '${word}' of '${group.name()}'\n${remedy}`, { code: 'commander.unknownCommand' });
}

/**
 * Runs one command; `words` is `process.argv`. Sets `process.exitCode`: absent or 0 success, 1 negative verdict, 2
 * wrong use, 3 unreachable. `sinete.js` ends with 78 for a wrong Node version.
 */
export async function runCommandLine(words: readonly string[]): Promise<void> {
  outliveReaders();
  try {
    refuseUnreadable(words.slice(2));
    const program = await createProgram(words[2]);
    await program.parseAsync(words);
  } catch (error) {
    const failure = await explain(error);
    // Commander has printed its own errors already.
    if (!(error instanceof CommanderError)) printNote(`sinete: ${failure.message}`);
    if (failure.exitCode !== 0 && wantsJson(words)) printFailure(failure);
    process.exitCode = failure.exitCode;
  }
}

/** Node replaces bytes that are not UTF-8 by U+FFFD: the word would name another file, or sign another text. */
function refuseUnreadable(words: readonly string[]): void {
  const unreadable = words.find((word) => word.includes('\uFFFD') && !existsSync(word));
  if (unreadable === undefined) return;
  const remedy = 'rename the file, for example with convmv, or set the locale of the terminal to UTF-8';
  throw new AppError(2, `"${unreadable}" is not UTF-8: ${remedy}.`);
}

/** A failure that ended a command. */
interface Failure {
  readonly exitCode: number;
  readonly code: string;
  readonly message: string;
}

/** True if `--json` is given, even on a command line that cannot be parsed: its error is JSON too. */
function wantsJson(words: readonly string[]): boolean {
  const end = words.indexOf('--');
  return words.slice(0, end === -1 ? undefined : end).includes('--json');
}

/** Prints a failure; as JSON on standard output, where a program reads the answer. */
function printFailure({ exitCode, code, message }: Failure): void {
  printJson({ error: { code, detail: message, exit_code: exitCode } });
}

/** Codes of failures without a code of their own, by exit code. */
const generalCodes = { 0: '', 1: 'REFUSED', 2: 'USAGE', 3: 'OUT_OF_REACH' } as const;

async function explain(error: unknown): Promise<Failure> {
  if (error instanceof AppError) {
    const { exitCode, message, code = generalCodes[exitCode] } = error;
    return { exitCode, message, code };
  }
  if (error instanceof CommanderError) {
    const message = error.message.replace(/^error: /, '');
    return { exitCode: error.exitCode === 0 ? 0 : 2, code: generalCodes[2], message };
  }
  // Cheap: an error of these classes means that their modules are loaded already.
  const [{ StorageError }, { ServiceError, SigningError }] = await Promise.all([
    import('../storage/index.ts'),
    import('../service/errors/index.ts'),
  ]);
  if (error instanceof StorageError) {
    return { exitCode: 3, code: generalCodes[3], message: `${error.message} ${error.remedy}`.trim() };
  }
  if (error instanceof ServiceError || error instanceof SigningError) {
    return { exitCode: 1, code: error.code, message: error.message };
  }
  const reason = error instanceof Error ? (error.stack ?? error.message) : '';
  return { exitCode: 3, code: 'INTERNAL', message: `something unforeseen happened. ${reason}` };
}
