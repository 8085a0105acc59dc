/** Several nodes as processes of their own, as on several computers. */
import { mkdirSync } from 'node:fs';
import { copyFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { makeWorkplace, runSinete, serve, type ServingProcess, type Workplace } from '../../app/run-sinete.ts';

/** Where a place keeps its master key. */
export const keyFileOf = ({ folder }: Workplace): string => join(folder, 'keys', 'master.key');

/** Makes a folder for the documents of all nodes, and answers its path. */
export function makeSharedFolder({ folder }: Pick<Workplace, 'folder'>): string {
  const shared = join(folder, 'shared');
  mkdirSync(shared, { mode: 0o700 });
  return shared;
}

/** Makes the test identity for the signatures of nodes, and with it the master key. */
export async function makeTestIdentity(place: Workplace): Promise<void> {
  const words = ['certificates', 'test-identity', '--name', 'Ana Lima', '--cpf', '111.444.777-35'];
  const { code, stderr } = await runSinete(place, words);
  if (code !== 0) throw new Error(`The test identity was not made: ${stderr}`);
}

/** The places and processes of a test's nodes. */
export class NodeProcesses {
  /** The running nodes, in the order of their start. */
  readonly running: ServingProcess[] = [];
  /** The places of all nodes, in the order of their making. */
  readonly places: Workplace[] = [];

  /** Makes a folder with nothing in common with other nodes. */
  async addPlace(environment: Readonly<Record<string, string>> = {}): Promise<Workplace> {
    const made = await makeWorkplace();
    const place = { ...made, environment: { ...made.environment, ...environment } };
    this.places.push(place);
    return place;
  }

  /** Makes the place of another node, with a copy of the master key of the first. */
  async addNode(first: Workplace, environment: Readonly<Record<string, string>>): Promise<Workplace> {
    const place = await this.addPlace(environment);
    await mkdir(join(place.folder, 'keys'), { mode: 0o700 });
    await copyFile(keyFileOf(first), keyFileOf(place));
    return place;
  }

  async start(place: Workplace, words: readonly string[] = ['--approve', 'all'], program?: string) {
    const node = await serve(place, words, program);
    this.running.push(node);
    return node;
  }

  /** Starts `count` nodes with a single test identity; `environment` is their common place. */
  async startTogether(count: number, environment: Readonly<Record<string, string>>, words?: readonly string[]) {
    const first = await this.addPlace(environment);
    await makeTestIdentity(first);
    const nodes = [await this.start(first, words)];
    while (nodes.length < count) nodes.push(await this.start(await this.addNode(first, environment), words));
    return nodes;
  }

  /** Kills the running nodes, and removes all places. */
  async stop(): Promise<void> {
    for (const node of this.running.splice(0)) await node.stop('SIGKILL');
    for (const place of this.places.splice(0)) await place.remove();
  }
}
