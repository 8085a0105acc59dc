/** Kills an instance without warning, again and again, and looks at the remains each time. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { DocumentRecord } from '../../../src/service/transactions/index.ts';
import { Chance } from '../../fuzz/mutate.ts';
import { letTimePass } from '../../setup/waits.ts';
import { backUp } from '../backups.ts';
import { expectWellAfterStart } from '../invariants.ts';
import { startProofServices, type ProofServices } from '../proof-services.ts';
import { openProofWorld, prepareProofFolder, type ProofWorld, type Told } from '../proof-world.ts';
import { expectMigrated, makeOldFolder } from './old-folder.ts';

/** The work of an instance at the moment of its kill. */
export type KillTask = 'sign' | 'backup' | 'restore' | 'migrate';

const CHILD = fileURLToPath(new URL('kill-child.ts', import.meta.url));
/** Most rounds are about documents. */
const hat: readonly KillTask[] = ['sign', 'sign', 'sign', 'sign', 'backup', 'backup', 'restore', 'migrate'];
/** A folder grows with each round, and so does the time to look at all its files. */
const ROUNDS_PER_FOLDER = 12;

/** The results of a run. */
export interface KillFigures {
  readonly rounds: number;
  readonly acknowledged: number;
  /** Documents waiting at the kill of the instance, and signed by the next. */
  readonly resumed: number;
  readonly ended: number;
}

interface Ground {
  readonly root: string;
  readonly inBackup: readonly Told[];
  /** Checksums by keys of documents. */
  signed: ReadonlyMap<string, string>;
}

/** Kills so many times; rejects, with the round and the seed, when anything was lost, doubled or left behind. */
export async function runKills(
  rounds: number,
  seed: number,
  tell: (line: string) => void = () => undefined,
  tasks: readonly KillTask[] = hat,
): Promise<KillFigures> {
  const services = await startProofServices();
  const chance = new Chance(seed);
  const figures = { rounds: 0, acknowledged: 0, resumed: 0, ended: 0 };
  let ground: Ground | undefined;
  try {
    for (; figures.rounds < rounds; figures.rounds++) {
      if (figures.rounds % ROUNDS_PER_FOLDER === 0) {
        if (ground !== undefined) rmSync(ground.root, { recursive: true });
        ground = await prepare(services);
      }
      const task = tasks[figures.rounds % tasks.length === 0 ? 0 : chance.below(tasks.length)] ?? 'sign';
      const round = { task, seed: seed + figures.rounds, services, chance };
      const one = await runRound(ground ?? (await prepare(services)), round).catch((cause: unknown) => {
        const reason = cause instanceof Error ? cause.message : String(cause);
        throw new Error(`Round ${figures.rounds} of seed ${seed}, ${task}: ${reason}`, { cause });
      });
      figures.acknowledged += one.acknowledged;
      figures.resumed += one.resumed;
      if (one.ended) figures.ended++;
      if (figures.rounds % 10 === 9) tell(`${figures.rounds + 1} rounds, ${figures.acknowledged} acknowledged`);
    }
    expectOneIdEach(services);
    return figures;
  } finally {
    await services.close();
    if (ground !== undefined) rmSync(ground.root, { recursive: true });
  }
}

async function prepare(services: ProofServices): Promise<Ground> {
  const root = mkdtempSync(join(tmpdir(), 'sinete-kills-'));
  await prepareProofFolder(root, services);
  const proof = await openProofWorld(root, services);
  mkdirSync(join(proof.world.home, 'backups'));
  await expectWellAfterStart(proof);
  await backUp(proof, 'base.backup');
  await proof.stop();
  await makeOldFolder(join(root, 'template'));
  return { root, inBackup: [...proof.told], signed: new Map() };
}

interface Round {
  readonly task: KillTask;
  readonly seed: number;
  readonly services: ProofServices;
  readonly chance: Chance;
}

async function runRound(
  ground: Ground,
  round: Round,
): Promise<{ readonly acknowledged: number; readonly resumed: number; readonly ended: boolean }> {
  const { root } = ground;
  if (round.task === 'migrate') cpSync(join(root, 'template'), join(root, 'old'), { recursive: true });
  const { told, ended, restored } = await killOnce(root, round);
  if (round.task === 'migrate') {
    await expectMigrated(join(root, 'old'));
    rmSync(join(root, 'old'), { recursive: true });
    return { acknowledged: 0, resumed: 0, ended };
  }
  const proof = await openProofWorld(root, round.services);
  try {
    const resumed = await expectAcknowledged(proof, ground, { told, ...round, restored });
    await expectWellAfterStart(proof);
    ground.signed = await checksumsOf(proof);
    expectNoRests(root);
    return { acknowledged: told.size, resumed, ended };
  } finally {
    await proof.stop();
  }
}

