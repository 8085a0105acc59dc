import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { hashFile, readCheckedBlocks } from '../../../src/service/transactions/documents/checked-blocks.ts';
import { personWith } from '../../pki/identities.ts';
import { buildPdf, onePage } from '../../signing/pdf/build-pdf.ts';
import {
  createRequest,
  dataUrl,
  filesOnly,
  finished,
  incoming,
  openWorld,
  requester,
  type World,
} from './transaction-world.ts';

const maria = await personWith();
const MEBIBYTE = 2 ** 20;

let world: World;
afterEach(() => world.end());

/** The TCN of a signed transaction with a single result: of 2 kB in the database, or of `size` bytes in a file. */
async function signed(size?: number): Promise<string> {
  world = await openWorld({ limits: { ...(size === undefined ? {} : filesOnly), scrubRate: 2 ** 40 } });
  await world.addKey(maria);
  const data = dataUrl(size === undefined ? 'small' : randomBytes(size));
  const request = createRequest({ documentsSource: 'DATA_URL', type: 'CAdES-attached', documents: [{ data }] });
  const { tcn } = await world.transactions.create(request, requester);
  expect(await finished(world.transactions, tcn)).toMatchObject({ status: 'SIGNED' });
  await world.transactions.result(tcn, '0');
  return tcn;
}

const file = (): string => join(world.folder, 'results', readdirSync(join(world.folder, 'results'))[0] ?? '');

function flip(path: string, at: number): void {
  const content = readFileSync(path);
  content[at] = (content[at] ?? 0) ^ 1;
  writeFileSync(path, content);
}

const rows = (): Promise<unknown> => world.storage.database.deleteFrom('small_results').execute();

const flipRow = (): Promise<unknown> =>
  world.storage.database
    .updateTable('small_results')
    .set({ octets: Buffer.alloc(2000, 1) })
    .execute();

const damages: readonly [string, number | undefined, 'missing' | 'changed', () => unknown][] = [
  ['a small result has other content', undefined, 'changed', flipRow],
  ['the row of a small result is gone', undefined, 'missing', rows],
  ['one bit of a file flipped', 200_000, 'changed', () => flip(file(), 1000)],
  ['a file is gone', 200_000, 'missing', () => rmSync(file())],
  ['a file is empty', 200_000, 'changed', () => truncateSync(file())],
  ['a file is cut', 200_000, 'changed', () => truncateSync(file(), 100_000)],
  ['one bit of a longer file flipped after a good download', 3 * MEBIBYTE, 'changed', () => flip(file(), MEBIBYTE)],
];

describe('a stored result that is not what was written', () => {
  it.each(damages)('is refused with RESULT_DAMAGED and told: %s', async (_state, size, reason, damage) => {
    const tcn = await signed(size);
    expect(world.transactions.damagedResults()).toEqual([]);
    await damage();
    await expect(world.transactions.result(tcn, '0')).rejects.toMatchObject({ code: 'RESULT_DAMAGED' });
    expect(world.transactions.damagedResults()).toEqual([{ tcn, documentId: '0', reason }]);
  });

  it.each(damages)('is found in the background: %s', async (_state, size, reason, damage) => {
    const tcn = await signed(size);
    await world.transactions.checkResults();
    expect(world.transactions.damagedResults()).toEqual([]);
    await damage();
    await world.transactions.checkResults();
    expect(world.transactions.damagedResults()).toEqual([{ tcn, documentId: '0', reason }]);
  });

  it('is no longer told when its lifetime is over', async () => {
    const tcn = await signed(200_000);
    rmSync(file());
    await world.transactions.checkResults();
    expect(world.transactions.damagedResults()).toHaveLength(1);
    world.advance(13 * 3_600_000);
    await expect(world.transactions.result(tcn, '0')).rejects.toMatchObject({ code: 'LIFETIME_OVER' });
    await world.transactions.resume();
    expect(world.transactions.damagedResults()).toEqual([]);
  });
});

describe('a stored original that rotted before it was signed', () => {
  it.each(['CAdES-attached', 'PAdES'] as const)('fails its document, and is never signed: %s', async (type) => {
    world = await openWorld({ approve: 'ask', limits: filesOnly });
    await world.addKey(maria);
    const { tcn } = await world.transactions.create(createRequest({ type }), requester);
    const pdf = buildPdf(onePage());
    await world.transactions.upload(tcn, { endOfTransaction: true }, incoming(['a.pdf', pdf]));
    const folder = join(world.folder, 'documents');
    // A byte of the comment behind the header: the PDF stays readable.
    flip(join(folder, readdirSync(folder)[0] ?? ''), 12);
    await world.transactions.decide(tcn, 'approve');
    expect((await finished(world.transactions, tcn)).documents).toMatchObject([
      { status: 'ERROR', error: { code: 'DOCUMENT_UNREADABLE' } },
    ]);
  });
});

describe('reading in checked blocks', () => {
  const size = 2 * MEBIBYTE + 5;
  const content = randomBytes(size);

  async function read(path: string, blocks: Buffer, start: number, end: number): Promise<Buffer> {
    const parts: Buffer[] = [];
    for await (const part of readCheckedBlocks(path, blocks, { start, end })) parts.push(part);
    return Buffer.concat(parts);
  }

  it('gives every range, and of a damaged file only ranges without the damaged block', async () => {
    world = await openWorld();
    const path = join(world.home, 'content');
    writeFileSync(path, content);
    const { blocks = Buffer.alloc(0) } = await hashFile(path);
    const ranges = [
      [0, size - 1],
      [0, 0],
      [MEBIBYTE - 1, MEBIBYTE],
      [MEBIBYTE, 2 * MEBIBYTE - 1],
      [size - 2, size - 1],
    ] as const;
    for (const [start, end] of ranges) {
      expect((await read(path, blocks, start, end)).equals(content.subarray(start, end + 1))).toBe(true);
    }
    flip(path, MEBIBYTE + 7);
    const damaged = await Promise.allSettled(ranges.map(([start, end]) => read(path, blocks, start, end)));
    expect(damaged.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'rejected', 'rejected', 'fulfilled']);
  });
});
