import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeWorkplace, serve, spawnSinete, type Workplace } from '../app/run-sinete.ts';
import { Chance } from '../fuzz/mutate.ts';
import { runTool } from '../oracles/run-program.ts';
import { systemFile } from '../setup/system-packages.ts';
import { startHere } from './damage-at-rest.ts';
import { parseRecord, RecordedDisk, writeContent, type Recorded, type Unflushed } from './disk-after-power-loss.ts';
import type { Tally } from './run-faults.ts';
import { healthOf, judge, newRequest, send, type Acknowledged } from './signed-documents.ts';

const SOURCE = fileURLToPath(new URL('./record-writes.c', import.meta.url));

/** A document, and the length of the record when its client had the answer. */
interface Told {
  readonly document: Acknowledged;
  readonly end: number;
}

/** The disk operations of a real instance from its first start on, and the answers to its clients meanwhile. */
interface Recording {
  readonly entries: readonly Recorded[];
  readonly told: readonly Told[];
  /** The length of the record when the key had been made. */
  readonly keyMade: number;
}

/**
 * Cuts the power of a recorded instance at `cuts` places, half of them right after an answer, and starts the product on
 * the possible remains of the disk: only the flushed part, or a part of the rest too. Everything told to a client
 * before must be there, the health check must be OK, and the next document is signed.
 */
export async function losePower(cuts: number): Promise<Tally> {
  const workplace = await makeWorkplace();
  const root = realpathSync(workplace.folder);
  const seed = Date.now() | 0;
  const chance = new Chance(seed);
  let [cases, lost, mixedUp, hidden] = [0, 0, 0, 0];
  try {
    const { inode, entries, told, keyMade } = await recordInstance(workplace, root);
    const disk = new RecordedDisk(root, inode);
    const places = choosePlaces(entries, told, cuts, chance);
    for (const [index, entry] of entries.entries()) {
      disk.play(entry);
      if (!places.has(index)) continue;
      for (const unflushed of ['nothing', 'some'] as const satisfies readonly Unflushed[]) {
        cases++;
        writeContent(root, disk.contentAfterLoss(unflushed, chance));
        const before = told.filter(({ end }) => end <= entry.end).map(({ document }) => document);
        const outcome = await look(root, workplace.data, before, keyMade <= entry.end);
        if (outcome.problem !== '') {
          console.log(
            `seed ${seed}, entry ${index} of ${entries.length}, ${unflushed} of the rest: ${outcome.problem}`,
          );
          hidden++;
        }
        lost += outcome.lost;
        mixedUp += outcome.mixedUp;
      }
    }
    return { name: 'loss of power', cases, acknowledged: told.length, lost, doubled: 0, mixedUp, hidden };
  } finally {
    await workplace.remove();
  }
}

/**
 * The workplace with the surroundings of an instance whose disk operations below `root` are recorded in the file
 * `record`. The library and the record are in the folder `own`. Needs gcc.
 */
export async function recordingDisk(
  workplace: Workplace,
  root: string,
  own: string,
): Promise<{ readonly recorded: Workplace; readonly record: string }> {
  systemFile('C headers');
  const [library, record] = [join(own, 'record-writes.so'), join(own, 'record')];
  await runTool('gcc', ['-shared', '-fPIC', '-O1', '-Wall', '-o', library, SOURCE, '-ldl']);
  const environment = { ...workplace.environment, LD_PRELOAD: library, RECORD_FILE: record, RECORD_ROOT: root };
  return { recorded: { ...workplace, environment }, record };
}

/** Makes a key and signs 24 documents below the recording library, from an empty folder on, and kills the instance. */
async function recordInstance(workplace: Workplace, root: string): Promise<Recording & { readonly inode: number }> {
  const own = mkdtempSync(join(tmpdir(), 'sinete-record-'));
  try {
    rmSync(workplace.data, { recursive: true });
    const inode = statSync(root).ino;
    const environment = { ...workplace.environment, SINETE_APPROVE: 'all', SINETE_LIMITS_FREE_SPACE: '0' };
    const { recorded, record } = await recordingDisk({ ...workplace, environment }, root, own);
    const words = ['certificates', 'test-identity', '--name', 'ANA LIMA', '--cpf', '11144477735'];
    const made = await spawnSinete(recorded, words);
    if (made.code !== 0) throw new Error(made.stderr);
    const keyMade = statSync(record).size;
    const instance = await serve(recorded);
    const told: Told[] = [];
    // In sequence: the record holds hardly more than the answer stands on.
    for (let index = 0; index < 24; index++) {
      const document = await send(instance.baseUrl, newRequest(index));
      if (document === undefined) throw new Error('A document was refused.');
      told.push({ document, end: statSync(record).size });
    }
    await instance.stop('SIGKILL');
    const entries = parseRecord(readFileSync(record));
    expectWhole(root, inode, entries);
    return { inode, entries, told, keyMade };
  } finally {
    rmSync(own, { recursive: true });
  }
}

/** A record with a missing call proves nothing: played to its end, the record gives the folder left by the kill. */
function expectWhole(root: string, inode: number, entries: readonly Recorded[]): void {
  const disk = new RecordedDisk(root, inode);
  for (const entry of entries) disk.play(entry);
  const played = disk.contentAfterLoss('everything', new Chance(0));
  const isCompared = (path: string): boolean => !path.endsWith('-shm');
  const present = readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() || entry.isDirectory())
    .map((entry) => ({ path: join(entry.parentPath, entry.name), isFile: entry.isFile() }));
  const missed = present.filter(
    ({ path, isFile }) =>
      !played.has(path) || (isFile && isCompared(path) && played.get(path)?.equals(readFileSync(path)) !== true),
  );
  const surplus = [...played.keys()].filter((name) => !present.some(({ path }) => path === name));
  const wrong = [...missed.map(({ path }) => path), ...surplus];
  if (wrong.length > 0) throw new Error(`The record is not whole: ${wrong.join(', ')}`);
}

/** Places in the record: right after answers, and anywhere. */
function choosePlaces(
  entries: readonly Recorded[],
  told: readonly Told[],
  cuts: number,
  chance: Chance,
): ReadonlySet<number> {
  const answers = told.map(({ end }) => entries.findLastIndex((entry) => entry.end <= end));
  return new Set(
    Array.from({ length: cuts }, (_one, index) =>
      index % 2 === 0 ? chance.pick(answers) : chance.below(entries.length),
    ),
  );
}

async function look(
  root: string,
  data: string,
  before: readonly Acknowledged[],
  hasKey: boolean,
): Promise<{ readonly lost: number; readonly mixedUp: number; readonly problem: string }> {
  const sinete = await startHere(root, data).catch((error: unknown) => String(error));
  if (typeof sinete === 'string') return { lost: before.length, mixedUp: 0, problem: sinete };
  try {
    const fates = await judge(sinete.baseUrl, before);
    const { ok, text } = await healthOf(sinete.baseUrl);
    const next = hasKey ? await send(sinete.baseUrl, newRequest(0)) : undefined;
    const isSigned = !hasKey || next?.isSigned === true;
    const problems = [
      fates.lost > 0 ? `${fates.lost} of ${before.length} lost` : '',
      ok || !hasKey ? '' : text,
      isSigned ? '' : 'the next document is not signed',
    ];
    return { ...fates, problem: problems.filter((one) => one !== '').join('; ') };
  } finally {
    await sinete.stop();
  }
}