/** Starts an instance and kills it at a random moment: after so many lines, and a little later. */
async function killOnce(
  root: string,
  { task, seed, services, chance }: Round,
): Promise<{ readonly told: ReadonlyMap<string, number>; readonly ended: boolean; readonly restored: boolean }> {
  const { timestampUrl, store, receiver } = services;
  const words = [CHILD, root, JSON.stringify({ timestampUrl, store, receiver }), task, String(seed)];
  const child = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'pipe'] });
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  const closed = new Promise<NodeJS.Signals | null>((resolve) => child.once('close', (_, signal) => resolve(signal)));
  const told = new Map<string, number>();
  const linesBefore = 1 + chance.below(task === 'restore' || task === 'migrate' ? 2 : 15);
  const pause = chance.below(60);
  let lines = 0;
  let restored = false;
  createInterface({ input: child.stdout }).on('line', (line) => {
    const [, tcn = '', count = '0'] = /^told (\S+) (\d+)$/.exec(line) ?? [];
    if (tcn !== '') told.set(tcn, Number(count));
    restored ||= line === 'restored';
    if (++lines === linesBefore) void letTimePass(pause).then(() => child.kill('SIGKILL'));
  });
  const signal = await closed;
  assert.ok(signal === 'SIGKILL' || (lines > 0 && errors === ''), `It ended by itself: ${errors}`);
  return { told, ended: signal !== 'SIGKILL', restored };
}

/**
 * Checks acknowledged documents to exist and earlier results to be unchanged. Answers the number of waiting documents.
 */
async function expectAcknowledged(
  proof: ProofWorld,
  ground: Ground,
  { told, task, restored }: { told: ReadonlyMap<string, number>; task: KillTask; restored: boolean },
): Promise<number> {
  const stored = await proof.world.storage.transactions.recent(1_000_000);
  const counts = new Map(stored.map(({ transaction, documents }) => [transaction.tcn, documents.length]));
  for (const [tcn, documents] of told) assert.ok((counts.get(tcn) ?? -1) >= documents, `${tcn} is lost.`);
  const isBackup = counts.size === ground.inBackup.length;
  if (task === 'restore' && (restored || isBackup)) {
    assert.deepEqual([...counts.keys()].sort(), ground.inBackup.map(({ tcn }) => tcn).sort());
    takeAwayDelivered(proof, stored);
  } else {
    const now = await checksumsOf(proof);
    for (const [key, checksum] of ground.signed) assert.equal(now.get(key), checksum, 'A result is another now.');
  }
  proof.told.push(...[...counts].map(([tcn, documents]) => ({ tcn, documents })));
  const waiting = stored.flatMap(({ documents }) => documents).filter(({ status }) => status === 'WAITING');
  await endUploads(proof);
  return waiting.length;
}

/** Results delivered after the backup stay in the user's folder; a restore does not touch such results. */
function takeAwayDelivered(
  { world: { home } }: ProofWorld,
  stored: readonly { readonly documents: readonly DocumentRecord[] }[],
): void {
  const known = new Set(stored.flatMap(({ documents }) => documents.map(({ destinationPath }) => destinationPath)));
  for (const name of readdirSync(home).filter((one) => /^[^.].*(\.p7s|-signed\.pdf)$/.test(one))) {
    if (!known.has(join(home, name))) rmSync(join(home, name));
  }
}

/** Unacknowledged uploads wait for their client, now gone. */
async function endUploads({ world: { transactions } }: ProofWorld): Promise<void> {
  for (const { waitingFor } of await transactions.recent(1_000_000)) {
    assert.ok(waitingFor === null || waitingFor === 'upload', `It waits for ${waitingFor ?? 'nothing'}.`);
  }
}

async function checksumsOf({ world }: ProofWorld): Promise<Map<string, string>> {
  const documents = (await world.storage.transactions.recent(1_000_000)).flatMap((one) => one.documents);
  return new Map(documents.flatMap(({ key, result }) => (result === null ? [] : [[key, result.checksum] as const])));
}

/** Backups are whole or missing; a restore leaves nothing beside the folder but its own set-aside files. */
function expectNoRests(root: string): void {
  for (const name of readdirSync(root)) {
    if (name.startsWith('data.replaced-')) rmSync(join(root, name), { recursive: true });
    else assert.ok(/^(data|home|template)$/.test(name) || name.startsWith('data.restoring-'), name);
  }
  const backups = join(root, 'home', 'backups');
  for (const name of existsSync(backups) ? readdirSync(backups) : []) {
    if (name !== 'base.backup') rmSync(join(backups, name));
  }
}

/** A notification told several times is a single notification. */
function expectOneIdEach({ notified }: ProofServices): void {
  const ids = new Map<string, Set<string>>();
  for (const { path, headers } of notified.arrivals) {
    const tcn = new URL(path, notified.origin).searchParams.get('tcn') ?? '';
    ids.set(tcn, (ids.get(tcn) ?? new Set()).add(String(headers['webhook-id'])));
  }
  for (const [tcn, all] of ids) assert.equal(all.size, 1, `${tcn} was told of under ${all.size} ids.`);
}
