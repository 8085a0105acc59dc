/**
 * Kills a process before each of its calls changing the disk, while evidence is pending and while an archive is
 * renewed.
 */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { resultName, stampedName, type CreateTransaction } from '../../../src/service/transactions/index.ts';
import { signPdfAtLevel } from '../../../src/signing/index.ts';
import { freezeList, pass } from '../../service/transactions/later-evidence.ts';
import {
  createRequest,
  dataUrl,
  requester,
  viewWhen,
  type World,
} from '../../service/transactions/transaction-world.ts';
import { until } from '../../setup/waits.ts';
import { buildPdf, onePage } from '../../signing/pdf/build-pdf.ts';
import { date, onlySignature, SIGNED_AT, ValidationWorld } from '../../signing/validation/validation-world.ts';
import { judge, openArchive, openEvidenceWorld, readPki, savePki } from './evidence-world.ts';

const CHILD = fileURLToPath(new URL('evidence-child.ts', import.meta.url));
/** More calls than any task here makes: a bound against a hang. */
const MOST_CALLS = 400;
const PATIENCE = 1_200_000;

type Task = 'extend' | 'renew';

let folder: string;
/** Rows of user files name absolute paths: each attempt begins in the same place, as the template says. */
let place: string;
let template: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sinete-evidence-kills-'));
  place = join(folder, 'place');
  template = join(folder, 'template');
  mkdirSync(place);
});
afterEach(() => rmSync(folder, { recursive: true }));

const sha256 = (path: string): string => createHash('sha256').update(readFileSync(path)).digest('hex');

/** Runs a task until its n-th call; true when killed there. */
async function killedBefore(task: Task, n: number): Promise<boolean> {
  const child = spawn(process.execPath, [CHILD, place, task, String(n)], { stdio: ['ignore', 'ignore', 'pipe'] });
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  const [code, signal] = await new Promise<[number | null, NodeJS.Signals | null]>((resolve) =>
    child.once('close', (...outcome) => resolve(outcome)),
  );
  expect(code === 0 || signal === 'SIGKILL', errors).toBe(true);
  return signal === 'SIGKILL';
}

/** Kills at each call in turn, and looks at the remains; answers the number of kills. */
async function killEverywhere(task: Task, look: () => Promise<void>): Promise<number> {
  cpSync(place, template, { recursive: true });
  for (let n = 1; n <= MOST_CALLS; n++) {
    rmSync(place, { recursive: true });
    cpSync(template, place, { recursive: true });
    const isKilled = await killedBefore(task, n);
    await look().catch((cause: unknown) => {
      throw new Error(`After a kill before call ${n}: ${String(cause)}`, { cause });
    });
    if (!isKilled) return n - 1;
  }
  throw new Error(`It makes more than ${MOST_CALLS} calls.`);
}

/** Three documents with their next list here: one kept here, one of the user, one still waiting. */
async function preparePending(): Promise<void> {
  const pki = await ValidationWorld.open();
  freezeList(pki);
  const world = await openEvidenceWorld(place, pki);
  await world.addKey(await pki.person());
  const source = join(world.home, 'contract.pdf');
  writeFileSync(source, buildPdf(onePage()));
  const requests: readonly Partial<CreateTransaction>[] = [
    { documents: [{ data: dataUrl('kept here') }] },
    { documents: [{ data: dataUrl('waits') }], evidence: 'wait' },
    { type: 'PAdES', documentsSource: 'FILE_PATH', documents: [{ data: source }], destination: 'BESIDE_SOURCE' },
  ];
  for (const request of requests) {
    const usual = { type: 'CAdES-attached', documentsSource: 'DATA_URL', policy: 'B-LTA' } as const;
    const { tcn } = await world.transactions.create(createRequest({ ...usual, ...request }), requester);
    await viewWhen(world.transactions, tcn, ({ documents }) => documents[0]?.pendingLevel === 'B-LTA');
  }
  await world.stop();
  pass(pki, 15);
  savePki(place, pki);
}

/** The place of each result, with the checksum of its row; undefined: the signature of a waiting document. */
async function resultsOf({ folder: data, storage }: World): Promise<readonly [path: string, checksum?: string][]> {
  const stored = await storage.transactions.recent(10);
  return stored
    .flatMap(({ documents }) => documents)
    .map((document): [string, string?] => {
      const { result, destinationPath, key } = document;
      if (result === null) return [join(data, 'results', stampedName(key))];
      return [destinationPath ?? join(data, 'results', resultName(document)), result.checksum];
    });
}

