/** A minimal Debian in a folder, with Node in it and nothing else, and commands that run inside. */
import { spawn, type ChildProcess } from 'node:child_process';
import {
  appendFileSync,
  chownSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runTool } from '../oracles/run-program.ts';
import { knownWords } from '../setup/shell-text.ts';
import { systemTool } from '../setup/system-packages.ts';
import { CERTIFICATES_FILE, machineProgram, type MachineSettings } from './machine-settings.ts';

/** A user inside. */
export interface Person {
  readonly name: string;
  readonly id: number;
  readonly home: string;
}

export const superuser: Person = { name: 'root', id: 0, home: '/root' };
export const ordinaryUser: Person = { name: 'maria', id: 1000, home: '/home/maria' };

/** How a command ended: its exit code (null after a signal), and the end of its output. */
export interface Outcome {
  readonly code: number | null;
  /** Standard output and standard error in the order in which they came; the last 4 MiB. */
  readonly output: string;
}

/** How a command runs inside. */
export interface CommandOptions {
  readonly as?: Person;
  /** Its folder; the home folder without one. */
  readonly folder?: string;
  readonly environment?: Readonly<Record<string, string>>;
  /** Writes to this program's own standard output and error, instead of to the log. */
  readonly shown?: boolean;
}

/** A command running inside. */
export interface RunningCommand {
  readonly ended: Promise<Outcome>;
  /** Its output so far. */
  readonly output: () => string;
  /** Sends a signal to all of its processes, as a terminal does for Ctrl+C. */
  readonly interrupt: (signal: NodeJS.Signals) => void;
}

const OUTPUT_LIMIT = 4 * 2 ** 20;
const enterScript = fileURLToPath(new URL('enter-root.sh', import.meta.url));

/** The content of a root besides Debian's required packages, apt, Node and npm. */
export interface RootContents {
  /** Another release of Debian than the machine's own, from the same mirrors. */
  readonly release?: string;
  readonly packages?: readonly string[];
}

/** The release this machine runs, and the files naming its package mirrors. */
function packageSources(): { readonly codename: string; readonly files: readonly string[] } {
  const codename = /^VERSION_CODENAME=(\w+)$/m.exec(readFileSync('/etc/os-release', 'utf8'))?.[1];
  if (codename === undefined) throw new Error('/etc/os-release names no release of Debian or Ubuntu.');
  const usual = ['sources.list', 'sources.list.d/debian.sources', 'sources.list.d/ubuntu.sources'];
  const files = usual.map((name) => join('/etc/apt', name));
  return {
    codename,
    files: files.filter((path) => existsSync(path) && /^(deb |Types:)/m.test(readFileSync(path, 'utf8'))),
  };
}

/** Writes the files naming the package mirrors anew, for another release, beside `folder`. */
function sourcesOf(release: string, folder: string): readonly string[] {
  const { codename, files } = packageSources();
  return files.map((file, index) => {
    const copy = `${folder}.${index}${file.endsWith('.list') ? '.list' : '.sources'}`;
    writeFileSync(copy, readFileSync(file, 'utf8').replaceAll(codename, release));
    return copy;
  });
}

/**
 * Builds the root in a new folder: Debian's required packages and apt (mmdebstrap's `minbase`), Node and npm of this
 * machine, and the settings of its network. Takes about 20 s and 350 MB without other packages.
 */
