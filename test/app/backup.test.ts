import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generateX25519Identity, identityToRecipient } from 'age-encryption';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readAgeFile } from '../../src/storage/backup/age-file.ts';
import { readArchive } from '../../src/storage/backup/archive.ts';
import { archiveFirstFormat, sealFirstFormat } from '../storage/backup/first-format-writer.ts';
import { sendLocalDocument } from '../../src/app/calls/ui-documents.ts';
import { until } from '../setup/waits.ts';
import { backupGroups } from '../../src/values/backup-groups.ts';
import { runSinete, serve, type CommandOutcome, type Workplace } from './run-sinete.ts';
import { readConfiguration } from '../../src/app/config/config.ts';
import { openFolder, separateFolder } from './separate-folders.ts';

const passphrase = 'a passphrase of some length';
const large = Buffer.alloc(200_000, 'large document ');
let folder: string;
let backup: string;
let alias: string;
let waiting: string;

const place = (name: string): Workplace => separateFolder(folder, name);

const restore = async (to: Workplace, words: readonly string[], secret = passphrase): Promise<CommandOutcome> =>
  runSinete(to, ['restore', backup, '--json', '--keep', 'all', ...words], { input: `${secret}\n` });

/** Documents of an instance, kept in files. */
const keptFiles = ({ data }: Workplace): readonly string[] =>
  ['documents', 'results'].flatMap((name) => readdirSync(join(data, name)));

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sinete-backup-'));
  backup = join(folder, 'all.backup');
  const { core, calls } = await openFolder(place('first'));
  ({ alias } = await calls['certificates.makeTestIdentity']({ name: 'Maria Silva', cpf: '52998224725' }));
  const file = { name: 'a.bin' };
  ({ tcn: waiting } = await calls['sign.create']({ type: 'CAdES-attached', alias, digest: 'sha256', files: [file] }));
  await sendLocalDocument(core.transactions, {
    tcn: waiting,
    end: true,
    signal: new AbortController().signal,
    onProgress: () => undefined,
    source: { kind: 'content', name: 'a.bin', content: large },
  });
  writeFileSync(join(folder, 'first', 'sinete.toml'), 'approve = "ask"\n');
  const made = await calls['backup.make']({ path: backup, passphrase });
  expect(made).toMatchObject({ documents: 1, size: statSync(backup).size });
  await core.close();
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('sinete backup and restore', () => {
  it('writes an unreadable file for its owner alone', () => {
    expect((statSync(backup).mode & 0o777).toString(8)).toBe('600');
    const bytes = readFileSync(backup);
    for (const text of ['SQLite format', 'large document', 'Maria', alias]) expect(bytes.includes(text)).toBe(false);
  });

  it('does not replace a file, and refuses a short passphrase', async () => {
    const again = await runSinete(place('first'), ['backup', backup], { input: passphrase });
    expect([again.code, again.stderr]).toMatchObject([1, expect.stringContaining('already exists')]);
    const short = await runSinete(place('first'), ['backup', join(folder, 'other')], { input: 'short' });
    expect([short.code, existsSync(join(folder, 'other'))]).toEqual([2, false]);
    const none = await runSinete(place('first'), ['backup', join(folder, 'other')], { input: '' });
    expect([none.code, none.stderr]).toEqual([2, expect.stringContaining('--passphrase-file FILE')]);
  });

  it('restores on another computer: the key signs the waiting documents there, under a master key of its own', async () => {
    const second = place('second');
    const outcome = await restore(second, []);
    expect([outcome.code, outcome.stderr]).toEqual([0, expect.stringContaining('The maker of the backup is unknown.')]);
    expect(JSON.parse(outcome.stdout)).toMatchObject({ documents: 1, aside: null, audit: { state: 'intact' } });
    expect(readFileSync(join(folder, 'second-keys', 'master.key'))).not.toEqual(
      readFileSync(join(folder, 'first-keys', 'master.key')),
    );
    const { core, calls } = await openFolder(second);
    await calls['approvals.decide']({ tcn: waiting, decision: 'approve' });
    for (let round = 0; round < 20; round++) {
      if ((await core.transactions.query(waiting, { waitSeconds: 1 })).documents[0]?.status === 'SIGNED') break;
    }
    const [document] = (await calls['transactions.read']({ tcn: waiting })).documents;
    expect(document?.status).toBe('SIGNED');
    const rows = await calls['audit.list']({ after: 0, limit: 1000 });
    expect(rows.map(({ kind }) => kind)).toContain('backup-restored');
    expect(await calls['audit.verify']({})).toMatchObject({ state: 'intact' });
    await core.close();
    expect(existsSync(join(folder, 'second', 'sinete.toml'))).toBe(true);
  });

  it('refuses an existing folder, and sets the folder aside with --replace', async () => {
    const second = place('second');
    const refused = await restore(second, []);
    expect([refused.code, refused.stderr]).toMatchObject([3, expect.stringContaining('--replace')]);
    const replaced = await restore(second, ['--replace']);
    expect(replaced.code).toBe(0);
    const { aside } = JSON.parse(replaced.stdout) as { aside: string };
    expect(existsSync(join(aside, 'sinete.db'))).toBe(true);
    const { core, calls } = await openFolder(second);
    expect((await calls['transactions.read']({ tcn: waiting })).documents[0]?.status).toBe('WAITING');
    await core.close();
  });

  it('cancels waiting documents with --drop', async () => {
    const idle = place('idle');
    const outcome = await runSinete(idle, ['restore', backup, '--drop'], { input: `${passphrase}\n` });
    expect(outcome.code).toBe(0);
    const { core, calls } = await openFolder(idle);
    const { documents, waitingFor } = await calls['transactions.read']({ tcn: waiting });
    expect([documents[0]?.status, documents[0]?.error?.code, waitingFor]).toEqual(['ERROR', 'CANCELLED', null]);
    await core.close();
    expect((await runSinete(idle, ['fsck'])).stdout).not.toContain('space');
  });

  it('changes nothing for a wrong passphrase or a damaged file, and leaves nothing behind', async () => {
    const before = readdirSync(folder).sort();
    const wrong = await restore(place('second'), ['--replace'], 'another passphrase');
    expect([wrong.code, wrong.stderr]).toMatchObject([3, expect.stringContaining('not the one of this backup')]);
    const bytes = readFileSync(backup);
    bytes.writeUInt8(bytes.readUInt8(bytes.length - 9000) ^ 1, bytes.length - 9000);
    const damaged = join(folder, 'second', 'damaged.backup');
    writeFileSync(damaged, bytes);
    const outcome = await runSinete(place('third'), ['restore', damaged], { input: passphrase });
    expect([outcome.code, outcome.stderr]).toMatchObject([3, expect.stringContaining('damaged')]);
    expect(readdirSync(folder).sort()).toEqual(before);
  });

  it('opens with the private key of a recipient in place of a passphrase, and is checked with this key', async () => {
    const identity = await generateX25519Identity();
    const keys = join(folder, 'first', 'keys.txt');
    writeFileSync(keys, `# public key: see below\n${identity}\n`);
    const sealed = join(folder, 'first', 'for-a-key.age');
    const recipient = ['--recipient', await identityToRecipient(identity)];
    const unverifiable = await runSinete(place('first'), ['backup', sealed, ...recipient, '--verify']);
    expect([unverifiable.code, existsSync(sealed)]).toEqual([2, false]);
    const none = await runSinete(place('first'), ['backup', sealed, '--recipient', 'age1nobody']);
    expect([none.code, none.stderr, existsSync(sealed)]).toMatchObject([
      3,
      expect.stringContaining('age1nobody'),
      false,
    ]);
    const made = await runSinete(place('first'), ['backup', sealed, ...recipient, '--verify', '--identity', keys]);
    expect([made.code, made.stderr]).toMatchObject([0, expect.stringContaining('private key of a recipient')]);
    const wrong = await runSinete(place('keyed'), ['restore', sealed], { input: passphrase });
    expect([wrong.code, wrong.stderr]).toMatchObject([3, expect.stringContaining('--identity')]);
    const restored = await runSinete(place('keyed'), [
      'restore',
      sealed,
      '--identity',
      keys,
      '--keep',
      'all',
      '--json',
    ]);
    expect(JSON.parse(restored.stdout)).toMatchObject({ documents: 1, audit: { state: 'intact' } });
  });

  it('counts the documents in the database, as originals and as results', async () => {
    const ninth = place('ninth');
    const { core, calls } = await openFolder(ninth);
    const { alias: own } = await calls['certificates.makeTestIdentity']({ name: 'Ana Lima', cpf: '11144477735' });
    const send = async (names: readonly string[]): Promise<string> => {
      const files = names.map((name) => ({ name }));
      const { tcn } = await calls['sign.create']({ type: 'CAdES-attached', alias: own, digest: 'sha256', files });
      for (const [index, name] of names.entries()) {
        await sendLocalDocument(core.transactions, {
          tcn,
          end: index === names.length - 1,
          signal: new AbortController().signal,
          onProgress: () => undefined,
          source: { kind: 'content', name, content: Buffer.from(`note ${name}`) },
        });
      }
      return tcn;
    };
    const signed = await send(['a.txt', 'b.txt', 'c.txt']);
    await calls['approvals.decide']({ tcn: signed, decision: 'approve' });
    await until(async () => (await core.transactions.countByStatus()).SIGNED === 3, 'three documents are signed');
    await send(['d.txt']);
    expect(keptFiles(ninth)).toEqual([]);
    const small = join(folder, 'small.backup');
    expect(await calls['backup.make']({ path: small, passphrase })).toMatchObject({ documents: 4 });
    await core.close();
    const text = await runSinete(place('tenth'), ['restore', small, '--keep', 'all'], { input: passphrase });
    expect([text.code, text.stdout]).toEqual([0, expect.stringContaining('4 documents')]);
    const restored = await openFolder(place('tenth'));
    expect(await restored.core.transactions.countByStatus()).toMatchObject({ SIGNED: 3, WAITING: 1 });
    await restored.core.close();
  });

  it('restores a backup of an earlier version in its own format', async () => {
    const files: Record<string, Buffer> = {};
    const file = await open(backup, 'r');
    await readArchive(readAgeFile(file, { passphrase }), async (name, content) => {
      const parts: Buffer[] = [];
      for await (const part of content) parts.push(part);
      // The first format had neither marks nor proofs of makers.
      if (!['sinete.mark', 'maker.mac'].includes(name)) files[name] = Buffer.concat(parts);
    });
    await file.close();
    const earlier = join(folder, 'first', 'earlier.backup');
    writeFileSync(earlier, sealFirstFormat(passphrase, archiveFirstFormat(files)));
    const restored = await runSinete(place('earlier'), ['restore', earlier, '--keep', 'all', '--json'], {
      input: passphrase,
    });
    expect(JSON.parse(restored.stdout)).toMatchObject({ documents: 1, audit: { state: 'intact' } });
  });

  it('waits for the next start where Sinete runs, can be called off, and sets aside the folder in its place', async () => {
    const fourth = place('fourth');
    const { core, calls } = await openFolder(fourth);
    await expect(calls['backup.restore']({ path: backup, passphrase: 'another one' })).rejects.toMatchObject({
      code: 'PASSWORD_INCORRECT',
    });
    expect((await calls['backup.read']({})).pending).toBeNull();
    const asked = await calls['backup.restore']({ path: backup, passphrase });
    expect([asked.backup.pending, asked.asks?.kinds.map(({ group }) => group)]).toEqual([
      null,
      expect.arrayContaining(['work']),
    ]);
    const keep = [...backupGroups];
    const view = await calls['backup.restore']({ path: backup, passphrase, keep });
    expect(view.asks).toBeNull();
    expect(view.backup.pending).toMatchObject({ documents: 1, auditIntact: true });
    expect((await calls['backup.cancelRestore']({})).pending).toBeNull();
    expect(readdirSync(folder).filter((name) => name.startsWith('fourth.'))).toEqual([]);
    await calls['backup.restore']({ path: backup, passphrase, keep });
    // Another program of the same folder leaves the restore waiting.
    await readConfiguration({ dataFolder: fourth.data, environment: {} });
    expect((await calls['backup.read']({})).pending).not.toBeNull();
    expect(await calls['certificates.list']({})).toEqual([]);
    await core.close();
    const next = await openFolder(fourth);
    expect((await next.calls['certificates.list']({})).map((one) => one.alias)).toEqual([alias]);
    const { pending, aside } = await next.calls['backup.read']({});
    expect([pending, aside.map(({ kind }) => kind)]).toEqual([null, ['folder']]);
    await next.core.close();
  });

  it('refuses where keys would be kept in memory only, and changes nothing', async () => {
    const third = {
      ...place('third'),
      environment: { ...place('third').environment, SINETE_SECRET_STORE_MODE: 'memory' },
    };
    const outcome = await restore(third, []);
    expect([outcome.code, existsSync(third.data)]).toEqual([3, false]);
    expect(outcome.stderr).toContain('no place for the keys');
  });

  it('puts back a copy of the database only where none is, or with --replace', async () => {
    const copy = join(folder, 'copy.db');
    cpSync(join(folder, 'first', 'sinete.db'), copy);
    const refused = await runSinete(place('second'), ['restore', copy]);
    expect([refused.code, refused.stderr]).toMatchObject([3, expect.stringContaining('There is a database already')]);
    const done = await runSinete(place('second'), ['restore', copy, '--replace', '--keep', 'all', '--json']);
    expect(done.code).toBe(0);
    expect(existsSync((JSON.parse(done.stdout) as { aside: string }).aside)).toBe(true);
  });
});

