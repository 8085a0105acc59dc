import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rc4 } from '../../../src/signing/pdf/encryption/object-cipher.ts';
import { verifyPdf } from '../../../src/signing/pdf/verification/verify-pdf.ts';
import { appendRevision, buildPdf, onePage, type Objects, type PdfShape } from './build-pdf.ts';
import { codesOf, factsOf } from './differences/contract.ts';
import { askQpdf, readSignaturesWithQpdf } from './oracles.ts';
import { Workshop } from './workshop.ts';

let workshop: Workshop;
beforeAll(async () => {
  workshop = await Workshop.open();
});
afterAll(() => workshop.close());

describe('rc4', () => {
  it.each([
    ['0102030405', 'b2396305f03dc027ccc3524a0a1118a8'],
    ['0102030405060708090a0b0c0d0e0f10', '9ac7cc9a609d1ef7b2932899cde41b97'],
  ])('gives the key stream of RFC 6229 for the key %s', (key, stream) => {
    expect(rc4(Buffer.from(key, 'hex'), Buffer.alloc(16)).toString('hex')).toBe(stream);
  });
});

const PADDING = Buffer.from('28BF4E5E4E758A4164004E56FFFA01082E2E00B6D0683E802F0CA9FE6453697A', 'hex');
const md5 = (...parts: readonly Buffer[]): Buffer => createHash('md5').update(Buffer.concat(parts)).digest();
const pad = (password: string): Buffer => Buffer.concat([Buffer.from(password), PADDING]).subarray(0, 32);

/** RC4 with each of the twenty variants of the key (ISO 32000-2 §7.6.4.4.3, step f). */
function twentyTimes(key: Buffer, data: Buffer): Buffer {
  let result = data;
  for (let round = 0; round < 20; round += 1) result = rc4(Buffer.from(key.map((byte) => byte ^ round)), result);
  return result;
}

function repeatedMd5(first: Buffer): Buffer {
  let hash = first;
  for (let round = 0; round < 50; round += 1) hash = md5(hash);
  return hash;
}

/** Revision 3, 128 bits: a dictionary not written by any tool here for an empty owner password. */
function encryption(user: string, owner: string, identifier: Buffer, length?: number | string): string {
  const ownerEntry = twentyTimes(repeatedMd5(md5(pad(owner))), pad(user));
  const permissions = Buffer.from('fcffffff', 'hex');
  const key = repeatedMd5(md5(pad(user), ownerEntry, permissions, identifier));
  const userEntry = Buffer.concat([twentyTimes(key, md5(PADDING, identifier)), Buffer.alloc(16)]);
  const entries = `/O <${ownerEntry.toString('hex')}> /U <${userEntry.toString('hex')}> /P -4`;
  return `<</Filter /Standard /V 2 /R 3 ${length === undefined ? '' : `/Length ${length}`} ${entries}>>`;
}

const identifier = Buffer.from('00112233445566778899aabbccddeeff', 'hex');
const build = (encrypt: string): Promise<string> =>
  workshop.write(buildPdf(onePage({ 4: { dictionary: '', data: '' }, 6: encrypt }), { trailer: '/Encrypt 6 0 R' }));

describe('signPdf on encrypted files written wrongly or rarely by producers', () => {
  it.each([
    ['whose owner password alone is empty', 'user', '', 128],
    ['whose key length is given in bytes', '', 'owner', 16],
    ['whose key length is impossible', '', 'owner', 200],
    ['whose key length is no multiple of 8', '', 'owner', 127],
    ['whose key length is no number', '', 'owner', '(x)'],
    ['that leaves the key length out', '', 'owner', undefined],
  ])('signs a file %s', async (_, user, owner, length) => {
    const original = await build(encryption(user, owner, identifier, length));
    const { path } = await workshop.sign(original, { reason: 'Concordo com a ação' });
    expect((await verifyPdf(path)).signatures).toMatchObject([{ outcome: 'intact', coversWholeFile: true }]);
    // qpdf takes the length at its word.
    if (length === 16) return;
    // Since version 12 qpdf warns of a length other than a number, before and after.
    const { exitCode, complaints } = await askQpdf(original);
    expect(await askQpdf(path)).toMatchObject({ exitCode, complaints });
    expect(await readSignaturesWithQpdf(path)).toMatchObject([{ '/Reason': 'u:Concordo com a ação' }]);
  });

  it('refuses a file needing both passwords', async () => {
    const refusal = await workshop.refusal(await build(encryption('user', 'owner', identifier, 128)));
    expect(refusal).toMatchObject({ code: 'PDF_ENCRYPTED' });
  });
});

describe('a revision behind the signature of an encrypted file', () => {
  const usual = encryption('', 'owner', identifier, 128);

  it.each<[string, Objects, PdfShape, readonly string[]]>([
    ['that keeps the encryption changes nothing', {}, { trailer: '/Encrypt 6 0 R' }, []],
    ['that leaves the encryption out changes the document', {}, {}, ['ENCRYPTION_CHANGED']],
    [
      'that names another encryption changes the document',
      { 9: usual },
      { trailer: '/Encrypt 9 0 R' },
      ['ENCRYPTION_CHANGED'],
    ],
    [
      'that writes another encryption dictionary changes the document',
      { 6: usual.replace('/R 3', '/R 3 /More 1') },
      { trailer: '/Encrypt 6 0 R' },
      ['ENCRYPTION_CHANGED'],
    ],
  ])('%s', async (_, objects, shape, codes) => {
    const { path } = await workshop.sign(await build(usual));
    const file = appendRevision(await readFile(path), objects, shape);
    const { signatures } = await factsOf(await workshop.write(file));
    expect(signatures.map(({ changes }) => [...new Set(codesOf(changes))])).toEqual([codes]);
    expect(signatures.map(({ changesAllowed }) => changesAllowed)).toEqual([codes.length === 0]);
  });
});
