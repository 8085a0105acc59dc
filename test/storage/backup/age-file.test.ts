import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Decrypter, Encrypter, generateX25519Identity, identityToRecipient } from 'age-encryption';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readAgeFile, writeAgeFile, type BackupKey, type BackupSeal } from '../../../src/storage/backup/age-file.ts';
import { readArchive, writeArchive, type ArchiveEntry } from '../../../src/storage/backup/archive.ts';
import { readFirstArchive } from '../../../src/storage/backup/first-format.ts';
import { runProgram, runTool } from '../../oracles/run-program.ts';
import { archiveFirstFormat } from './first-format-writer.ts';

const passphrase = 'coração correto';
const content = randomBytes(200_000);
const now = new Date('2026-11-22T12:00:00Z');
const key = `documents/${'a'.repeat(32)}`;
let folder: string;
let identity: string;
let recipient: string;
let good: Buffer;

const fileOf = (name: string): string => join(folder, name);

async function* once(bytes: Buffer): AsyncGenerator<Buffer, void> {
  yield await Promise.resolve(bytes);
}

async function seal(how: BackupSeal, bytes: Buffer | AsyncGenerator<Uint8Array, void>): Promise<Buffer> {
  const path = fileOf(`sealed-${randomBytes(4).toString('hex')}`);
  const file = await open(path, 'wx');
  await writeAgeFile(file, how, Buffer.isBuffer(bytes) ? once(bytes) : bytes);
  await file.close();
  return readFileSync(path);
}

async function unseal(bytes: Buffer, with_: BackupKey = { passphrase }): Promise<Buffer> {
  const path = fileOf(`trial-${randomBytes(4).toString('hex')}`);
  writeFileSync(path, bytes);
  const file = await open(path, 'r');
  try {
    const parts: Buffer[] = [];
    for await (const part of readAgeFile(file, with_)) parts.push(part);
    return Buffer.concat(parts);
  } finally {
    await file.close();
  }
}

async function tarOf(...entries: readonly ArchiveEntry[]): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for await (const part of writeArchive(entries, now)) parts.push(part);
  return Buffer.concat(parts);
}

async function untar(bytes: Buffer): Promise<Record<string, Buffer>> {
  const files: Record<string, Buffer> = {};
  await readArchive(once(bytes), async (name, chunks) => {
    const parts: Buffer[] = [];
    for await (const part of chunks) parts.push(part);
    files[name] = Buffer.concat(parts);
  });
  return files;
}

function changed(at: number): Buffer {
  const bytes = Buffer.from(good);
  bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at);
  return bytes;
}

