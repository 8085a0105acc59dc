import { spawn } from 'node:child_process';
import { Option, type Command } from 'commander';
import { AppError } from '../../app-error.ts';
import { buildDesktop } from '../build-renderer.ts';
import { findRunningInstance, requestLink } from '../core-client.ts';
import { dataFolder } from '../../config/data-folder.ts';
import { findDesktopRuntime } from '../desktop-runtime.ts';
import { readPort, runHeadless, type ServeOptions } from '../headless.ts';
import { answer, printNote } from '../print.ts';
import { startedBy } from '../../config/variables.ts';
import { stopSignal } from '../stop-signal.ts';

/** `start`, `desktop`, `serve` and `link`: running the application and reaching its window. */
export function addServeCommands(program: Command): void {
  program.command('start').description('run the application: the desktop where it can be, else headless').action(start);
  program.command('desktop').description('run the desktop application').action(runDesktop);
  program
    .command('serve')
    .description('run headless')
    .option('--data <folder>', 'data folder')
    .option('--port <port>', 'the port to listen on, instead of the first free one', readPort)
    .option('--config <file>', 'configuration file')
    .addOption(
      new Option(
        '--approve <who>',
        'who approves signatures: the user; the configuration, for callers that "approved" in it lists; or nobody',
      ).choices(['ask', 'listed', 'all']),
    )
    .option('--allow-root', 'let root serve other computers')
    .action(async (options: ServeOptions) => {
      // A supervisor must not take an instance that did not start for one that has ended successfully.
      if (!(await runHeadless(options))) process.exitCode = 3;
    });
  program
    .command('link')
    .description('print a one-time link to the window of the running instance')
    .option('--data <folder>', 'data folder')
    .option('--json', 'as JSON')
    .action(printLink);
}

async function start(): Promise<void> {
  const runtime = findDesktopRuntime();
  if (runtime.available) {
    await runProgram(runtime.executable, runtime.program);
    return;
  }
  printNote(`Running headless, because ${runtime.reason}.`);
  await runHeadless({});
}

async function runDesktop(): Promise<void> {
  const runtime = findDesktopRuntime();
  if (!runtime.available) {
    throw new AppError(3, `The desktop application cannot run: ${runtime.reason}. ${runtime.remedy}`);
  }
  await runProgram(runtime.executable, runtime.program);
}

async function runProgram(executable: string, program: string): Promise<void> {
  if (!(await buildDesktop())) throw new AppError(3, 'The desktop application cannot be built: run "npm ci" here.');
  const code = await new Promise<number | null>((resolve, reject) => {
    const environment = { ...process.env, [startedBy]: String(process.pid) };
    const child = spawn(executable, [program], { stdio: 'inherit', env: environment });
    void stopSignal().then(() => child.kill('SIGTERM'));
    child.once('error', (cause) => {
      reject(new AppError(3, "Electron's runtime cannot be started.", { cause }));
    });
    child.once('exit', resolve);
  });
  process.exitCode = code ?? 1;
}

async function printLink({ data, json }: { readonly data?: string; readonly json?: boolean }): Promise<void> {
  const running = await findRunningInstance(dataFolder(data));
  if (running === undefined) throw new AppError(3, 'No instance is running on this data folder: start one first.');
  const link = await requestLink(running);
  answer({ json }, { link }, () => link);
}
