/** The job keeping an archive valid, over a real database; a file states the end of its protection in its text. */
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile, chmod } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ServiceError } from '../../../src/service/errors/index.ts';
import {
  draftOf,
  Renewals,
  renewalReport,
  type KeptFile,
  type RenewalOutcome,
  type RenewalMode,
  type RenewalServices,
  reasonOf,
} from '../../../src/service/renewals/index.ts';
import type { ValidationReport } from '../../../src/service/validation/index.ts';
import type { StandardWarning, TimestampDigest } from '../../../src/signing/index.ts';
import type { Storage } from '../../../src/storage/index.ts';
import { itNeeding } from '../../setup/needs.ts';
import { until } from '../../setup/waits.ts';
import { openTestStorage } from '../../storage/engine.ts';

const DAY = 86_400_000;
let now: Date;
let folder: string;
let archive: string;
let storage: Storage;
let renewals: Renewals;
/** Until when each server's stamps protect; a server without a time is gone. */
let servers: Map<string, Date | undefined>;
let asked: string[];
/** The hash functions to try with a server; absent: its own. */
let digests: Map<string, readonly TimestampDigest[]>;

const untagged: StandardWarning = { code: 'FILE_NOT_TAGGED', standard: 'PDF/UA-1', kept: false, detail: 'A field.' };

const inDays = (days: number): Date => new Date(now.getTime() + days * DAY);
const fileOf = (name: string): string => join(archive, name);
const sha256Of = async (path: string): Promise<string> =>
  createHash('sha256')
    .update(await readFile(path))
    .digest('hex');

/** `until: 2027-01-01`, a line for each time stamp; the last counts. */
async function validate(path: string, hasContent: boolean): Promise<ValidationReport> {
  const text = await readFile(path, 'utf8');
  if (text.startsWith('plain')) throw new ServiceError('NOT_A_SIGNATURE', 'The file carries no signature.');
  if (text.startsWith('locked')) throw new ServiceError('DOCUMENT_ENCRYPTED', 'It is encrypted.');
  const until = new Date([...text.matchAll(/until: (\S+)/g)].at(-1)?.[1] ?? '');
  const isMissing = path.includes('lost') && !hasContent;
  const indication = until > now && !isMissing ? ('TOTAL-PASSED' as const) : ('INDETERMINATE' as const);
  return {
    kind: 'pdf',
    indication,
    documentTimestamps: [],
    checks: [],
    validatedAt: now,
    ...(isMissing ? { subIndication: 'SIGNED_DATA_NOT_FOUND' } : {}),
    signatures: [
      {
        id: '1',
        format: 'PAdES',
        indication,
        level: 'B-LTA',
        levelProven: 'B-LTA',
        validationTime: now,
        checks: [],
        timestamps: [],
        counterSignatures: [],
        signerName: 'Ana Lima',
        protection: { until, cause: 'certificate', name: 'Carimbo' },
      },
    ],
  };
}

function open(mode: RenewalMode = 'automatic', locks?: RenewalServices['locks']): Renewals {
  return new Renewals({
    locks,
    store: storage.renewals,
    settings: storage.settings,
    mode,
    within: 90 * DAY,
    mayChange: true,
    validate: async ({ signaturePath, contentPath }) => validate(signaturePath, contentPath !== undefined),
    extend: async ({ path, destination, server = '' }) => {
      asked.push(server);
      const until = servers.get(server);
      if (until === undefined) throw new ServiceError('TSA_UNAVAILABLE', `The server "${server}" is gone.`);
      await writeFile(destination, `${await readFile(path, 'utf8')}until: ${until.toISOString()}\n`, { mode: 0o600 });
      return { warnings: path.includes('accessible') ? [untagged] : [] };
    },
    servers: async () =>
      Promise.resolve([...servers.keys()].map((id) => ({ id, digests: digests.get(id) ?? ['sha256'] }))),
    documentBeside: () => undefined,
    recordBeside: () => undefined,
    onChange: () => undefined,
    log: { info: () => undefined, error: () => undefined },
    now: () => now,
  });
}

const write = async (name: string, days: number): Promise<void> =>
  writeFile(fileOf(name), `until: ${inDays(days).toISOString()}\n`);

const states = (outcomes: readonly RenewalOutcome[]): Readonly<Record<string, string>> =>
  Object.fromEntries(outcomes.map(({ path, state }) => [path.slice(archive.length + 1), state]));

