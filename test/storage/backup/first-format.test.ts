import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readSealedFile } from '../../../src/storage/backup/first-format.ts';
import { sealFirstFormat } from './first-format-writer.ts';

const passphrase = 'correct horse battery';
const content = randomBytes(200_000);
let folder: string;
let good: Buffer;

async function unseal(bytes: Buffer, secret = passphrase): Promise<Buffer> {
  const path = join(folder, `trial-${randomBytes(4).toString('hex')}`);
  writeFileSync(path, bytes);
  const file = await open(path, 'r');
  try {
    const parts: Buffer[] = [];
    for await (const part of readSealedFile(file, secret)) parts.push(part);
    return Buffer.concat(parts);
  } finally {
    await file.close();
    rmSync(path);
  }
}

/** Offsets of the chunks; the first chunk is empty. */
function chunksOf(bytes: Buffer): readonly { readonly start: number; readonly end: number }[] {
  let start = 16 + 4 + bytes.readUInt32BE(16) + 32;
  const found = [];
  while (start < bytes.length) {
    const end = start + 5 + bytes.readUInt32BE(start + 1) + 16;
    found.push({ start, end });
    start = end;
  }
  return found;
}

function changed(at: number): Buffer {
  const bytes = Buffer.from(good);
  bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at);
  return bytes;
}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'sinete-sealed-'));
  good = sealFirstFormat(passphrase, content);
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('a backup of an earlier version, sealed under a passphrase', () => {
  it('gives back its content, and shows nothing of the content', async () => {
    expect((await unseal(good)).equals(content)).toBe(true);
    expect(good.includes(content.subarray(100, 132))).toBe(false);
  });

  it.each([0, 1, 65_535, 65_536, 65_537])('holds %i bytes', async (length) => {
    const sealed = sealFirstFormat(passphrase, content.subarray(0, length));
    expect((await unseal(sealed)).equals(content.subarray(0, length))).toBe(true);
  });

  it('tells a wrong passphrase from damage', async () => {
    await expect(unseal(good, 'correct horse batterz')).rejects.toMatchObject({ code: 'PASSPHRASE_INCORRECT' });
  });

  it('tells another kind of file', async () => {
    await expect(unseal(Buffer.from('%PDF-1.7 and so on'))).rejects.toMatchObject({ code: 'BACKUP_UNKNOWN' });
    await expect(unseal(Buffer.alloc(0))).rejects.toMatchObject({ code: 'BACKUP_UNKNOWN' });
  });

  const damages: [string, () => Buffer][] = [
    ['a byte of the header', () => changed(30)],
    ['a byte of the content', () => changed(good.length - 5000)],
    ['a byte of a tag', () => changed(good.length - 1)],
    ['a last byte that is missing', () => good.subarray(0, -1)],
    ['one byte more', () => Buffer.concat([good, Buffer.of(0)])],
    ['a last chunk that is missing', () => good.subarray(0, chunksOf(good).at(-1)?.start)],
    [
      'a chunk that is missing in the middle',
      () => {
        const third = chunksOf(good)[2] ?? { start: 0, end: 0 };
        return Buffer.concat([good.subarray(0, third.start), good.subarray(third.end)]);
      },
    ],
    [
      'two chunks that are swapped',
      () => {
        const [, a = { start: 0, end: 0 }, b = { start: 0, end: 0 }] = chunksOf(good);
        return Buffer.concat([
          good.subarray(0, a.start),
          good.subarray(b.start, b.end),
          good.subarray(a.start, a.end),
          good.subarray(b.end),
        ]);
      },
    ],
    [
      'an earlier chunk that says it is the last',
      () => {
        const second = chunksOf(good)[1] ?? { start: 0, end: 0 };
        const bytes = Buffer.from(good.subarray(0, second.end));
        bytes.writeUInt8(1, second.start);
        return bytes;
      },
    ],
  ];
  it.each(damages)('refuses %s', async (_what, make) => {
    await expect(unseal(make())).rejects.toMatchObject({ code: 'BACKUP_DAMAGED' });
  });
});
