/** Checks before every command, so that nothing that a user specified is silently ignored. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { AppError } from '../app-error.ts';
import { dataFolder } from '../config/data-folder.ts';
import { digestOfVariables } from '../config/variables.ts';
import { readInstanceFile } from '../instance/instance-file.ts';
import { findRunningInstance } from './channel-client.ts';
import type { ClientOptions } from './client.ts';
import { nameOfCommand } from './examples.ts';
import { printNote } from './print.ts';

/** Commands that may create a data folder, by their full names or their last words. */
const beginners: ReadonlySet<string> = new Set([
  'start',
  'desktop',
  'serve',
  'demo',
  'restore',
  'test-services',
  'validate',
  'doctor',
  'certificates add',
  'certificates test-identity',
  'modules add',
  'tsa add',
  'trust import',
  'trust update',
  'sites allow',
  'sites allow-folder',
  'stores add s3',
  'stores add gcs',
  'users add',
  'applications add',
  'admin tokens add',
  'renewals add',
]);

/** Commands that use no data folder. */
const withoutFolder: ReadonlySet<string> = new Set(['completion', 'master-key make']);

/**
 * Checks the `SINETE_…` variables, the file of `--config` and the data folder that a command names. Rejects with
 * `AppError` (exit code 2) for an unknown variable or key, a wrong value, a missing file, a file that a running
 * instance does not use, and a missing data folder, unless the command may create one.
 */
export async function checkSurroundings(command: Command): Promise<void> {
  // Completions need no settings, and shells request them at every start.
  if (command.name() === 'completion') return;
  const options: ClientOptions = command.optsWithGlobals();
  const folder = dataFolder(options.data);
  await checkSettings(folder, options.config);
  if (options.config !== undefined) await checkInstance(folder, resolve(options.config));
  const isNamed = (options.data ?? process.env.SINETE_DATA ?? '') !== '';
  if (isNamed && !withoutFolder.has(nameOfCommand(command)) && !existsSync(folder))
    tellOfMissingFolder(folder, nameOfCommand(command));
}

function tellOfMissingFolder(folder: string, name: string): void {
  if (!beginners.has(name)) {
    const remedy = 'check --data or SINETE_DATA; "sinete serve" makes a new one';
    throw new AppError(2, `There is no data folder ${folder}: ${remedy}.`);
  }
  printNote(`Note: there is no data folder ${folder} yet; a new one is made.`);
}

/**
 * A running instance has read its settings already, so an unknown variable, a wrong value or a file would go unnoticed.
 * The table of keys takes longer to load than a small command. It is loaded only for a file, or for other variables
 * than the instance has checked at its start.
 */
async function checkSettings(folder: string, file: string | undefined): Promise<void> {
  const variables = digestOfVariables(process.env);
  const isChecked = variables === undefined || variables === (await readInstanceFile(folder))?.variables;
  if (isChecked && file === undefined) return;
  const [{ readEnvironment, readSettingsFile }, { checkValues }] = await Promise.all([
    import('../config/config-sources.ts'),
    import('../config/values.ts'),
  ]);
  const given = file === undefined ? {} : await readSettingsFile({ dataFolder: folder, file });
  checkValues({ ...given, ...readEnvironment(process.env) });
}

async function checkInstance(folder: string, file: string): Promise<void> {
  const running = await findRunningInstance(folder);
  if (running === undefined || running.configFile === file) return;
  const own = running.configFile ?? 'that of its data folder';
  const remedy = 'leave --config out, or stop the instance first';
  throw new AppError(2, `The running instance has another configuration, ${own}: ${remedy}.`);
}
