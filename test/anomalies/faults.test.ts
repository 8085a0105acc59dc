import { mkdtempSync, renameSync, rmSync } from 'node:fs';
import { open, rename } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openStorage } from '../../src/storage/index.ts';
import { personWith } from '../pki/identities.ts';
import { PretendToken } from '../service/transactions/pretend-token.ts';
import { arm, faultKinds, faultyHttp, faultyKeys, installFaults, type FaultKind } from './faults.ts';

let folder: string;
beforeAll(async () => {
  await installFaults();
  folder = mkdtempSync(join(tmpdir(), 'sinete-faults-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** A call of each kind, through the door used by the product. */
const calls: Readonly<Record<FaultKind, () => Promise<unknown>>> = {
  async database() {
    const storage = await openStorage(join(folder, 'data'));
    await storage.settings.write('a', 'b').finally(async () => storage.close());
  },
  write: async () => withFile(async (file) => file.write(Buffer.from('a'))),
  flush: async () => withFile(async (file) => file.sync()),
  rename: async () => rename(join(folder, 'file'), join(folder, 'renamed')),
  token: async () => faultyKeys(new PretendToken(await personWith())).open('key'),
  http: async () => faultyHttp({ send: async () => Promise.reject(new Error('It was sent.')) }).send(request),
};

const request = { method: 'GET', url: 'http://127.0.0.1:1/', timeout: 1, maxBytes: 1 } as const;

async function withFile(use: (file: Awaited<ReturnType<typeof open>>) => Promise<unknown>): Promise<void> {
  const file = await open(join(folder, 'file'), 'w');
  await use(file).finally(async () => file.close());
}

const expected: Readonly<Record<FaultKind, object>> = {
  database: { code: 'STORAGE_UNAVAILABLE', cause: { code: 'SQLITE_IOERR_WRITE' } },
  write: { code: 'EIO' },
  flush: { code: 'EIO' },
  rename: { code: 'EIO' },
  token: { code: 'TOKEN_ERROR' },
  http: { code: 'NETWORK_UNREACHABLE' },
};

describe('a fault on demand', () => {
  it.each(faultKinds)('fires for the kind %s, and only while armed', async (kind) => {
    // Tables are made, and files, before anything fails.
    await calls.database();
    await calls.write();
    const disarm = arm({ kind, n: 1, lasting: false, folder });
    await expect(calls[kind]()).rejects.toMatchObject(expected[kind]);
    expect(disarm()).toBeTypeOf('string');
    if (kind !== 'http') await calls[kind]();
  });

  it.each([
    [false, [true, false, true, true]],
    [true, [true, false, false, false]],
  ])('fails the second call, and the later calls under a lasting fault: %s', async (lasting, outcomes) => {
    const disarm = arm({ kind: 'write', n: 2, lasting, folder });
    const found: boolean[] = [];
    for (let call = 0; call < 4; call++) {
      found.push(
        await calls.write().then(
          () => true,
          () => false,
        ),
      );
    }
    disarm();
    expect(found).toEqual(outcomes);
  });

  it('reaches the synchronous calls of the file system, and spares other folders', async () => {
    await calls.write();
    const disarm = arm({ kind: 'rename', n: 1, lasting: true, folder });
    expect(() => renameSync(join(folder, 'file'), join(folder, 'other'))).toThrow('EIO');
    const elsewhere = mkdtempSync(join(tmpdir(), 'sinete-elsewhere-'));
    renameSync(elsewhere, `${elsewhere}-renamed`);
    disarm();
    rmSync(`${elsewhere}-renamed`, { recursive: true });
  });
});