describe('a damaged database', () => {
  it('is set aside and named at each start, while the documents of its rows wait for a copy put back', async () => {
    const fifth = place('fifth');
    cpSync(place('first').data, fifth.data, { recursive: true });
    cpSync(join(folder, 'first-keys'), join(folder, 'fifth-keys'), { recursive: true });
    const database = join(fifth.data, 'sinete.db');
    const copy = join(fifth.data, 'backups', 'before-0010-more-2026-01-02T03-04-05-678Z.db');
    mkdirSync(join(fifth.data, 'backups'), { recursive: true });
    cpSync(database, copy);
    writeFileSync(database, readFileSync(database).fill(0x5a, 4096, 40_960));

    const found = await runSinete(fifth, ['certificates', 'list']);
    expect([found.code, found.stderr]).toEqual([
      3,
      expect.stringContaining(`2026-01-02 03:04 UTC: "sinete restore ${copy}"`),
    ]);
    const instance = await serve(fifth);
    const note = 'a damaged database was set aside, sinete.db.damaged-';
    await expect.poll(() => instance.output(), { timeout: 30_000 }).toContain(note);
    await instance.stop();
    expect(readdirSync(join(fifth.data, 'documents'))).toHaveLength(1);

    expect((await runSinete(fifth, ['restore', copy, '--replace'])).code).toBe(0);
    const { core, calls } = await openFolder(fifth);
    await calls['approvals.decide']({ tcn: waiting, decision: 'approve' });
    await expect.poll(async () => (await core.transactions.query(waiting)).status, { timeout: 30_000 }).toBe('SIGNED');
    await core.close();
  });
});
