import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeScratchFolder } from '../../src/signing/scratch-folder.ts';
import { FileDocumentStore } from '../../src/storage/files/file-document-store.ts';
import { LocalUserFiles } from '../../src/storage/files/local-user-files.ts';

let root: string;
beforeEach(() => void (root = mkdtempSync(join(tmpdir(), 'sinete-steps-'))));
afterEach(() => rmSync(root, { recursive: true }));

/** A key as documents have it: its time, and random digits. */
const keyOf = (time: string): string => new Date(time).getTime().toString(16).padStart(12, '0') + 'a'.repeat(20);

describe('documents that no row knows', () => {
  const needed = { originals: new Set<string>(), results: new Set<string>() };

  it('stay while a database is set aside that may know them, and only those from before', async () => {
    const data = join(root, 'data');
    const store = new FileDocumentStore(data);
    const [before, after] = [keyOf('2026-01-01T00:00:00Z'), keyOf('2026-03-01T00:00:00Z')];
    for (const folder of ['incoming', 'documents', 'results']) {
      for (const name of [before, after, `${before}.draft`]) writeFileSync(join(data, folder, name), 'content');
    }
    const aside = join(data, 'sinete.db.damaged-2026-02-01T00-00-00-000Z');
    writeFileSync(aside, '');
    await store.removeUnneeded(needed);
    const left = (): string[][] =>
      ['incoming', 'documents', 'results'].map((folder) => readdirSync(join(data, folder)));
    expect(left()).toEqual([[], [before], [before]]);
    rmSync(aside);
    await store.removeUnneeded(needed);
    expect(left()).toEqual([[], [], []]);
  });
});

describe('a folder of steps that a kill has left', () => {
  it('goes with the other files that no document needs, and is nothing that a start stumbles over', async () => {
    const store = new FileDocumentStore(join(root, 'data'));
    const folder = await makeScratchFolder(await store.prepareResult('a'.repeat(32)));
    writeFileSync(join(folder, '1.pdf'), 'a step');
    await store.removeUnneeded({ originals: new Set(), results: new Set() });
    expect(existsSync(folder)).toBe(false);
  });

  it("goes from the user's folder with the next attempt, and nothing else of that folder does", async () => {
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
