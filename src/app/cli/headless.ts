import { basename, resolve } from 'node:path';
import { listSetAside } from '../../storage/index.ts';
import { AppError } from '../app-error.ts';
import { ensureRenderer } from './build-renderer.ts';
import { readConfiguration, type Configuration } from '../config/config.ts';
import { findRunningInstance, requestLink } from './core-client.ts';
import { dataFolder } from '../config/data-folder.ts';
import { printLine, printNote, printTable } from './print.ts';
import { passphraseAsker } from './secret-input.ts';
import { startSinete, type Sinete, type StartOptions } from '../instance/start-sinete.ts';
import { notifySupervisor } from './notify-supervisor.ts';
import { stopSignal } from './stop-signal.ts';
import { dropUndefined } from '../../values/drop-undefined.ts';

/** Options of `sinete serve`. */
export interface ServeOptions {
  readonly data?: string;
  readonly port?: number;
  readonly config?: string;
  readonly approve?: Configuration['approve'];
  readonly allowRoot?: boolean;
}

/**
 * Runs without a desktop until the process is asked to end. Answers false if another process already serves this data
 * folder.
 */
export async function runHeadless(options: ServeOptions): Promise<boolean> {
  const folder = dataFolder(options.data);
  const running = await findRunningInstance(folder);
  if (running !== undefined) {
    printLine(`Sinete is already running on ${folder}, at ${running.baseUrl}.`);
    printLine(`Window: ${await requestLink(running)}`);
    return false;
  }
  const configuration = await configurationFor(options, folder);
  const hasWindow = await ensureRenderer();
  const sinete = await startOrEnd({
    dataFolder: folder,
    configuration,
    askPassphrase: passphraseAsker(configuration.secretStore),
    allowRoot: options.allowRoot,
    configFile: options.config === undefined ? undefined : resolve(options.config),
  });
  // Registered before the output, because a reader of the output may stop the process at once.
  const stopped = stopSignal();
  announce(sinete, hasWindow);
  await noteSetAside(folder);
  notifySupervisor('READY=1');
  await stopped;
  notifySupervisor('STOPPING=1');
  printNote('Stopping…');
  if (await sinete.stop()) return true;
  printNote('Signatures did not end within shutdown_timeout. Their documents are signed after the next start.');
  // A token or server that does not answer would otherwise keep the process running.
  process.exit(0);
}

/** Milliseconds for open handles after a failed start. A process that does not end would hide the failure. */
const endPatience = 5000;

async function startOrEnd(options: StartOptions): Promise<Sinete> {
  try {
    return await startSinete(options);
  } catch (error) {
    setTimeout(() => process.exit(), endPatience).unref();
    throw error;
  }
}

/** The configuration with the options of the command line, which take precedence. */
async function configurationFor(options: ServeOptions, folder: string): Promise<Configuration> {
  const { port, config, approve } = options;
  const configuration = await readConfiguration({
    dataFolder: folder,
    file: config,
    environment: process.env,
  });
  for (const [key, value] of Object.entries({ port, approve })) {
    if (value === undefined || !configuration.lockedKeys.includes(key)) continue;
    throw new AppError(2, `The policy of this computer sets "${key}": leave --${key} out.`);
  }
  const wanted = {
    ...configuration,
    ...dropUndefined({ port, approve }),
  };
  if (wanted.approve === 'listed' && wanted.approved.length === 0) {
    const remedy = 'name client ids of applications, or origins of sites, in "approved" of the configuration';
    throw new AppError(2, `Nobody is listed whose signatures would be approved: ${remedy}.`);
  }
  return wanted;
}

/**
 * Lines that explain how to open the window. The output of a server is kept in a log, so a link with a key is not
 * printed there.
 */
function windowLines(sinete: Sinete, hasWindow: boolean, isOpen: boolean): readonly string[] {
  if (!hasWindow) return ['The window is not built ("npm run build" needs the development packages). Ctrl+C stops.'];
  if (isOpen) return ['Window:       "sinete link" on this computer prints its link', 'Ctrl+C stops.'];
  return [
    `Window:       ${sinete.issueLink()}`,
    'The link works once, within ten minutes; "sinete link" prints another one. Ctrl+C stops.',
  ];
}

function announce(sinete: Sinete, hasWindow: boolean): void {
  const { core, baseUrl } = sinete;
  const { secrets, configuration, dataFolder: folder } = core;
  const names = ['Signing service', 'Authorization', 'Registry', 'Local helper'];
  const placeholders = ['{base_url}', '{auth_url}', '{registry_url}', '{assistant_url}'];
  const rows = names.map((name, index) => [name, placeholders[index] ?? '', baseUrl]);
  const isOpen = sinete.listeners.some(({ publicUrl }) => publicUrl !== undefined);
  printLine(
    isOpen
      ? 'Sinete is running, and other computers can reach it.'
      : 'Sinete is running. Only programs of this computer and of your user can reach it.',
  );
  printLine();
  printTable(['Service', 'In the document', 'Address'], rows);
  printLine();
  if (sinete.listeners.length > 0) {
    const further = sinete.listeners.map(({ address, publicUrl, services }) => [
      address,
      publicUrl ?? 'this computer only',
      services.join(' '),
    ]);
    printTable(['Listener', 'Reached as', 'Services'], further);
    printLine();
  }
  printLine(`Endpoints:    ${baseUrl}/docs`);
  printLine(`Data folder:  ${folder}`);
  for (const line of windowLines(sinete, hasWindow, isOpen)) printLine(line);
  if (process.geteuid?.() === 0) {
    printNote(
      'Warning: Sinete runs as root. Programs of root may read and write every file of this computer through it; ' +
        'programs of other users are refused. Run it as a user of its own.',
    );
  }
  if (configuration.approve === 'all') {
    printNote('Warning: --approve all. Every program of your user may sign with your keys without asking you.');
  }
  if (configuration.approve === 'listed') {
    const names = configuration.approved.join(', ');
    printNote(`Note: --approve listed. These may sign with your keys without asking you: ${names}.`);
  }
  if (secrets.detail !== null) printNote(`Note: ${secrets.detail}`);
}

/** Without this note, an empty database would later look like one lost by damage. */
async function noteSetAside(folder: string): Promise<void> {
  const aside = (await listSetAside(folder)).find(({ kind }) => kind === 'damaged');
  if (aside === undefined) return;
  printNote(`Note: a damaged database was set aside, ${basename(aside.path)}: "sinete doctor" tells what to do.`);
}

/** Reads `--port`. */
export function readPort(text: string): number {
  const port = Number(text);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) throw new AppError(2, `"${text}" is not a port.`);
  return port;
}
