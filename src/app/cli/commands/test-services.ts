import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from 'commander';
import type { TestServicesView } from '../../../ui-contract/ui-contract.ts';
import { readConfiguration } from '../../config/config.ts';
import { findRunningInstance, openCoreClient, type ClientOptions } from '../core-client.ts';
import { dataFolder } from '../../config/data-folder.ts';
import { readPort } from '../headless.ts';
import { testServicesForUi } from '../../compose/leased-test-services.ts';
import { openCore } from '../../compose/open-core.ts';
import { printLine, printNote } from '../print.ts';
import { askPassphraseHere } from '../secret-input.ts';
import { stopSignal } from '../stop-signal.ts';
import { runTestServices } from '../../test-services/test-services.ts';

interface TestServicesOptions extends ClientOptions {
  readonly port?: number;
}

/** Milliseconds between two calls that keep a running instance's services alive. */
const prolongation = 10_000;

/** `test-services`: time stamps, OCSP and lists of the test authority, until stopped. */
export function addTestServicesCommand(program: Command): void {
  program
    .command('test-services')
    .description(
      'run a time-stamp server, OCSP responder and CRL server for test identities, which have no legal value',
    )
    .option('--port <port>', 'the port to listen on', readPort)
    .option('--data <folder>', 'data folder')
    .option('--config <file>', 'configuration file')
    .action(run);
}

async function run(options: TestServicesOptions): Promise<void> {
  const running = await findRunningInstance(dataFolder(options.data));
  if (running === undefined) await runHere(options);
  else await runInInstance(options);
}

/** The data folder is opened for the keys only, so that other commands can use the folder while the services run. */
async function runHere(options: TestServicesOptions): Promise<void> {
  const folder = dataFolder(options.data);
  const configuration = await readConfiguration({
    dataFolder: folder,
    ...(options.config === undefined ? {} : { file: options.config }),
    environment: process.env,
  });
  const core = await openCore({ dataFolder: folder, configuration, askPassphrase: askPassphraseHere });
  const authority = await core.testIdentities.openAuthority().finally(async () => core.close());
  const services = await runTestServices(folder, authority, options.port ?? configuration.testServicesPort);
  announce(testServicesForUi(services));
  await stopSignal();
  await services.close();
}

/** A running instance has the data folder: the instance runs the services for the duration of this command. */
async function runInInstance(options: TestServicesOptions): Promise<void> {
  const client = await openCoreClient(options);
  const port = options.port === undefined ? {} : { port: options.port };
  announce(await client.call('testServices.run', port));
  const stopped = stopSignal().then(() => true);
  while (!(await Promise.race([stopped, sleep(prolongation, false)]))) await client.call('testServices.run', port);
  await client.call('testServices.stop', {});
  await client.close();
}

function announce({ origin, timestampUrl, certificatesPointTo }: TestServicesView): void {
  printLine(`Test services run at ${origin}. NOTHING THAT THEY ISSUE HAS LEGAL VALUE.`);
  printLine(`Time stamps:  ${timestampUrl} (as --tsa test, or tsa_server_id "test")`);
  printLine(`OCSP:         ${origin}/ocsp`);
  printLine('Ctrl+C stops.');
  if (certificatesPointTo !== origin) {
    printNote(`Note: test certificates point to ${certificatesPointTo}: B-LT and above need the services there.`);
  }
}
