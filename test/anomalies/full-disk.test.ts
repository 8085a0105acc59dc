import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ServiceError } from '../../src/service/errors/index.ts';
import { personWith } from '../pki/identities.ts';
import {
  createRequest,
  dataUrl,
  finished,
  openWorld,
  requester,
  type World,
} from '../service/transactions/transaction-world.ts';
import { arm, installFaults } from './faults.ts';
import { smallDisk, type FullDisk } from './small-disk.ts';

/** Where nothing may be mounted, every write says there is no room. */
function pretendedDisk(): FullDisk {
  const root = mkdtempSync(join(tmpdir(), 'sinete-full-'));
  let disarm: () => unknown = () => undefined;
  return {
    how: 'ENOSPC and SQLITE_FULL on demand',
    root,
    fill: () => void (disarm = arm({ kind: 'database', n: 1, lasting: true, folder: root, fault: 'ENOSPC' })),
    makeRoom: () => void disarm(),
    remove: () => rmSync(root, { recursive: true }),
  };
}

const large = Buffer.alloc(300_000, 'large ');
let disk: FullDisk;
let world: World;

beforeAll(installFaults);
beforeEach(async (context) => {
  disk = smallDisk() ?? pretendedDisk();
  console.log(`${context.task.name}: ${disk.how}`);
  world = await openWorld({}, disk.root);
  await world.addKey(await personWith());
});
afterEach(async () => {
  disk.makeRoom();
  await world.stop();
  disk.remove();
});

const requestOf = (content: Buffer) =>
  createRequest({ documentsSource: 'DATA_URL', type: 'CAdES-attached', documents: [{ data: dataUrl(content) }] });

async function codeOf(content: Buffer): Promise<string> {
  const error: unknown = await world.transactions
    .create(requestOf(content), requester)
    .catch((reason: unknown) => reason);
  return error instanceof ServiceError ? error.code : 'no refusal';
}

describe('a full disk', () => {
  it('refuses documents with STORAGE_FULL, keeps no bytes, and takes documents again when there is room', async () => {
    disk.fill();
    expect([await codeOf(large), await codeOf(Buffer.alloc(50_000))]).toEqual(['STORAGE_FULL', 'STORAGE_FULL']);
    expect(await world.transactions.recent(10)).toEqual([]);
    disk.makeRoom();
    const { tcn } = await world.transactions.create(requestOf(large), requester);
    expect((await finished(world.transactions, tcn)).documents).toMatchObject([{ status: 'SIGNED' }]);
    await world.transactions.result(tcn, '0');
  });

  it('leaves a transaction caught on the way to the next start, to be ended there', async () => {
    const { tcn } = await world.transactions.create(createRequest(), requester);
    mkdirSync(join(disk.root, 'home', 'x'), { recursive: true });
    disk.fill();
    const upload = world.transactions.upload(tcn, { endOfTransaction: true }, documents());
    await expect(upload).rejects.toMatchObject({ code: 'STORAGE_FULL' });
    disk.makeRoom();
    world = await world.restart({});
    await world.transactions.resume();
    await world.transactions.upload(tcn, { endOfTransaction: true }, documents());
    expect((await finished(world.transactions, tcn)).documents).toMatchObject([{ status: 'SIGNED' }]);
  });
});

async function* documents() {
  await Promise.resolve();
  yield { fileName: 'a.bin', mediaType: 'application/octet-stream', content: bytes() };
}

async function* bytes(): AsyncGenerator<Uint8Array> {
  await Promise.resolve();
  yield large;
}