/** At every moment each signature is there whole; the next start extends all, and leaves nothing else behind. */
async function expectExtended(): Promise<void> {
  const pki = readPki(place);
  let world = await openEvidenceWorld(place, pki);
  try {
    const before = await resultsOf(world);
    expect(before).toHaveLength(3);
    for (const [path, checksum] of before) {
      // Between the new name and its row, the row names the file before; both are signatures of the same document.
      const isKept = existsSync(path) || existsSync(path.replace(/\.stamped$/, ''));
      expect(isKept, path).toBe(true);
      if (checksum === undefined || path.endsWith('.pdf')) continue;
      expect(sha256(path)).toBe(checksum);
    }
    await world.transactions.resume();
    await until(async () => (await world.storage.transactions.pendingEvidence(1)).length === 0, 'nothing is pending');
    const after = await resultsOf(world);
    for (const [path, checksum] of after) {
      expect(sha256(path)).toBe(checksum);
      const report = onlySignature(await judge(pki, path));
      expect(report).toMatchObject({ indication: 'TOTAL-PASSED', levelProven: 'B-LTA' });
    }
    expect(readdirSync(world.home)).toEqual(['contract-signed.pdf', 'contract.pdf']);
    // A replaced result stays for downloads under way; the next start removes the replaced result.
    await world.stop();
    world = await openEvidenceWorld(place, pki);
    await world.transactions.resume();
    const kept = after.map(([path]) => basename(path)).filter((name) => !name.endsWith('.pdf'));
    expect(readdirSync(join(world.folder, 'results')).sort()).toEqual(kept.sort());
  } finally {
    await world.stop();
  }
}

describe('an instance killed while evidence is pending and extended', () => {
  it(
    'loses no signature at any call, and the next start extends each once',
    async () => {
      await preparePending();
      expect(await killEverywhere('extend', expectExtended)).toBeGreaterThan(20);
    },
    PATIENCE,
  );
});

/** A PDF and a CMS message with time stamps ending soon, in a folder kept valid. */
async function prepareArchive(): Promise<void> {
  const pki = await ValidationWorld.open();
  const world = await openEvidenceWorld(place, pki);
  const archive = join(world.home, 'archive');
  mkdirSync(archive);
  const plain = join(world.home, 'plain.pdf');
  writeFileSync(plain, buildPdf(onePage()));
  const person = await pki.person();
  const { timestamper, collector } = pki;
  await signPdfAtLevel(
    {
      inputPath: plain,
      outputPath: join(archive, 'contract.pdf'),
      signer: pki.cms(person, undefined, { omitSigningTime: true }),
      options: { subFilter: 'ETSI.CAdES.detached', signingTime: SIGNED_AT },
    },
    { level: 'B-LTA', timestamper, collector, now: () => pki.now },
  );
  writeFileSync(
    join(archive, 'note.p7m'),
    await pki.cms(person, 'B-LTA').signContent(Buffer.from('a note'), SIGNED_AT),
  );
  const renewals = openArchive(world.storage, pki);
  await renewals.addFolder(archive);
  await renewals.look();
  await renewals.close();
  await world.stop();
  pki.now = date('2027-11-01');
  pki.tsa = await pki.anotherTsa('2027-06-01', '2031-01-01');
  savePki(place, pki);
}

/**
 * Each file is the old or the renewed version; the next look ends with a single renewal, and nothing beside the files.
 */
async function expectRenewed(): Promise<void> {
  const pki = readPki(place);
  const world = await openEvidenceWorld(place, pki);
  const archive = join(world.home, 'archive');
  const before = join(template, 'home', 'archive');
  const stampsOf = async (path: string): Promise<number> => {
    const { documentTimestamps, signatures } = await judge(pki, path);
    return documentTimestamps.length + signatures.flatMap(({ timestamps }) => timestamps).length;
  };
  const renewals = openArchive(world.storage, pki);
  try {
    for (const name of ['contract.pdf', 'note.p7m']) {
      const path = join(archive, name);
      if (sha256(path) === sha256(join(before, name))) continue;
      expect(onlySignature(await judge(pki, path)).indication).toBe('TOTAL-PASSED');
    }
    await renewals.look();
    const { files } = await renewals.list({ offset: 0, limit: 10 });
    for (const { path, outcome, replacement } of files) {
      expect(outcome, outcome?.detail).toMatchObject({ state: 'renewed', sha256: sha256(path) });
      expect(replacement).toBeNull();
      expect(await stampsOf(path)).toBe(1 + (await stampsOf(join(before, path.slice(archive.length + 1)))));
      expect(onlySignature(await judge(pki, path))).toMatchObject({ levelProven: 'B-LTA' });
    }
    expect(files).toHaveLength(2);
    expect(readdirSync(archive)).toEqual(['contract.pdf', 'note.p7m']);
  } finally {
    await renewals.close();
    await world.stop();
  }
}

describe('an instance killed while renewing an archive', () => {
  it(
    'leaves each file whole at any call, and the next look renews the file once',
    async () => {
      await prepareArchive();
      expect(await killEverywhere('renew', expectRenewed)).toBeGreaterThan(20);
    },
    PATIENCE,
  );
});