export async function buildRoot(
  folder: string,
  settings: MachineSettings,
  { release, packages = [] }: RootContents = {},
): Promise<void> {
  const machine = packageSources();
  const codename = release ?? machine.codename;
  const files = release === undefined ? machine.files : sourcesOf(release, folder);
  const aptFile = `${folder}.apt`;
  if (settings.certificates !== '') writeFileSync(`${folder}.pem`, settings.certificates);
  // Inside the root the certificates have another path than here, where apt runs while the root is being built.
  const aptHere = settings.apt.replaceAll(CERTIFICATES_FILE, `${folder}.pem`);
  writeFileSync(aptFile, aptHere, { mode: 0o600 });
  const builder = spawn(
    systemTool('unshare'),
    knownWords([
      '--mount',
      '--pid',
      '--fork',
      '--kill-child',
      '--mount-proc',
      systemTool('mmdebstrap'),
      '--mode=root',
      '--variant=minbase',
      '--quiet',
      `--aptopt=${aptFile}`,
      ...packages.map((name) => `--include=${name}`),
      codename,
      folder,
      ...files,
    ]),
    { stdio: ['ignore', 'pipe', 'pipe'], detached: true },
  );
  track(builder);
  const { code, output } = await collect(builder);
  if (code !== 0) throw new Error(`mmdebstrap failed: ${output.trim().split('\n').slice(-5).join('\n')}`);
  putNodeInto(folder);
  putSettingsInto(folder, settings);
}

function putNodeInto(folder: string): void {
  const local = join(folder, 'usr/local');
  copyFileSync(machineProgram('node'), join(local, 'bin/node'));
  const npmScript = machineProgram('npm');
  mkdirSync(join(local, 'lib/node_modules'), { recursive: true });
  cpSync(dirname(dirname(npmScript)), join(local, 'lib/node_modules/npm'), { recursive: true, dereference: true });
  for (const name of ['npm', 'npx'])
    symlinkSync(`../lib/node_modules/npm/bin/${name}-cli.js`, join(local, 'bin', name));
}

function putSettingsInto(folder: string, settings: MachineSettings): void {
  for (const path of ['/etc/hosts', '/etc/resolv.conf', ...settings.files]) {
    if (!existsSync(path)) continue;
    mkdirSync(join(folder, dirname(path)), { recursive: true });
    copyFileSync(realpathSync(path), join(folder, path));
  }
  if (settings.certificates !== '') writeFileSync(join(folder, CERTIFICATES_FILE), settings.certificates);
  writeFileSync(join(folder, 'etc/apt/apt.conf.d/99mmdebstrap'), settings.apt);
  writeFileSync(join(folder, 'root/.npmrc'), settings.npmrc, { mode: 0o600 });
}

/** Adds the ordinary user to a root that is not open, with the same settings of npm. */
export async function addOrdinaryUser(folder: string): Promise<void> {
  const { name, id, home } = ordinaryUser;
  await runTool('chroot', [folder, 'useradd', '--create-home', '--uid', `${id}`, name]);
  copyFileSync(join(folder, 'root/.npmrc'), join(folder, home, '.npmrc'));
  chownSync(join(folder, home, '.npmrc'), id, id);
}

/**
 * Processes of the machine that have namespaces of their own. Everything running in these namespaces ends at the same
 * time.
 */
const started = new Set<ChildProcess>();

function track(child: ChildProcess): void {
  started.add(child);
  child.once('close', () => started.delete(child));
}

/** Ends every root that is open or being built, so that its folder can be removed. */
export async function closeAllRoots(): Promise<void> {
  const ends = [...started].map(async (child) => {
    const closed = new Promise((resolve) => child.once('close', resolve));
    child.kill('SIGKILL');
    await closed;
  });
  await Promise.all(ends);
}

/** Waits for the end of a process whose output is read here. */
async function collect(child: ChildProcess, tell: (text: string) => void = () => undefined): Promise<Outcome> {
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-OUTPUT_LIMIT);
      tell(text);
    });
  }
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  return { code, output };
}

/** Where an open root is on the network. */
export type Network = 'connected' | 'apart';

/** A root whose namespaces exist: commands can run inside until it is closed. */
export class OpenRoot {
  readonly #keeperEnded: Promise<unknown>;
  /** The first process of the namespaces, as this machine counts. */
  readonly #first: number;
  readonly #settings: MachineSettings;
  readonly #log: string;

  private constructor(keeperEnded: Promise<unknown>, first: number, settings: MachineSettings, log: string) {
    this.#keeperEnded = keeperEnded;
    this.#first = first;
    this.#settings = settings;
    this.#log = log;
  }

