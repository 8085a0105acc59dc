import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PdfFile } from '../../../../src/signing/pdf/reading/pdf-file.ts';

let folder: string;
let file: PdfFile;
/** Each byte tells its own place, modulo a prime. */
const bytes = Buffer.from(Uint8Array.from({ length: 1_000_000 }, (_, index) => index % 251));

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sinete-pdf-file-'));
  await writeFile(join(folder, 'file'), bytes);
  file = await PdfFile.open(join(folder, 'file'));
});
afterAll(async () => {
  await file.close();
  await rm(folder, { recursive: true });
});

describe('PdfFile', () => {
  it('gives lasting bytes, however much is read afterwards', () => {
    const places = Array.from({ length: 200 }, (_, index) => (index * 50_021) % 999_000);
    const kept = places.map((position, index) => ({ position, read: file.read(position, 1 + index * 100) }));
    for (const { position, read } of kept) {
      expect(read.equals(bytes.subarray(position, position + read.length))).toBe(true);
    }
  });

  it('gives fewer bytes at the end of the file, and none outside', () => {
    expect(file.read(999_990, 100)).toEqual(bytes.subarray(999_990));
    expect([file.read(1_000_000, 1).length, file.read(-1, 1).length]).toEqual([0, 0]);
    expect(file.text(999_998, 10)).toHaveLength(2);
    expect(file.read(990_000, 50_000)).toEqual(bytes.subarray(990_000));
  });
});
