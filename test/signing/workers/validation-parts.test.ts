/** What a validation in a worker asks of its caller, and the size that its budget goes by. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTrustAnchors } from '../../../src/signing/index.ts';
import { answerValidation, inputSize } from '../../../src/signing/workers/validation-parts.ts';
import { createFakeHttp } from '../revocation/fake-http.ts';

const ADDRESS = 'http://lists.test/list';
const fetching = { kind: 'fetch', request: { method: 'GET', url: ADDRESS, timeout: 1, maxBytes: 1 } } as const;
const services = { trust: createTrustAnchors([]), now: () => new Date() };

describe('inputSize', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sinete-sizes-'));
  });
  afterEach(async () => rm(folder, { recursive: true }));

  it('counts signature, content and records, in memory and in files', async () => {
    const path = join(folder, 'file');
    await writeFile(path, Buffer.alloc(1000));
    const [bytes, file] = [Buffer.alloc(7), { path }];
    expect(await inputSize({ signature: bytes })).toBe(7);
    expect(await inputSize({ signature: bytes, content: file, records: [bytes, file] })).toBe(2014);
    expect(await inputSize({ path, records: [bytes] })).toBe(1007);
    expect(await inputSize({ path: join(folder, 'absent') })).toBe(0);
  });
});

describe('answerValidation', () => {
  it('makes 64 exchanges for a file, and refuses the next', async () => {
    const http = createFakeHttp({ [ADDRESS]: Buffer.of(1) });
    const answer = answerValidation({ ...services, http }, undefined);
    for (let count = 0; count < 64; count += 1) await answer(fetching);
    await expect(answer(fetching)).rejects.toMatchObject({ code: 'NETWORK_REFUSED' });
    expect(http.asked).toHaveLength(64);
  });

  it('makes no exchange without a network, and keeps nothing without a cache', async () => {
    const answer = answerValidation(services, undefined);
    await expect(answer(fetching)).rejects.toMatchObject({ code: 'NETWORK_REFUSED' });
    const key = { issuerKey: 'a', kind: 'crl', locator: ADDRESS } as const;
    expect(await answer({ kind: 'cache-get', key })).toBeUndefined();
  });
});