  /**
   * Opens the root in `folder`. `shared` is a folder of the machine that is at `/mnt` inside; `log` takes the output of
   * commands. `apart` means a network of its own with a loopback interface, without IPv6 and without a way out.
   */
  static async open(
    folder: string,
    options: {
      readonly shared: string;
      readonly log: string;
      readonly settings: MachineSettings;
      readonly network?: Network;
    },
  ): Promise<OpenRoot> {
    const network = options.network ?? 'connected';
    const apart = network === 'apart' ? ['--net'] : [];
    const words = ['sh', enterScript, folder, options.shared, network];
    const programs = [
      systemTool('mount'),
      systemTool('umount'),
      ...(network === 'apart' ? [systemTool('ip')] : ['ip']),
    ];
    const parts = ['--mount', '--pid', ...apart, '--fork', '--kill-child', ...words];
    const keeper = spawn(systemTool('unshare'), knownWords(parts, programs), {
      stdio: ['pipe', 'pipe', 'pipe'],
      detached: true,
    });
    track(keeper);
    const ended = collect(keeper);
    await new Promise<void>((resolve, reject) => {
      keeper.stdout.on('data', (text: string) => {
        if (text.includes('ready')) resolve();
      });
      ended.then(({ output }) => reject(new Error(`The root cannot be entered: ${output.trim()}`)), reject);
    });
    const [first] = childrenOf(keeper.pid ?? 0);
    if (first === undefined) throw new Error('The first process of the root is not there.');
    return new OpenRoot(ended, first, options.settings, options.log);
  }

  /** Starts a line of shell inside. Nothing is on its standard input. */
  start(command: string, options: CommandOptions = {}): RunningCommand {
    const { name, id, home } = options.as ?? superuser;
    const child = spawn(
      systemTool('nsenter'),
      knownWords([
        '--target',
        `${this.#first}`,
        '--mount',
        '--pid',
        '--net',
        '--setuid',
        `${id}`,
        '--setgid',
        `${id}`,
        '--',
        'sh',
        '-c',
        'cd "$1" && exec sh -c "$2"',
        'sh',
        options.folder ?? home,
        command,
      ]),
      {
        env: {
          PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
          HOME: home,
          USER: name,
          LOGNAME: name,
          LANG: 'C.UTF-8',
          ...this.#settings.environment,
          ...options.environment,
        },
        stdio: options.shown === true ? ['ignore', 'inherit', 'inherit'] : ['ignore', 'pipe', 'pipe'],
        detached: true,
      },
    );
    let output = '';
    appendFileSync(this.#log, `$ ${command}\n`);
    const ended = collect(child, (text) => {
      output = (output + text).slice(-OUTPUT_LIMIT);
      appendFileSync(this.#log, text);
    });
    return {
      ended,
      output: () => output,
      interrupt: (signal) => {
        for (const pid of descendantsOf(child.pid ?? 0)) sendSignal(pid, signal);
      },
    };
  }

  /** Runs a line of shell inside to its end. */
  async run(command: string, options: CommandOptions = {}): Promise<Outcome> {
    return this.start(command, options).ended;
  }

  /** Ends all processes inside; their namespaces and mounts go with them. */
  async close(): Promise<void> {
    // The end of its first process is the end of every process in the namespace.
    sendSignal(this.#first, 'SIGKILL');
    await this.#keeperEnded.catch(() => undefined);
  }
}

function childrenOf(pid: number): readonly number[] {
  try {
    const threads = readdirSync(`/proc/${pid}/task`);
    const lists = threads.map((thread) => readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8'));
    return lists.flatMap((text) => text.split(' ').filter((word) => word !== '')).map(Number);
  } catch (error) {
    // The process has ended.
    if (['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) return [];
    throw error;
  }
}

function descendantsOf(pid: number): readonly number[] {
  return childrenOf(pid).flatMap((child) => [child, ...descendantsOf(child)]);
}

function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
