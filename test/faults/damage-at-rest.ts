import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfiguration } from '../../src/app/config/config.ts';
import { startSinete, type Sinete } from '../../src/app/instance/start-sinete.ts';
import { copyWhenDue } from '../../src/storage/backup/daily-copies.ts';
import type { Tally } from './run-faults.ts';
import { fateOf, healthOf, newRequest, send, type Acknowledged } from './signed-documents.ts';

type Damage = (path: string, older: string) => void;

const damages: Readonly<Record<string, Damage>> = {
  missing: (path) => rmSync(path),
  empty: (path) => truncateSync(path),
  cut: (path) => truncateSync(path, statSync(path).size >> 1),
  'one bit': (path) => {
    const content = readFileSync(path);
    const at = content.length >> 1;
    content[at] = (content[at] ?? 0) ^ 1;
    writeFileSync(path, content);
  },
  'older copy': (path, older) => (existsSync(older) ? cpSync(older, path) : rmSync(path)),
};

/** Damages each file of a data folder in turn, each in every way, as a kill has left the folder. */
export async function damageEveryFile(): Promise<Tally> {
  const root = mkdtempSync(join(tmpdir(), 'sinete-faults-'));
  let [cases, lost, mixedUp, hidden] = [0, 0, 0, 0];
  try {
    const { killed, older, acknowledged } = await makeFolders(root);
    for (const name of filesIn(killed)) {
      for (const [how, damage] of Object.entries(damages)) {
        cases++;
        const data = join(root, 'data');
        cpSync(killed, data, { recursive: true });
        damage(join(data, name), join(older, name));
        const outcome = await look(root, data, acknowledged);
        if (outcome.lost + outcome.mixedUp > 0) console.log(`${name}, ${how}: ${JSON.stringify(outcome)}`);
        mixedUp += outcome.mixedUp;
        if (outcome.told) continue;
        // A file never told to anybody must not have cost a document.
        if (/^(sinete\.db|results|documents)/.test(name)) hidden += outcome.lost;
        else lost += outcome.lost;
      }
    }
    return { name: 'each file damaged', cases, acknowledged: acknowledged.length, lost, doubled: 0, mixedUp, hidden };
  } finally {
    rmSync(root, { recursive: true });
  }
}

/** A folder with 16 signed documents left by a kill, and the same folder with the first four. */
async function makeFolders(root: string) {
  const folder = join(root, 'made');
  const [killed, older] = [join(root, 'killed'), join(root, 'older')];
  const sinete = await startHere(root, folder);
  await sinete.handlers['user-interface']['certificates.makeTestIdentity']({ name: 'ANA LIMA', cpf: '11144477735' });
  const acknowledged: Acknowledged[] = [];
  for (let index = 0; index < 16; index++) {
    const one = await send(sinete.baseUrl, newRequest(index));
    if (one === undefined) throw new Error('A document was refused.');
    acknowledged.push(one);
    if (index !== 3) continue;
    await copyWhenDue(join(folder, 'sinete.db'), { kept: 3, interval: 1 }, new Date());
    cpSync(folder, older, { recursive: true });
  }
  cpSync(folder, killed, { recursive: true });
  await sinete.stop();
  return { killed, older, acknowledged };
}

/** An instance in this process, whose master key is below `root`. */
export async function startHere(root: string, dataFolder: string): Promise<Sinete> {
  const environment = {
    SINETE_SECRET_STORE_MODE: 'key-file',
    SINETE_SECRET_STORE_KEY_FILE: join(root, 'keys', 'master.key'),
    SINETE_APPROVE: 'all',
    SINETE_LIMITS_FREE_SPACE: '0',
  };
  const configuration = await readConfiguration({ dataFolder, environment });
  return startSinete({ dataFolder, configuration: { ...configuration, port: 0 } });
}

/** A refused start tells of the damage; a start going on must tell of each loss in health or in the answer. */
async function look(
  root: string,
  data: string,
  acknowledged: readonly Acknowledged[],
): Promise<{ readonly lost: number; readonly mixedUp: number; readonly told: boolean }> {
  let sinete: Sinete;
  try {
    sinete = await startHere(root, data);
  } catch {
    rmSync(data, { recursive: true });
    return { lost: 0, mixedUp: 0, told: true };
  }
  try {
    const fates = await Promise.all(acknowledged.map(async (one) => fateOf(sinete.baseUrl, one)));
    const count = (...wanted: readonly string[]): number => fates.filter((fate) => wanted.includes(fate)).length;
    const { ok, text } = await healthOf(sinete.baseUrl);
    const gone = count('gone');
    // The number in the health check is the number that is gone.
    const isExact = gone === 0 || text.includes(`${gone} documents`);
    return { lost: count('gone', 'damaged', 'waiting'), mixedUp: count('mixed-up'), told: !ok && isExact };
  } finally {
    await sinete.stop();
    rmSync(data, { recursive: true });
  }
}

function filesIn(folder: string, below = ''): readonly string[] {
  return readdirSync(join(folder, below), { withFileTypes: true }).flatMap((entry) => {
    const name = below === '' ? entry.name : `${below}/${entry.name}`;
    if (entry.isDirectory()) return filesIn(folder, name);
    return entry.isFile() ? [name] : [];
  });
}
