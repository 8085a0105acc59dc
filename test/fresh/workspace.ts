import { mkdirSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runTool } from '../oracles/run-program.ts';
import {
  addOrdinaryUser,
  buildRoot,
  closeAllRoots,
  OpenRoot,
  superuser,
  type Network,
  type Person,
} from './debian-root.ts';
import { readMachineSettings, type MachineSettings } from './machine-settings.ts';

const repository = fileURLToPath(new URL('../..', import.meta.url));

/** The name of the folder holding the clone, in the home folder of its user. */
const CLONE = 'sinete';

/** The folder of the clone inside a root. */
export const cloneOf = ({ home }: Person): string => join(home, CLONE);

/** Everything made by a run: one temporary folder, with roots inside. */
export class Workspace {
  readonly folder: string;
  readonly settings: MachineSettings;
  readonly #base: string;
  #isClosing = false;
  #count = 0;

  constructor() {
    this.settings = readMachineSettings();
    this.folder = mkdtempSync(join(tmpdir(), 'sinete-fresh-'));
    this.#base = join(this.folder, 'base');
  }

  /** The file taking the output of all commands. */
  get log(): string {
    return join(this.folder, 'output.log');
  }

  /** The end of the output so far. */
  endOfLog(lines: number): string {
    try {
      return readFileSync(this.log, 'utf8').trimEnd().split('\n').slice(-lines).join('\n');
    } catch {
      return '';
    }
  }

  /** Builds the root copied by all others: of the machine's own release of Debian, or of another. */
  async buildBase(release?: string): Promise<void> {
    await buildRoot(this.#base, this.settings, { release });
    await addOrdinaryUser(this.#base);
    this.#expectOpen();
  }

  /** A fresh copy of the base with a clone of the committed tree for each of these users. */
  async makeRoot(people: readonly Person[]): Promise<string> {
    this.#expectOpen();
    const root = join(this.folder, `root-${++this.#count}`);
    await runTool('cp', ['-a', '--reflink=auto', this.#base, root]);
    for (const person of people) await this.#cloneInto(root, person);
    return root;
  }

  async #cloneInto(root: string, person: Person): Promise<void> {
    const place = join(root, cloneOf(person));
    await git('clone', '--quiet', '--no-hardlinks', repository, place);
    if (person !== superuser) await runTool('chown', ['-R', `${person.id}:${person.id}`, place]);
  }

  /** Opens a root for commands. `shared` is a folder of this workspace, at `/mnt` inside. */
  async open(root: string, shared: string, network: Network = 'connected'): Promise<OpenRoot> {
    const place = join(this.folder, shared);
    mkdirSync(place, { recursive: true });
    const open = await OpenRoot.open(root, { shared: place, log: this.log, settings: this.settings, network });
    this.#expectOpen();
    return open;
  }

  /** Removes a root, to make room on the disk for the next. */
  async removeRoot(root: string): Promise<void> {
    await runTool('rm', ['-rf', '--one-file-system', root]);
  }

  /** Ends all processes and removes the folder; with `keep` the folder stays. */
  async close(keep = false): Promise<void> {
    this.#isClosing = true;
    await closeAllRoots();
    if (!keep) await runTool('rm', ['-rf', '--one-file-system', this.folder]);
  }

  /** Closes and ends this program with 130 on an interruption. Answers a function to stop watching. */
  closeOnSignals(keep = false): () => void {
    const close = (): void => {
      if (this.#isClosing) return;
      console.error('Interrupted: removing the temporary folder.');
      void this.close(keep).finally(() => process.exit(130));
    };
    const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
    for (const signal of signals) process.on(signal, close);
    return () => {
      for (const signal of signals) process.off(signal, close);
    };
  }

  /** True while everything is being removed. */
  get isClosing(): boolean {
    return this.#isClosing;
  }

  #expectOpen(): void {
    if (this.#isClosing) throw new Error('The run was interrupted.');
  }
}

/** The number of files of the checkout changed and not committed: no clone has these files. */
export async function countUncommitted(): Promise<number> {
  const status = await git('-C', repository, 'status', '--porcelain');
  return status.split('\n').filter((line) => line !== '').length;
}

async function git(...parameters: readonly string[]): Promise<string> {
  // Git refuses a repository of another user, as a checkout made by a build service may be.
  const trust = { GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: 'safe.directory', GIT_CONFIG_VALUE_0: '*' };
  return runTool('git', parameters, { environment: trust });
}