/** The first two chunks of the payload in each other's place. */
function swapped(): Buffer {
  const start = good.indexOf('\n--- ') + 49 + 16;
  const [second, third] = [start + 65_552, start + 2 * 65_552];
  const parts = [good.subarray(0, start), good.subarray(second, third), good.subarray(start, second)];
  return Buffer.concat([...parts, good.subarray(third)]);
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sinete-age-'));
  identity = await generateX25519Identity();
  recipient = await identityToRecipient(identity);
  writeFileSync(fileOf('identity'), `# a comment\n${identity}\n`);
  good = await seal({ passphrase }, content);
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('a backup in the format age', () => {
  it.each([0, 1, 65_535, 65_536, 65_537])('holds %i bytes for a recipient', async (length) => {
    const sealed = await seal({ recipients: [recipient] }, content.subarray(0, length));
    expect((await unseal(sealed, { identities: [identity] })).equals(content.subarray(0, length))).toBe(true);
  });

  it('opens with its passphrase, however the accents were typed, and with no other', async () => {
    expect((await unseal(good, { passphrase: passphrase.normalize('NFD') })).equals(content)).toBe(true);
    await expect(unseal(good, { passphrase: 'coracao' })).rejects.toMatchObject({ code: 'PASSPHRASE_INCORRECT' });
    await expect(unseal(good, { identities: [identity] })).rejects.toMatchObject({
      message: 'This backup opens with a passphrase, not with a key.',
    });
  });

  it('opens with the key of each recipient, and tells a missing key from a wrong key', async () => {
    const other = await generateX25519Identity();
    const sealed = await seal({ recipients: [recipient, await identityToRecipient(other)] }, content);
    for (const one of [identity, other]) {
      expect((await unseal(sealed, { identities: [one] })).equals(content)).toBe(true);
    }
    await expect(unseal(sealed)).rejects.toMatchObject({
      message: 'This backup opens with a key, not with a passphrase.',
    });
    await expect(unseal(sealed, { identities: [await generateX25519Identity()] })).rejects.toMatchObject({
      message: 'The key is not one of the recipients of this backup.',
    });
  });

  it('refuses an invalid recipient', async () => {
    await expect(seal({ recipients: ['age1nobody'] }, content)).rejects.toMatchObject({ code: 'PASSPHRASE_REQUIRED' });
  });

  const damages: [string, () => Buffer][] = [
    ['a byte of the authenticated header', () => changed(good.indexOf('\n--- ') + 10)],
    ['a byte of the content', () => changed(good.length - 5000)],
    ['a last byte that is missing', () => good.subarray(0, -1)],
    ['a last chunk that is missing', () => good.subarray(0, good.indexOf('\n--- ') + 49 + 16 + 65_552)],
    ["two chunks in each other's place", () => swapped()],
    ['a whole chunk more', () => Buffer.concat([good, good.subarray(-65_552)])],
    ['one byte more', () => Buffer.concat([good, Buffer.of(0)])],
    [
      'a header without an end',
      () => Buffer.concat([Buffer.from('age-encryption.org/v1\n'), Buffer.alloc(70_000, 'a')]),
    ],
    [
      'costs beyond any memory',
      () => Buffer.from(good.toString('latin1').replace(/^(-> scrypt \S+) 17$/m, '$1 30'), 'latin1'),
    ],
  ];
  it.each(damages)('refuses %s', async (_what, make) => {
    await expect(unseal(make())).rejects.toMatchObject({ code: 'BACKUP_DAMAGED' });
  });
});

describe('the archive of a backup', () => {
  it('gives back its files, and leaves out missing files', async () => {
    writeFileSync(fileOf('document'), content);
    const files = await untar(
      await tarOf(
        { name: 'manifest.json', source: Buffer.from('{}') },
        { name: 'sinete.toml', source: { path: fileOf('missing') } },
        { name: key, source: { path: fileOf('document') } },
        { name: `${key.replace('documents', 'results')}.r1`, source: Buffer.alloc(512, 'r') },
      ),
    );
    expect(Object.keys(files)).toEqual(['manifest.json', key, `${key.replace('documents', 'results')}.r1`]);
    expect(files[key]?.equals(content)).toBe(true);
  });

  it.each([
    ['another name', (tar: Buffer) => tar.write('../../etc/passwd\0', 0)],
    ['a symbolic link', (tar: Buffer) => tar.write('2', 156)],
    ['another size', (tar: Buffer) => tar.write('00000077777', 124)],
  ])('is refused with %s', async (_what, change) => {
    const tar = await tarOf({ name: 'manifest.json', source: Buffer.from('{}') });
    change(tar);
    // The checksum of tar protects nothing on purpose: a stranger writes the right checksum.
    const sum = tar.subarray(0, 512).reduce((all, byte, at) => all + (at >= 148 && at < 156 ? 32 : byte), 0);
    tar.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
    await expect(untar(tar)).rejects.toMatchObject({ code: 'BACKUP_DAMAGED' });
  });

  it.each([
    ['without its end', (tar: Buffer) => tar.subarray(0, 1024)],
    ['with more behind its end', (tar: Buffer) => Buffer.concat([tar, Buffer.from('more')])],
  ])('is refused %s', async (_what, change) => {
    const tar = await tarOf({ name: 'manifest.json', source: Buffer.from('{}') });
    await expect(untar(change(tar))).rejects.toMatchObject({ code: 'BACKUP_DAMAGED' });
  });

  it('of an earlier version is read as well', async () => {
    const names: string[] = [];
    const archive = archiveFirstFormat({ 'manifest.json': Buffer.from('{}'), [key]: content });
    await readFirstArchive(once(archive), async (name, chunks) => {
      for await (const part of chunks) names.push(`${name} ${part.length}`);
    });
    expect(names).toEqual(['manifest.json 2', `${key} ${content.length}`]);
  });
});

describe('without Sinete, a backup', () => {
  const entries = [
    { name: 'manifest.json', source: Buffer.from('{"format":1}') },
    { name: key, source: content },
  ];

  async function unpack(tar: string): Promise<void> {
    const target = fileOf(`unpacked-${randomBytes(4).toString('hex')}`);
    mkdirSync(target);
    await runTool('tar', ['--extract', '--file', tar, '--directory', target]);
    expect(readdirSync(target).sort()).toEqual(['documents', 'manifest.json']);
    expect(readFileSync(join(target, key)).equals(content)).toBe(true);
  }

  it('opens with age and tar under the key of a recipient', async () => {
    writeFileSync(fileOf('all.age'), await seal({ recipients: [recipient] }, writeArchive(entries, now)));
    const parameters = [
      '--decrypt',
      '--identity',
      fileOf('identity'),
      '--output',
      fileOf('all.tar'),
      fileOf('all.age'),
    ];
    expect(await runProgram('age', parameters)).toMatchObject({ code: 0 });
    await unpack(fileOf('all.tar'));
  });

  it('opens with age and tar under its passphrase, asked by age in a terminal', async () => {
    writeFileSync(fileOf('secret.age'), await seal({ passphrase }, writeArchive(entries, now)));
    const program = ['import os,pty,sys', 'pid,fd=pty.fork()', 'if pid==0: os.execvp(sys.argv[1],sys.argv[1:])']
      .concat([
        'os.read(fd,1024)',
        'os.write(fd,(os.environ["SECRET"]+"\\n").encode())',
        'try:',
        ' while os.read(fd,1024): pass',
        'except OSError: pass',
        'sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid,0)[1]))',
      ])
      .join('\n');
    const command = ['age', '--decrypt', '--output', fileOf('secret.tar'), fileOf('secret.age')];
    const ended = await runProgram('python3', ['-c', program, ...command], { environment: { SECRET: passphrase } });
    expect(ended).toMatchObject({ code: 0 });
    await unpack(fileOf('secret.tar'));
  });

  it('is made with age, and restored here', async () => {
    writeFileSync(fileOf('made.tar'), await tarOf(...entries));
    const parameters = ['--encrypt', '--recipient', recipient, '--output', fileOf('made.age'), fileOf('made.tar')];
    expect(await runProgram('age', parameters)).toMatchObject({ code: 0 });
    const files = await untar(await unseal(readFileSync(fileOf('made.age')), { identities: [identity] }));
    expect(files[key]?.equals(content)).toBe(true);
  });

  it.each([0, 1, 65_535, 65_536, 65_537, 131_072])(
    'opens with the library of age, and here, with %d bytes',
    async (length) => {
      const wanted = content.subarray(0, length);
      const decrypter = new Decrypter();
      decrypter.addIdentity(identity);
      const sealed = await seal({ recipients: [recipient] }, Buffer.from(wanted));
      expect(Buffer.from(await decrypter.decrypt(sealed)).equals(wanted)).toBe(true);
      const encrypter = new Encrypter();
      encrypter.addRecipient(recipient);
      const made = Buffer.from(await encrypter.encrypt(wanted));
      expect((await unseal(made, { identities: [identity] })).equals(wanted)).toBe(true);
    },
  );

  it('opens here with a passphrase stretched by the library of age', async () => {
    const encrypter = new Encrypter();
    encrypter.setPassphrase(passphrase);
    encrypter.setScryptWorkFactor(10);
    expect((await unseal(Buffer.from(await encrypter.encrypt(content)))).equals(content)).toBe(true);
  });
});
