/** Kills an instance between the approval of hashes and its answer, and looks at what the next start makes of them. */
import { spawn, type ChildProcess } from 'node:child_process';
import { createHash, randomInt } from 'node:crypto';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createInterface } from 'node:readline';
import { verifyCms } from '../../../src/signing/index.ts';

const CHILD = fileURLToPath(new URL('hash-child.ts', import.meta.url));

/** Hashes of a transaction. */
const HASHES = 12;
/** Most queries from the approval to the kill. */
const MOST_QUERIES = 40;

/** Counts that must be zero, and the number of rounds in which the kill came before the last signature. */
export interface HashKills {
  readonly unapproved: number;
  readonly wrong: number;
  readonly changed: number;
  readonly lost: number;
  readonly interrupted: number;
}

interface Entry {
  readonly id: string;
  readonly status: string;
  readonly signature?: string;
}

interface Transaction {
  readonly tcn: string;
  readonly status: string;
  readonly waiting_for: string | null;
  readonly documents: readonly Entry[];
}

class Instance {
  readonly #child: ChildProcess;
  readonly baseUrl: string;

  private constructor(child: ChildProcess, baseUrl: string) {
    this.#child = child;
    this.baseUrl = baseUrl;
  }

  static async start(folder: string): Promise<Instance> {
    const child = spawn(process.execPath, [CHILD, folder], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    for await (const line of createInterface({ input: child.stdout })) {
      const [, baseUrl] = /^ready (\S+)$/.exec(line) ?? [];
      if (baseUrl !== undefined) return new Instance(child, baseUrl);
    }
    throw new Error('The instance ended before it was ready.');
  }

  approve(tcn: string): void {
    this.#child.stdin?.write(`approve ${tcn}\n`);
  }

  async kill(): Promise<void> {
    const ended = new Promise((resolve) => this.#child.once('exit', resolve));
    this.#child.kill('SIGKILL');
    await ended;
  }

  async query(tcn: string, wait = 0): Promise<Transaction> {
    return (await (await fetch(`${this.baseUrl}/signature-service/${tcn}?wait=${wait}`)).json()) as Transaction;
  }

  async create(contents: readonly string[]): Promise<string> {
    const hashes = contents.map((content) => ({ hash: createHash('sha256').update(content).digest('base64') }));
    const answer = await fetch(`${this.baseUrl}/signature-service`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ type: 'CAdES-detached', hashes }),
    });
    return ((await answer.json()) as Transaction).tcn;
  }
}

/** Runs the rounds in one data folder: each start goes on with the transactions of the round before. */
export async function runHashKills(rounds: number): Promise<HashKills> {
  const folder = await mkdtemp(join(tmpdir(), 'hash-kills-'));
  await mkdir(join(folder, 'data'), { mode: 0o700 });
  const found = { unapproved: 0, wrong: 0, changed: 0, lost: 0, interrupted: 0 };
  let instance = await Instance.start(folder);
  try {
    for (let round = 0; round < rounds; round++) {
      const contents = Array.from({ length: HASHES }, (_one, index) => `document ${round} ${index}`);
      const approved = await instance.create(contents);
      const unapproved = await instance.create(contents);
      const seen = await killAfterApproval(instance, approved);
      if (seen.size < HASHES) found.interrupted++;
      instance = await Instance.start(folder);
      await judge(await finalOf(instance, approved), contents, seen, found);
      const other = await instance.query(unapproved);
      if (other.waiting_for !== 'approval' || other.documents.some(({ signature }) => signature !== undefined)) {
        found.unapproved++;
      }
    }
  } finally {
    await instance.kill();
    await rm(folder, { recursive: true, force: true });
  }
  return found;
}

/** Approves, kills the instance some time later, and answers the signatures that were told before. */
async function killAfterApproval(instance: Instance, tcn: string): Promise<ReadonlyMap<string, string>> {
  const seen = new Map<string, string>();
  instance.approve(tcn);
  for (let left = randomInt(MOST_QUERIES); left > 0 && seen.size < HASHES; left--) {
    const { documents } = await instance.query(tcn);
    for (const { id, signature } of documents) if (signature !== undefined) seen.set(id, signature);
  }
  await instance.kill();
  return seen;
}

/** The approval may have been lost with the process: then nothing is signed, and a second one is given. */
async function finalOf(instance: Instance, tcn: string): Promise<Transaction> {
  for (let attempt = 0; ; attempt++) {
    const state = await instance.query(tcn, attempt === 0 ? 0 : 10);
    if (state.status !== 'WAITING' || attempt === 10) return state;
    if (state.waiting_for === 'approval') instance.approve(tcn);
  }
}

async function judge(
  { documents }: Transaction,
  contents: readonly string[],
  seen: ReadonlyMap<string, string>,
  found: { wrong: number; changed: number; lost: number },
): Promise<void> {
  for (const [index, content] of contents.entries()) {
    const entry = documents.find(({ id }) => id === String(index));
    if (entry?.status !== 'SIGNED' || entry.signature === undefined) {
      found.lost++;
      continue;
    }
    const { intact } = await verifyCms(Buffer.from(entry.signature, 'base64'), Buffer.from(content));
    if (!intact) found.wrong++;
    if ((seen.get(entry.id) ?? entry.signature) !== entry.signature) found.changed++;
  }
}
