import { createHash, randomBytes } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openStorage, type Storage } from '../../../src/storage/index.ts';
import { runTool } from '../../oracles/run-program.ts';

const KEY = 'a'.repeat(32);
let root: string;
let home: string;
let storage: Storage;
beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'sinete-files-'));
  home = join(root, 'home');
  mkdirSync(home);
  storage = await openStorage(join(root, 'data'));
});
afterEach(async () => {
  await storage.close();
  rmSync(root, { recursive: true });
});

const filesIn = (folder: string): string[] => readdirSync(join(root, 'data', folder));
const sha256 = (content: Buffer | string): string => createHash('sha256').update(content).digest('hex');

async function* chunks(...parts: readonly (Buffer | Error)[]): AsyncGenerator<Uint8Array> {
  for (const part of parts) {
    await Promise.resolve();
    if (part instanceof Error) throw part;
    yield part;
  }
}

describe('FileDocumentStore', () => {
  it('measures received bytes and keeps the bytes only on request', async () => {
    const content = randomBytes(3000);
    const received = await storage.documents.receive(KEY, chunks(content.subarray(0, 1), content.subarray(1)));
    expect(received).toEqual({
      size: 3000,
      checksum: sha256(content),
      head: content.subarray(0, 1024),
      kind: { kind: 'other', form: 'none' },
    });
    expect([filesIn('incoming'), filesIn('documents')]).toEqual([[KEY], []]);
    await storage.documents.keep([KEY]);
    expect([filesIn('incoming'), filesIn('documents')]).toEqual([[], [KEY, `${KEY}.unanswered`]]);
    await storage.documents.confirm([KEY]);
    expect(filesIn('documents')).toEqual([KEY]);
    const path = storage.documents.originalPath(KEY);
    expect(readFileSync(path)).toEqual(content);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it('leaves no file of a broken stream, and passes the reason', async () => {
    const reason = new Error('gone');
    await expect(storage.documents.receive(KEY, chunks(Buffer.from('half'), reason))).rejects.toBe(reason);
    expect(filesIn('incoming')).toEqual([]);
  });

  it('gives a result its place, also when asked twice', async () => {
    writeFileSync(await storage.documents.prepareResult(KEY), 'result');
    await storage.documents.publishResults([KEY]);
    await storage.documents.publishResults([KEY]);
    expect(readFileSync(await storage.documents.fetchResult(KEY), 'utf8')).toBe('result');
    await storage.documents.removeResult(KEY);
    await storage.documents.removeResult(KEY);
    await expect(storage.documents.publishResults([KEY])).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE' });
  });

  it('removes the remains of an earlier attempt before a result is made again', async () => {
    writeFileSync(await storage.documents.prepareResult(KEY), 'first');
    expect(existsSync(await storage.documents.prepareResult(KEY))).toBe(false);
  });
});

describe('LocalUserFiles', () => {
  it('measures a regular file and follows symbolic links', async () => {
    writeFileSync(join(home, 'file'), 'content');
    symlinkSync('file', join(home, 'link'));
    const found = await storage.files.inspect(join(home, 'link'), 100);
    expect(found).toEqual({
      path: join(home, 'file'),
      size: 7,
      checksum: sha256('content'),
      head: Buffer.from('content'),
      kind: { kind: 'text', form: 'none' },
    });
  });

  it('refuses a named pipe at once instead of waiting for its other end', async () => {
    const pipe = join(home, 'pipe');
    await runTool('mkfifo', [pipe]);
    await expect(storage.files.inspect(pipe, 100)).rejects.toMatchObject({ code: 'DOCUMENT_UNREADABLE' });
    await expect(storage.files.stamp(pipe)).rejects.toMatchObject({ code: 'DOCUMENT_UNREADABLE' });
  });

  it('stops reading at the limit', async () => {
    await expect(storage.files.inspect(process.execPath, 1000)).rejects.toMatchObject({ code: 'DOCUMENT_TOO_LARGE' });
  });

  it('tells of a missing file', async () => {
    await expect(storage.files.inspect(join(home, 'none'), 1)).rejects.toMatchObject({ code: 'DOCUMENT_UNREADABLE' });
    await expect(storage.files.stamp(join(home, 'none'))).rejects.toMatchObject({ code: 'DOCUMENT_UNREADABLE' });
  });

  it('delivers under a free name and never over a file, a folder or a broken link', async () => {
    const taken = join(home, 'taken');
    const draft = await storage.files.prepareDraft(taken, KEY);
    for (const make of [
      () => writeFileSync(taken, 'mine'),
      () => mkdirSync(taken),
      () => symlinkSync('nowhere', taken),
    ]) {
      make();
      writeFileSync(draft, 'result');
      await expect(storage.files.checkDestination(taken)).rejects.toMatchObject({ code: 'DESTINATION_EXISTS' });
      await expect(storage.files.deliver(draft, taken)).rejects.toMatchObject({ code: 'DESTINATION_EXISTS' });
      rmSync(taken, { recursive: true });
    }
    await storage.files.deliver(draft, taken);
    expect(readdirSync(home)).toEqual(['taken']);
    expect(await storage.files.holds(taken, 6, sha256('result'))).toBe(true);
    expect(await storage.files.holds(taken, 6, sha256('others'))).toBe(false);
    expect(await storage.files.holds(join(home, 'none'), 6, sha256('result'))).toBe(false);
  });

  it('refuses a destination in a missing folder, or in the application’s own', async () => {
    const { files } = storage;
    await expect(files.checkDestination(join(home, 'none', 'x'))).rejects.toMatchObject({ code: 'FOLDER_NOT_FOUND' });
    await expect(files.checkDestination(join(root, 'data', 'x'))).rejects.toMatchObject({ code: 'PATH_NOT_ALLOWED' });
    await expect(files.checkDestination('x')).rejects.toMatchObject({ code: 'PATH_NOT_ALLOWED' });
    await files.checkDestination(join(home, 'x'));
    await files.checkDestination(join(root, 'x'));
  });
});
