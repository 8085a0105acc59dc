import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { writeChecksums } from './checksums.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sinete-release-'));
});
afterEach(async () => rm(folder, { recursive: true }));

describe('SHA256SUMS of a release', () => {
  it('has a line for each artefact, and is the same when it is written again', async () => {
    await mkdir(join(folder, 'linux-unpacked'));
    for (const name of ['sinete.deb', 'abc.txt', 'latest-linux.yml', 'builder-debug.yml']) {
      await writeFile(join(folder, name), name === 'abc.txt' ? 'abc' : '');
    }
    // SHA-256 of "abc" (FIPS 180-4, example B.1) and of no bytes.
    const abc = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad';
    const empty = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
    const wanted = `${abc}  abc.txt\n${empty}  latest-linux.yml\n${empty}  sinete.deb\n`;
    for (let round = 0; round < 2; round++) {
      await writeChecksums(folder);
      expect(await readFile(join(folder, 'SHA256SUMS'), 'utf8')).toBe(wanted);
    }
  });
});
