import { hash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ContentParts } from '../../../../src/service/transactions/content/content.ts';
import { InFile } from '../../../../src/service/transactions/content/in-file.ts';
import type { DocumentRecord, ResultRecord } from '../../../../src/service/transactions/records.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sinete-in-file-'));
});
afterEach(() => rm(folder, { recursive: true }));

const document = { key: 'a'.repeat(32), destinationPath: null } as DocumentRecord;
const size = 2 ** 20 + 1;
const result = { size, checksum: hash('sha256', Buffer.alloc(size), 'hex') } as ResultRecord;

/** A storage whose results were all found good earlier. */
function storage(): InFile {
  return new InFile({
    documents: { fetchResult: (name: string) => Promise.resolve(join(folder, name)) },
    transactions: { resultBlocks: () => Promise.resolve(undefined) },
    results: { isGood: () => true, noteGood: () => undefined },
  } as unknown as ContentParts);
}

describe('a result in a file found good earlier', () => {
  it('is read again only where the whole result is to be checked', async () => {
    await writeFile(join(folder, document.key), Buffer.alloc(size, 1));
    const onDamage = (): void => undefined;
    expect(await storage().checkResult(document, result, { onDamage })).toMatchObject({ outcome: 'good' });
    expect(await storage().checkResult(document, result, { onDamage, whole: true })).toEqual({ outcome: 'changed' });
  });
});
