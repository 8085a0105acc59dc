import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeScratchFolder } from '../../src/signing/scratch-folder.ts';
import { FileDocumentStore } from '../../src/storage/files/file-document-store.ts';
import { listFound } from '../../src/storage/files/lost-and-found.ts';
import { LocalUserFiles } from '../../src/storage/files/local-user-files.ts';

let root: string;
beforeEach(() => void (root = mkdtempSync(join(tmpdir(), 'sinete-steps-'))));
afterEach(() => rmSync(root, { recursive: true }));

/** A key in the form of documents: its time, and random digits. */
const keyOf = (time: string): string => new Date(time).getTime().toString(16).padStart(12, '0') + 'a'.repeat(20);

describe('documents unknown to every row', () => {
  it('are set aside with all known facts, and never erased', async () => {
    const data = join(root, 'data');
    const store = new FileDocumentStore(data);
    const [lost, known, kept] = [
      keyOf('2026-01-01T00:00:00Z'),
      keyOf('2026-02-01T00:00:00Z'),
      keyOf('2026-03-01T00:00:00Z'),
    ];
    for (const folder of ['incoming', 'documents', 'results']) {
      for (const name of [lost, known, kept, `${lost}.draft`]) writeFileSync(join(data, folder, name), '%PDF-1.7');
    }
    const all = new Set([known, kept]);
    const needed = { originals: new Set([kept]), results: new Set([kept]), known: all };
    const outcome = await store.removeUnneeded(async () => Promise.resolve(needed));
    expect(outcome).toEqual({ removed: 4, found: 2, unanswered: 0 });
    expect(['incoming', 'documents', 'results'].map((folder) => readdirSync(join(data, folder)))).toEqual([
      [],
      [kept],
      [kept],
    ]);
    expect((await listFound(data)).map(({ kind }) => kind).toSorted()).toEqual(['original', 'result']);
    expect(readFileSync(join(data, 'lost+found', `result-${lost}`), 'utf8')).toBe('%PDF-1.7');
    const index = readFileSync(join(data, 'lost+found', 'found.jsonl'), 'utf8')
      .trim()
      .split('\n');
    expect(index.map((line): unknown => JSON.parse(line))).toContainEqual(
      expect.objectContaining({
        file: `result-${lost}`,
        kind: 'result',
        size: 8,
        mediaType: 'application/pdf',
        createdAt: '2026-01-01T00:00:00.000Z',
      }),
    );
  });

  it('are told apart by whether their rows were committed', async () => {
    const data = join(root, 'data');
    const store = new FileDocumentStore(data);
    const [committed, other] = [keyOf('2026-01-01T00:00:00Z'), keyOf('2026-02-01T00:00:00Z')];
    for (const key of [committed, other]) {
      await store.receive(key, Readable.from([Buffer.from('%PDF-1.7')]));
      await store.keep([key]);
    }
    await store.confirm([committed]);
    const none = { originals: new Set<string>(), results: new Set<string>(), known: new Set<string>() };
    expect(await store.removeUnneeded(async () => Promise.resolve(none))).toEqual({
      removed: 0,
      found: 1,
      unanswered: 1,
    });
    expect(await listFound(data)).toEqual(
      expect.arrayContaining([
        { file: `original-${committed}`, kind: 'original' },
        { file: `unanswered-${other}`, kind: 'unanswered' },
      ]),
    );
    expect(readdirSync(join(data, 'documents'))).toEqual([]);
  });
});

describe('a folder of steps left by a kill', () => {
  it('goes with the other unneeded files, and is no obstacle to a start', async () => {
    const store = new FileDocumentStore(join(root, 'data'));
    const folder = await makeScratchFolder(await store.prepareResult('a'.repeat(32)));
    writeFileSync(join(folder, '1.pdf'), 'a step');
    await store.removeUnneeded(async () =>
      Promise.resolve({ originals: new Set(), results: new Set(), known: new Set() }),
    );
    expect(existsSync(folder)).toBe(false);
  });

  it("goes from the user's folder with the next attempt, and nothing else of this folder goes", async () => {
    const files = new LocalUserFiles(join(root, 'data'));
    mkdirSync(join(root, 'home'));
    const destination = join(root, 'home', 'signed.pdf');
    const draft = await files.prepareDraft(destination, 'key');
    const folder = await makeScratchFolder(draft);
    writeFileSync(join(folder, '1.pdf'), 'a step');
    const other = await makeScratchFolder(await files.prepareDraft(destination, 'other'));
    expect(basename(folder).startsWith(`${basename(draft)}.`)).toBe(true);
    await files.prepareDraft(destination, 'key');
    expect([existsSync(folder), existsSync(other)]).toEqual([false, true]);
  });
});
