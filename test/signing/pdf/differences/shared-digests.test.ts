/** Digests of several ranges of one file. */
import { hash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SharedDigests, soundRange, type SoundRange } from '../../../../src/signing/pdf/differences/shared-digests.ts';
import type { PdfFile } from '../../../../src/signing/pdf/reading/pdf-file.ts';

let folder = '';
let handle: FileHandle;
const DATA = Buffer.from(Array.from({ length: 3000 }, (_, index) => index % 251));
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sinete-digests-'));
  writeFileSync(join(folder, 'file'), DATA);
  handle = await open(join(folder, 'file'));
});
afterAll(async () => {
  await handle.close();
  rmSync(folder, { recursive: true });
});

const EARLY: SoundRange = [0, 100, 200, 300];
const LATE: SoundRange = [0, 2000, 2100, 900];
const SAME: SoundRange = [0, 100, 150, 50];
const RANGES = [LATE, EARLY, SAME];

/** How often the file was asked for its handle. */
let asked = 0;
const digestsOf = (ranges: readonly SoundRange[]): SharedDigests => {
  asked = 0;
  return new SharedDigests(
    {
      get handle() {
        asked += 1;
        return handle;
      },
    } as unknown as PdfFile,
    ranges,
  );
};
const covered = ([, length, start, rest]: SoundRange): Buffer =>
  Buffer.concat([DATA.subarray(0, length), DATA.subarray(start, start + rest)]);

describe('the digests of several ranges', () => {
  it('are those of the covered bytes, in any order of the ranges', async () => {
    const digests = digestsOf(RANGES);
    for (const range of [EARLY, LATE, SAME, EARLY]) {
      expect(await digests.digest(range, 'sha256')).toEqual(hash('sha256', covered(range), 'buffer'));
      expect(await digests.digest(range, 'sha512')).toEqual(hash('sha512', covered(range), 'buffer'));
    }
  });

  it('read the beginning of the file once for each algorithm', async () => {
    const digests = digestsOf(RANGES);
    await Promise.all(RANGES.map((range) => digests.digest(range, 'sha256')));
    const once = asked;
    await digests.digest(EARLY, 'sha256');
    expect(asked - once).toBe(1);
    await digests.digest(EARLY, 'sha384');
    expect(asked - once).toBeGreaterThan(2);
  });

  it('are none for another range', async () => {
    await expect(digestsOf([EARLY]).digest(LATE, 'sha256')).rejects.toThrow('none of those');
  });

  it('take the numbers of a range', () => {
    expect(soundRange([0, 100, 200, 300])).toEqual(EARLY);
    expect(soundRange([])).toEqual([0, 0, 0, 0]);
  });
});
