import { setTimeout as sleep } from 'node:timers/promises';
import { X509Certificate } from 'node:crypto';
import { Option, type Command } from 'commander';
import type { TestServicesView } from '../../../ui-contract/ui-contract.ts';
import { AppError } from '../../app-error.ts';
import { clientOf, findRunningInstance, type ClientOptions, type CoreClient } from '../core-client.ts';
import { dataFolder } from '../../config/data-folder.ts';
import { readPort } from '../headless.ts';
import { openLocalCore } from '../local-client.ts';
import { testServicesForUi } from '../../compose/leased-test-services.ts';
import { printLine, printNote } from '../print.ts';
import { stopSignal } from '../stop-signal.ts';
import { readDuration, readMoment, readYears } from '../read-options.ts';
import { revokeTestCertificate, runTestServices, type TestServicesWishes } from '../../test-services/test-services.ts';
import { REVOCATION_REASONS, type TestRevocationReason } from '../../../test-authority/index.ts';
import { withClient, withCommonOptions, type CommonOptions } from '../with-client.ts';

interface TestServicesOptions extends ClientOptions, TestServicesWishes {
  readonly port?: number;
}

interface RevokeOptions extends CommonOptions {
  readonly reason?: TestRevocationReason;
  readonly at?: string;
}

/**
 * Milliseconds between two calls that keep a running instance's services alive, and that start them again after a
 * restart.
 */
const prolongation = 2000;

/** `test-services`: time stamps, OCSP and lists of the test authority, until stopped. */
export function addTestServicesCommand(program: Command): void {
  const command = program
    .command('test-services')
    .description(
      'run a time-stamp server, OCSP responder and CRL server for test identities, which have no legal value',
    )
    .option('--port <port>', 'the port to listen on', readPort)
    .option('--data <folder>', 'data folder')
    .option('--config <file>', 'configuration file')
    .option('--ocsp-lifetime <time>', 'until the next update of OCSP answers: 90s, 30m, 1h, 7d', readDuration)
    .option('--crl-lifetime <time>', 'until the next update of lists: 90s, 30m, 6h, 7d', readDuration)
    .option('--now <moment>', "what the services' clock says at their start: 2036-03-01T12:00:00Z", readMoment)
    .option('--years <number>', 'years of the certificates of time-stamp server and responders', readYears)
    .action(run);
  withCommonOptions(command.command('revoke <alias>').description('revoke a test certificate'))
    .addOption(new Option('--reason <reason>', 'why').choices(Object.keys(REVOCATION_REASONS)))
    .option('--at <moment>', 'since when; by default now', readMoment)
    .action(revoke);
}

/** Running services report the revocation at once, later ones from their start. */
async function revoke(alias: string, _options: RevokeOptions, command: Command): Promise<void> {
  const options = command.optsWithGlobals<RevokeOptions>();
  const { pem } = await withClient(options, (client) => client.call('certificates.describe', { alias }));
  const certificate = new X509Certificate(pem).raw;
  const { reason } = options;
  const at = options.at === undefined ? new Date() : new Date(options.at);
  await revokeTestCertificate(dataFolder(options.data), {
    certificate,
    at,
    reason,
  });
  printLine(`Revoked as of ${at.toISOString()}: ${alias}`);
}

async function run(options: TestServicesOptions): Promise<void> {
  const running = await findRunningInstance(dataFolder(options.data));
  if (running === undefined) await runHere(options);
  else await runInInstance(options);
}

/** Opens the data folder only for the keys, so that other commands can use the folder while the services run. */
async function runHere(options: TestServicesOptions): Promise<void> {
  const folder = dataFolder(options.data);
  const { core, configuration } = await openLocalCore(folder, options);
  const authority = await core.testIdentities.openAuthority().finally(async () => core.close());
  const port = options.port ?? configuration.testServicesPort;
  const services = await runTestServices(folder, authority, port, options);
  announce(testServicesForUi(services));
  await stopSignal();
  await services.close();
}

/**
 * Lets the running instance, which holds the data folder, run the services for the duration of this command. The
 * command outlives the instance: after a restart the new instance runs the services again.
 */
async function runInInstance(options: TestServicesOptions): Promise<void> {
  const { port, ocspLifetime, crlLifetime, now, years } = options;
  const wishes = { port, ocspLifetime, crlLifetime, now, years };
  let isRunning = false;
  const prolong = async (): Promise<void> => {
    const view = await callInstance(options, async (client) => client.call('testServices.run', wishes));
    if (view === undefined && isRunning) printNote('The instance has ended: waiting for it to be started again…');
    if (view !== undefined && !isRunning) announce(view);
    isRunning = view !== undefined;
  };
  // Registered before the output, because a reader of the output may stop the process at once.
  const stopped = stopSignal().then(() => true);
  await prolong();
  while (!(await Promise.race([stopped, sleep(prolongation, false)]))) await prolong();
  await callInstance(options, async (client) => client.call('testServices.stop', {}));
}

/** The answer of the running instance; undefined without an instance, or while the instance starts or ends. */
async function callInstance<Result>(
  options: TestServicesOptions,
  action: (client: CoreClient) => Promise<Result>,
): Promise<Result | undefined> {
  const running = await findRunningInstance(dataFolder(options.data));
  if (running === undefined) return undefined;
  return action(clientOf(running)).catch((error: unknown) => {
    // A refused call has a code; an instance that is shutting down answers without one.
    if (error instanceof AppError && error.exitCode === 3 && error.code === undefined) return undefined;
    throw error;
  });
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
