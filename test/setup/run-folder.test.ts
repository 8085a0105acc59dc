import { existsSync, mkdtempSync, rmSync, statSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { makeRunFolder } from './run-folder.ts';

function makeFolder(inMemory: boolean): string {
  const folder = makeRunFolder(inMemory);
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

describe('the folder of a run', () => {
  it('is in the place named by TMPDIR, and open to programs of another user', () => {
    const named = mkdtempSync(join(tmpdir(), 'sinete-named-'));
    onTestFinished(() => rmSync(named, { recursive: true }));
    vi.stubEnv('TMPDIR', named);
    const folder = makeFolder(true);
    expect(dirname(folder)).toBe(named);
    expect(statSync(folder).mode & 0o7777).toBe(0o1777);
  });

  it('is on the disk for a run with large files', () => {
    vi.stubEnv('TMPDIR', undefined);
    expect(dirname(makeFolder(false))).toBe(tmpdir());
  });

  it('takes the place of folders left in memory by runs of an earlier day', () => {
    const [left, young] = [mkdtempSync('/dev/shm/sinete-run-'), mkdtempSync('/dev/shm/sinete-run-')];
    onTestFinished(() => rmSync(young, { recursive: true }));
    const twoDaysAgo = Date.now() / 1000 - 2 * 24 * 60 * 60;
    utimesSync(left, twoDaysAgo, twoDaysAgo);
    vi.stubEnv('TMPDIR', undefined);
    makeFolder(true);
    expect([existsSync(left), existsSync(young)]).toEqual([false, true]);
  });
});