const kept = async (): Promise<readonly KeptFile[]> => (await renewals.list({ offset: 0, limit: 100 })).files;

beforeEach(async () => {
  now = new Date('2030-01-01T00:00:00Z');
  folder = await mkdtemp(join(tmpdir(), 'sinete-renewals-'));
  archive = join(folder, 'archive');
  await mkdir(archive);
  storage = await openTestStorage(join(folder, 'data'));
  servers = new Map([['one', inDays(3650)]]);
  asked = [];
  digests = new Map();
  renewals = open();
});
afterEach(async () => {
  await renewals.close();
  await storage.close();
  await rm(folder, { recursive: true, force: true });
});

describe('files in a folder named by a person', () => {
  it('are renewed before their protection ends, and not sooner; all others are listed', async () => {
    await write('soon.pdf', 80);
    await write('late.pdf', 200);
    await write('lost.p7s', 80);
    await write('ended.pdf', -1);
    await writeFile(fileOf('plain.pdf'), 'plain');
    await writeFile(fileOf('locked.pdf'), 'locked');
    await renewals.addFolder(archive);
    expect(states(await renewals.look())).toEqual({
      'soon.pdf': 'renewed',
      'late.pdf': 'not-due',
      'lost.p7s': 'content-missing',
      'ended.pdf': 'not-valid',
      'plain.pdf': 'no-signature',
      'locked.pdf': 'locked',
    });
    expect(asked).toEqual(['one']);
    // Files in trouble come first, whatever the end of their protection.
    expect(
      (await kept())
        .slice(0, 3)
        .map(({ outcome }) => outcome?.state)
        .toSorted(),
    ).toEqual(['content-missing', 'locked', 'not-valid']);
    // Nothing is looked at again before its time; then the other file is due.
    expect(await renewals.look()).toEqual([]);
    now = inDays(120);
    expect(states(await renewals.look())).toMatchObject({ 'soon.pdf': 'not-due', 'late.pdf': 'renewed' });
  });

  it('are found when added later, and forgotten with their folder', async () => {
    await renewals.addFolder(archive);
    await renewals.look();
    await mkdir(fileOf('2030'));
    await write('2030/new.pdf', 10);
    now = inDays(1);
    expect(states(await renewals.look())).toEqual({ [join('2030', 'new.pdf')]: 'renewed' });
    await rm(fileOf('2030'), { recursive: true });
    now = inDays(60);
    expect(states(await renewals.look())).toEqual({ [join('2030', 'new.pdf')]: 'file-missing' });
    await renewals.removeFolder(archive);
    expect(await kept()).toEqual([]);
    await expect(renewals.addFolder(join(folder, 'nowhere'))).rejects.toMatchObject({ code: 'FOLDER_NOT_FOUND' });
  });

  it('are only listed where the configuration says so', async () => {
    await write('soon.pdf', 80);
    const before = await readFile(fileOf('soon.pdf'));
    await renewals.close();
    renewals = open('list');
    await renewals.addFolder(archive);
    expect(states(await renewals.look())).toEqual({ 'soon.pdf': 'due' });
    expect([asked, (await readFile(fileOf('soon.pdf'))).equals(before)]).toEqual([[], true]);
  });

  itNeeding('Linux')('keep their permissions', async () => {
    await write('soon.pdf', 80);
    await chmod(fileOf('soon.pdf'), 0o640);
    await renewals.addFolder(archive);
    await renewals.look();
    expect((await stat(fileOf('soon.pdf'))).mode & 0o777).toBe(0o640);
  });

  it('leave nothing beside the files', async () => {
    await write('soon.pdf', 80);
    await writeFile(draftOf(fileOf('soon.pdf')), 'left behind by a kill');
    await mkdir(`${draftOf(fileOf('soon.pdf'))}.a1B2c3`);
    await writeFile(join(`${draftOf(fileOf('soon.pdf'))}.a1B2c3`, '1.pdf'), 'plain, and left behind too');
    await renewals.addFolder(archive);
    await renewals.look();
    expect(await readdir(archive)).toEqual(['soon.pdf']);
  });
});

