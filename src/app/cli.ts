import { Command } from 'commander';
import { SigningError, ServiceError } from '../service/index.ts';
import { StorageError } from '../storage/index.ts';
import { AppError } from './app-error.ts';
import { addApplicationCommands } from './commands/applications.ts';
import { addAuditCommands } from './commands/audit.ts';
import { addBackupCommands } from './commands/backup.ts';
import { addCertificateCommands } from './commands/certificates.ts';
import { addDemoCommand } from './commands/demo.ts';
import { addDoctorCommand } from './commands/doctor.ts';
import { addModuleCommands } from './commands/modules.ts';
import { addNotificationCommands } from './commands/notifications.ts';
import { addRaiseCommand } from './commands/raise.ts';
import { addServeCommands } from './commands/serve.ts';
import { addSignCommand } from './commands/sign.ts';
import { addSiteCommands } from './commands/sites.ts';
import { addStoreCommands } from './commands/stores.ts';
import { addTestServicesCommand } from './commands/test-services.ts';
import { addTrustCommands } from './commands/trust.ts';
import { addTimestampCommands } from './commands/tsa.ts';
import { addUserCommands } from './commands/users.ts';
import { addValidateCommand } from './commands/validate.ts';
import { outliveReaders, printNote } from './print.ts';
import { product } from './product.ts';

/** The command line of Sinete. Exit codes: 0 done, 1 no, 2 wrong use, 3 out of reach, 78 wrong Node version. */
async function runCommandLine(words: readonly string[]): Promise<void> {
  outliveReaders();
  const program = new Command('sinete')
    .description('Signs documents with your own keys, on this computer.')
    .version(product.version)
    .showHelpAfterError('(add --help to see what a command takes)')
    .exitOverride();
  addServeCommands(program);
  addCertificateCommands(program);
  addModuleCommands(program);
  addSignCommand(program);
  addRaiseCommand(program);
  addValidateCommand(program);
  addTimestampCommands(program);
  addTrustCommands(program);
  addSiteCommands(program);
  addStoreCommands(program);
  addTestServicesCommand(program);
  addUserCommands(program);
  addApplicationCommands(program);
  addNotificationCommands(program);
  addAuditCommands(program);
  addBackupCommands(program);
  addDemoCommand(program);
  addDoctorCommand(program);
  try {
    await program.parseAsync(words);
  } catch (error) {
    process.exitCode = tell(error);
  }
}

/** Says what went wrong in one sentence and answers the exit code. */
function tell(error: unknown): number {
  if (error instanceof AppError) {
    printNote(`sinete: ${error.message}`);
    return error.exitCode;
  }
  if (error instanceof StorageError) {
    printNote(`sinete: ${error.message} ${error.remedy}`.trim());
    return 3;
  }
  if (error instanceof ServiceError || error instanceof SigningError) {
    printNote(`sinete: ${error.message}`);
    return 1;
  }
  // Commander has told already; its own errors carry the code that it would have ended with.
  if (error instanceof Error && 'exitCode' in error) return error.exitCode === 0 ? 0 : 2;
  printNote(`sinete: something unforeseen happened. ${error instanceof Error ? (error.stack ?? error.message) : ''}`);
  return 3;
}

await runCommandLine(process.argv);
