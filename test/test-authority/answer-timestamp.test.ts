import { writeFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readTimestampToken } from '../../src/signing/index.ts';
import { readTimestampResponse } from '../../src/signing/timestamps/timestamp-response.ts';
import {
  answerTimestampRequest,
  issueTestTimestampAuthority,
  type TestKeyKind,
} from '../../src/test-authority/index.ts';
import { authorityWith } from '../pki/identities.ts';
import { openssl } from '../pki/openssl.ts';
import { writeIdentity } from '../pki/openssl-files.ts';
import { inFreshFolder } from '../pki/pkcs12-files.ts';

/** A query by openssl for a short text, with these further parameters. */
async function queryBy(folder: string, ...parameters: string[]): Promise<Buffer> {
  await writeFile(join(folder, 'data'), 'what is stamped');
  const fixed = ['ts', '-query', '-data', 'data', '-out', 'query.tsq'];
  await openssl([...fixed, ...parameters], { folder });
  return readFile(join(folder, 'query.tsq'));
}

describe('answerTimestampRequest', () => {
  it.each<[TestKeyKind, string]>([
    ['rsa-2048', '-sha256'],
    ['rsa-3072', '-sha512'],
    ['ec-p256', '-sha384'],
    ['ec-p521', '-sha256'],
  ])('with a %s key and %s gives responses verified by openssl up to the root', async (keyKind, digest) => {
    const authority = await authorityWith(keyKind);
    const tsa = await issueTestTimestampAuthority(authority, { keyKind });
    await inFreshFolder(async (folder) => {
      const response = answerTimestampRequest(tsa, await queryBy(folder, digest, '-cert'));
      await writeFile(join(folder, 'response.tsr'), response);
      await writeIdentity(folder, 'tsa', tsa);
      const files = ['-in', 'response.tsr', '-queryfile', 'query.tsq', '-CAfile', 'tsa-chain.pem'];
      expect(await openssl(['ts', '-verify', ...files], { folder })).toContain('Verification: OK');
    });
  });

  it('tells all facts shown by openssl: policy, accuracy, serial number, time to the millisecond, and its name', async () => {
    const tsa = await issueTestTimestampAuthority(await authorityWith(), { keyKind: 'ec-p256' });
    await inFreshFolder(async (folder) => {
      const now = new Date('2026-11-20T10:20:30.450Z');
      const options = { now, policy: '2.999.7', accuracy: 3, serialNumber: Buffer.from('0a0b', 'hex') };
      const response = answerTimestampRequest(tsa, await queryBy(folder), options);
      await writeFile(join(folder, 'response.tsr'), response);
      const shown = await openssl(['ts', '-reply', '-in', 'response.tsr', '-text'], { folder });
      expect(shown).toContain('Status: Granted.');
      expect(shown).toContain('Policy OID: 2.999.7');
      expect(shown).toContain('Accuracy: 0x03 seconds');
      expect(shown).toContain('Serial number: 0x0A0B');
      expect(shown).toContain('Time stamp: Nov 20 10:20:30.45 2026 GMT');
      expect(shown).toContain('Carimbo do Tempo de Teste SEM VALOR LEGAL');
    });
  });

  it('encloses its certificates only on request, and repeats the nonce only when given', async () => {
    const tsa = await issueTestTimestampAuthority(await authorityWith(), { keyKind: 'ec-p256' });
    await inFreshFolder(async (folder) => {
      const bare = readTimestampResponse(answerTimestampRequest(tsa, await queryBy(folder, '-no_nonce')));
      expect(readTimestampToken(bare)).toMatchObject({ certificate: undefined, certificates: [] });
      const full = readTimestampResponse(answerTimestampRequest(tsa, await queryBy(folder, '-cert')));
      expect(readTimestampToken(full).certificate?.der).toEqual(tsa.certificate);
    });
  });

  it.each([
    ['an unknown hash function', ['-sha1'], 'unrecognized or unsupported algorithm identifier'],
    ['another policy', ['-tspolicy', '1.2.3.4'], 'the requested TSA policy is not supported'],
  ])('rejects a request with %s', async (_what, parameters, reason) => {
    const tsa = await issueTestTimestampAuthority(await authorityWith(), { keyKind: 'ec-p256' });
    await inFreshFolder(async (folder) => {
      const response = answerTimestampRequest(tsa, await queryBy(folder, ...parameters));
      await writeFile(join(folder, 'response.tsr'), response);
      const shown = await openssl(['ts', '-reply', '-in', 'response.tsr', '-text'], { folder });
      expect(shown).toContain('Status: Rejected.');
      expect(shown).toContain(reason);
    });
  });

  it.each([
    Buffer.alloc(0),
    Buffer.from('hello'),
    Buffer.from('3000', 'hex'),
    Buffer.from('300602010130003000', 'hex'),
  ])('rejects other data than a request', async (bytes) => {
    const tsa = await issueTestTimestampAuthority(await authorityWith(), { keyKind: 'ec-p256' });
    expect(() => readTimestampResponse(answerTimestampRequest(tsa, bytes))).toThrow('could not read the request');
  });
});