describe('a time-stamp authority', () => {
  it('gone, or no longer protecting for more time, is replaced by the next', async () => {
    servers = new Map([
      ['gone', undefined],
      ['short', inDays(50)],
      ['good', inDays(3650)],
    ]);
    await write('soon.pdf', 80);
    await renewals.addFolder(archive);
    const [outcome] = await renewals.look();
    expect(asked).toEqual(['gone', 'short', 'good']);
    expect(outcome).toMatchObject({ state: 'renewed', protectedUntil: inDays(3650), protectedUntilBefore: inDays(80) });
  });

  it('without a replacement is told, and the file stays and is tried again', async () => {
    servers = new Map([
      ['gone', undefined],
      ['short', inDays(50)],
    ]);
    await write('soon.pdf', 80);
    const before = await readFile(fileOf('soon.pdf'), 'utf8');
    await renewals.addFolder(archive);
    const [outcome] = await renewals.look();
    expect(outcome).toMatchObject({ state: 'failed' });
    expect(outcome && reasonOf(outcome, 'pt-BR')).toMatch(
      /^A proteção por .* termina em 2030-03-22\. .*“gone” não atendeu \([A-Z_]+\)\. .*“short” só protege até 2030-02-20/,
    );
    expect(outcome?.detail).toMatch(/ends on 2030-03-22.*"gone" is gone.*"short" protects until 2030-02-20 only/);
    expect(await readFile(fileOf('soon.pdf'), 'utf8')).toBe(before);
    servers.set('gone', inDays(3650));
    now = new Date(now.getTime() + DAY / 24);
    expect(states(await renewals.look())).toEqual({ 'soon.pdf': 'renewed' });
  });
});

describe('an ending process', () => {
  it('between the new name and its row is finished by the next: no second stamp, and the checksum is known', async () => {
    await write('soon.pdf', 80);
    await renewals.addFolder(archive);
    const old = await sha256Of(fileOf('soon.pdf'));
    const finish = storage.renewals.finish.bind(storage.renewals);
    // The first check stores the present file, so that the row names the earlier file.
    servers = new Map();
    await renewals.look();
    servers = new Map([['one', inDays(3650)]]);
    now = inDays(1);
    storage.renewals.finish = async () => Promise.reject(new Error('killed'));
    await expect(renewals.look()).rejects.toThrow('killed');
    expect(await sha256Of(fileOf('soon.pdf'))).not.toBe(old);
    storage.renewals.finish = finish;
    expect(asked).toEqual(['', 'one']);
    await renewals.close();
    renewals = open();
    await renewals.look();
    expect(asked).toEqual(['', 'one']);
    const [file] = await kept();
    expect(file).toMatchObject({ replacement: null, renewedAt: now, outcome: { state: 'renewed', sha256Before: old } });
  });
});

describe('a file extended by its owner', () => {
  const extension = { level: 'B-LTA', place: 'replace' } as const;
  beforeEach(() => (servers = new Map([['', inDays(3650)]])));

  it('is replaced by the longer-lived file, and stays valid from then on', async () => {
    await write('contract.pdf', 200);
    const before = await sha256Of(fileOf('contract.pdf'));
    const extended = await renewals.extend(fileOf('contract.pdf'), extension);
    expect(extended).toMatchObject({ path: fileOf('contract.pdf'), sha256Before: before });
    expect(await sha256Of(fileOf('contract.pdf'))).toBe(extended.sha256);
    expect(await readdir(archive)).toEqual(['contract.pdf']);
    expect(await kept()).toMatchObject([{ path: fileOf('contract.pdf'), origin: 'history', replacement: null }]);
  });

  it('gets a longer-lived neighbour, under a free name, and stays unchanged', async () => {
    await write('contract.pdf', 200);
    await writeFile(fileOf('contract-B-LTA.pdf'), 'of somebody else');
    const before = await sha256Of(fileOf('contract.pdf'));
    const { path } = await renewals.extend(fileOf('contract.pdf'), { ...extension, place: 'beside' });
    expect(path).toBe(fileOf('contract-B-LTA (2).pdf'));
    expect(await sha256Of(fileOf('contract.pdf'))).toBe(before);
    expect(await readFile(fileOf('contract-B-LTA.pdf'), 'utf8')).toBe('of somebody else');
    expect((await readdir(archive)).length).toBe(3);
  });

  it.each(['replace', 'beside'] as const)('stays unchanged when the extension fails (%s)', async (place) => {
    await write('contract.pdf', 200);
    const before = await sha256Of(fileOf('contract.pdf'));
    servers = new Map();
    await expect(renewals.extend(fileOf('contract.pdf'), { level: 'B-LTA', place })).rejects.toThrow('is gone');
    servers = new Map([['', inDays(-1)]]);
    await expect(renewals.extend(fileOf('contract.pdf'), { level: 'B-LTA', place })).rejects.toThrow('not valid');
    expect(await readdir(archive)).toEqual(['contract.pdf']);
    expect(await sha256Of(fileOf('contract.pdf'))).toBe(before);
  });

  it('is finished by a later look when the process ends between the new name and its row', async () => {
    await write('contract.pdf', 200);
    const before = await sha256Of(fileOf('contract.pdf'));
    const noteExtension = storage.renewals.noteExtension.bind(storage.renewals);
    storage.renewals.noteExtension = async () => Promise.reject(new Error('killed'));
    await expect(renewals.extend(fileOf('contract.pdf'), extension)).rejects.toThrow('killed');
    storage.renewals.noteExtension = noteExtension;
    await renewals.look();
    const [file] = await kept();
    expect(file).toMatchObject({ replacement: null, outcome: { state: 'renewed', sha256Before: before } });
  });
});

