import { randomBytes } from 'node:crypto';
import { mkdtemp, open, rm, writeFile, type FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { forEachChunk } from '../../../src/signing/signed-data/content.ts';

const content = randomBytes(100_000);
let folder: string;
let file: FileHandle;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sinete-slices-'));
  await writeFile(join(folder, 'document'), content);
  file = await open(join(folder, 'document'));
});
afterEach(async () => {
  await file.close();
  await rm(folder, { recursive: true });
});

/** The file with a count of its reads. */
function counting(): { readonly file: FileHandle; readonly reads: () => number } {
  let reads = 0;
  const read = (...words: Parameters<FileHandle['read']>): ReturnType<FileHandle['read']> => {
    reads += 1;
    return file.read(...words);
  };
  return { file: { read } as unknown as FileHandle, reads: () => reads };
}

describe('forEachChunk', () => {
  it('reads a small slice once, and hands over a single piece', async () => {
    const { file: counted, reads } = counting();
    const pieces: string[] = [];
    await forEachChunk({ file: counted, start: 10, length: 50_000 }, (chunk, position) => {
      pieces.push(`${position} ${chunk.toString('hex')}`);
      return undefined;
    });
    expect(pieces).toEqual([`0 ${content.subarray(10, 50_010).toString('hex')}`]);
    expect(reads()).toBe(1);
  });

  it('uses the memory of a small slice again for the next slice', async () => {
    const memory = new Set<ArrayBufferLike>();
    for (let count = 0; count < 20; count += 1) {
      await forEachChunk({ file, start: 0, length: content.length }, (chunk) => {
        memory.add(chunk.buffer);
        return undefined;
      });
    }
    expect(memory.size).toBe(1);
  });

  it('never gives the memory of a small slice in use to another slice', async () => {
    const seen = await Promise.all(
      Array.from({ length: 12 }, async (_, start) => {
        let bytes = '';
        await forEachChunk({ file, start, length: 1000 }, async (chunk) => {
          await new Promise((resolve) => setImmediate(resolve));
          bytes = chunk.toString('hex');
        });
        return bytes === content.subarray(start, start + 1000).toString('hex');
      }),
    );
    expect(seen).not.toContain(false);
  });

  it('hands nothing over to a caller giving up during the read', async () => {
    const caller = new AbortController();
    const read = async (...words: Parameters<FileHandle['read']>) => {
      const answer = await file.read(...words);
      caller.abort();
      return answer;
    };
    const slice = { file: { read } as unknown as FileHandle, start: 0, length: 1000 };
    const use = (): undefined => {
      throw new Error('Nothing is to be used.');
    };
    await expect(forEachChunk(slice, use, caller.signal)).rejects.toMatchObject({ code: 'CANCELLED' });
  });

  it('refuses a small slice of a file ending early, and hands nothing over for an empty slice', async () => {
    const use = (): undefined => {
      throw new Error('Nothing is to be used.');
    };
    await expect(forEachChunk({ file, start: 99_000, length: 2000 }, use)).rejects.toMatchObject({
      code: 'CONTENT_CHANGED',
    });
    await forEachChunk({ file, start: 0, length: 0 }, use);
  });
});
