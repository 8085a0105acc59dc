/** `sinete extend` on evidence records (RFC 4998), with a real time-stamp server. */
import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createHttpClient } from '../../src/network/index.ts';
import { readEvidenceRecord } from '../../src/signing/evidence-records/index.ts';
import { createTimestamper, derSequence, parseCertificate } from '../../src/signing/index.ts';
import {
  createTestAuthority,
  startTestServices,
  testServiceUrls,
  type TestServices,
} from '../../src/test-authority/index.ts';
import { recordOf } from '../signing/validation/craft-evidence-record.ts';
import { makeWorkplace, runSinete, type CommandOutcome, type Workplace } from './run-sinete.ts';

let place: Workplace;
let provider: TestServices;
const fileOf = (name: string): string => join(place.folder, name);

const run = async (...words: readonly string[]): Promise<CommandOutcome> => {
  const environment = { SINETE_NETWORK_ALLOW: JSON.stringify([new URL(provider.origin).host]) };
  return runSinete(place, words, { environment });
};

beforeAll(async () => {
  place = await makeWorkplace();
  provider = await startTestServices({
    authority: (origin: string) => createTestAuthority({ keyKind: 'ec-p256', urls: testServiceUrls(origin) }),
    port: 0,
  });
  const { certificate } = provider.authority.root;
  await writeFile(fileOf('root.cer'), certificate);
  await run('trust', 'import', 'root.cer', '--fingerprint', parseCertificate(certificate).fingerprint);
  const added = await run('tsa', 'add', 'provider', provider.timestampUrl, '--hash', 'SHA512');
  expect(added, added.stderr).toMatchObject({ code: 0 });
  await writeFile(fileOf('letter.txt'), 'A letter.');
  const { timestampUrl: url } = provider;
  const authority = { id: 'a', url, digest: 'sha256', authentication: { kind: 'none' }, timeout: 10_000 } as const;
  const http = createHttpClient({ allowLoopback: true });
  const timestamper = createTimestamper({ authorities: [authority], http, now: () => new Date() });
  const token = await timestamper.stamp(createHash('sha256').update('A letter.').digest());
  await writeFile(fileOf('letter.txt.er'), recordOf(derSequence(derSequence(token.der))));
});
afterAll(async () => {
  await provider.close();
  await place.remove();
});

const chainsOf = async (name: string): Promise<readonly (readonly string[])[]> =>
  readEvidenceRecord(await readFile(fileOf(name))).chains.map(({ stamps }) => stamps.map(({ algorithm }) => algorithm));

describe('an evidence record', () => {
  it('is renewed in its chain, whatever the hash function of the server', async () => {
    const outcome = await run('extend', 'letter.txt.er');
    expect(outcome, outcome.stderr).toMatchObject({ code: 0 });
    expect(outcome.stdout).toContain('letter.txt-renewed.er');
    expect(await chainsOf('letter.txt-renewed.er')).toEqual([['sha256', 'sha256']]);
    const judged = await run('validate', 'letter.txt-renewed.er', '--content', 'letter.txt');
    expect(judged, judged.stdout).toMatchObject({ code: 0 });
  });

  it('begins a new chain with a named hash function, also SHA-3', async () => {
    const words = ['--content', 'letter.txt', '--hash', 'SHA3-256', '-o', 'sha3.er'];
    const outcome = await run('extend', 'letter.txt.er', ...words);
    expect(outcome, outcome.stderr).toMatchObject({ code: 0 });
    expect(await chainsOf('sha3.er')).toEqual([['sha256'], ['sha3-256']]);
    const judged = await run('validate', 'sha3.er', '--content', 'letter.txt');
    expect(judged, judged.stdout).toMatchObject({ code: 0 });
  });

  it('is not renewed over another document, nor with an unknown hash function', async () => {
    await writeFile(fileOf('other.txt'), 'Another letter.');
    const outcome = await run('extend', 'letter.txt.er', '--content', 'other.txt', '-o', 'wrong.er');
    expect(outcome.code).toBe(1);
    expect(outcome.stdout).toContain('over other data');
    expect(await run('extend', 'letter.txt.er', '--hash', 'MD5')).toMatchObject({ code: 2 });
    expect(await run('extend', 'letter.txt.er', '--due', '--hash', 'SHA512')).toMatchObject({ code: 2 });
  });

  it('is listed with its dates by --due', async () => {
    const outcome = await run('extend', '--due', 'letter.txt.er', '--dry-run', '--within', '20000d');
    expect(outcome.stdout).toMatch(/letter\.txt\.er +due +\d{4}-\d\d-\d\d/);
  });
});

describe('a time-stamp server', () => {
  it('is asked with SHA-3 when a person chose it', async () => {
    await run('tsa', 'add', 'sha3', provider.timestampUrl, '--hash', 'sha3-512');
    expect((await run('tsa', 'list')).stdout).toMatch(/sha3 +\S+ +SHA3-512/);
    expect(await run('tsa', 'test', 'sha3')).toMatchObject({ code: 0 });
  });
});