describe('the report', () => {
  it('tells the effect of a renewal on the standard claimed by a PDF, also after a restart', async () => {
    await write('accessible.pdf', 80);
    await renewals.addFolder(archive);
    expect(await renewals.look()).toMatchObject([{ state: 'renewed', warnings: [untagged] }]);
    await renewals.close();
    renewals = open();
    const files = await kept();
    const text = async (format: 'html' | 'json', language: 'en' | 'pt-BR'): Promise<string> =>
      Buffer.from((await renewalReport(files, { format, language, made: now })).data, 'base64').toString();
    expect(JSON.parse(await text('json', 'en'))).toMatchObject({ files: [{ warnings: [untagged] }] });
    expect(await text('html', 'en')).toContain('The file claims PDF/UA-1 but has no usable structure');
    expect(await text('html', 'pt-BR')).toContain('Aviso');
  });

  it('tells the proof of each file with its time and author, in every form and both languages', async () => {
    await write('soon & 1.pdf', 80);
    await renewals.addFolder(archive);
    await renewals.look();
    const files = await kept();
    const text = async (format: 'html' | 'json', language: 'en' | 'pt-BR'): Promise<string> =>
      Buffer.from((await renewalReport(files, { format, language, made: now })).data, 'base64').toString();
    expect(await text('html', 'en')).toContain('soon &amp; 1.pdf');
    expect(await text('html', 'pt-BR')).toMatch(/Renovado.*Protegido até/s);
    expect(JSON.parse(await text('json', 'en'))).toMatchObject({
      files: [{ file: fileOf('soon & 1.pdf'), state: 'renewed', signatures: [{ signer: 'Ana Lima' }] }],
    });
    const pdf = await renewalReport(files, { format: 'pdf', language: 'pt-BR', made: now });
    expect([pdf.name, Buffer.from(pdf.data, 'base64').subarray(0, 5).toString()]).toEqual([
      'sinete-renovacoes-2030-01-01.pdf',
      '%PDF-',
    ]);
  });
});

describe('renewals of several nodes', () => {
  it('hold a lock for each file, and look only where no other node looks', async () => {
    await write('soon.pdf', 80);
    await renewals.addFolder(archive);
    await renewals.close();
    const held: string[] = [];
    let isFree = false;
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      renewals = open('automatic', {
        run: async (name, action) => {
          held.push(name);
          return action();
        },
        runAlone: async (name, action) => {
          held.push(name);
          if (isFree) await action();
          return isFree;
        },
      });
      renewals.start();
      await vi.advanceTimersByTimeAsync(60_000);
      await vi.waitUntil(() => held.length === 1);
      expect(asked).toEqual([]);
      // The next look is planned only after the end of this look.
      await vi.waitUntil(() => vi.getTimerCount() > 0);
      isFree = true;
      await vi.advanceTimersByTimeAsync(3_600_000);
    } finally {
      vi.useRealTimers();
    }
    await until(() => asked.length === 1, 'the node renews the file');
    expect(held).toEqual(['renewals', 'renewals', 'renewal']);
  });
});
