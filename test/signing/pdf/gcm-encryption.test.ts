/** PDFs encrypted with AES-GCM (ISO/TS 32003), made here, because qpdf knows no version 6. */
import { createCipheriv, hash, randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PdfDocument } from '../../../src/signing/pdf/reading/pdf-document.ts';
import { PdfReference, PdfString } from '../../../src/signing/pdf/syntax/values.ts';
import { verifyPdf } from '../../../src/signing/pdf/verification/verify-pdf.ts';
import { appendRevision, buildPdf, onePage } from './build-pdf.ts';
import { factsOf } from './differences/contract.ts';
import { Workshop } from './workshop.ts';

const fileKey = randomBytes(32);
const CONTENT = 'BT /F1 24 Tf 72 720 Td (A secret document) Tj ET';

const concatenated = (...parts: readonly Uint8Array[]): Buffer => Buffer.concat(parts);
const digest = (name: string, data: Uint8Array): Buffer => hash(name, data, 'buffer');

/** Algorithm 2.B of ISO 32000-2 §7.6.4.3.4. */
function hardened(password: Buffer, salt: Buffer, user: Buffer = Buffer.alloc(0)): Buffer {
  let key = digest('sha256', concatenated(password, salt, user));
  for (let round = 0; ; round += 1) {
    const input = Buffer.concat(Array.from({ length: 64 }, () => concatenated(password, key, user)));
    const cipher = createCipheriv('aes-128-cbc', key.subarray(0, 16), key.subarray(16, 32)).setAutoPadding(false);
    const output = cipher.update(input);
    const rest = Number(BigInt(`0x${output.subarray(0, 16).toString('hex')}`) % 3n);
    key = digest(['sha256', 'sha384', 'sha512'][rest] ?? '', output);
    if (round >= 63 && (output.at(-1) ?? 0) <= round - 31) return key.subarray(0, 32);
  }
}

const wrapped = (key: Buffer): string => {
  const cipher = createCipheriv('aes-256-cbc', key, Buffer.alloc(16)).setAutoPadding(false);
  return cipher.update(fileKey).toString('hex');
};

/** The encryption dictionary for a user and an owner password. */
function encryptionDictionary(user: string, owner: string): string {
  const [validation, salt, ownerValidation, ownerSalt] = Array.from({ length: 4 }, () => randomBytes(8)) as [
    Buffer,
    Buffer,
    Buffer,
    Buffer,
  ];
  const [person, author] = [Buffer.from(user), Buffer.from(owner)];
  const u = concatenated(hardened(person, validation), validation, salt);
  const o = concatenated(hardened(author, ownerValidation, u), ownerValidation, ownerSalt);
  return `<</Filter /Standard /V 6 /R 7 /Length 256 /P -4 /U <${u.toString('hex')}> /O <${o.toString('hex')}>
    /UE <${wrapped(hardened(person, salt))}> /OE <${wrapped(hardened(author, ownerSalt, u))}> /Perms <${'00'.repeat(16)}>
    /CF <</StdCF <</CFM /AESV4 /AuthEvent /DocOpen /Length 32>>>> /StmF /StdCF /StrF /StdCF>>`;
}

function encrypted(plain: string): Buffer {
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', fileKey, nonce);
  return concatenated(nonce, cipher.update(plain, 'latin1'), cipher.final(), cipher.getAuthTag());
}

const makeFile = (user: string, content = encrypted(CONTENT), trailer = ''): Buffer =>
  buildPdf(
    onePage({
      4: { dictionary: '', data: content },
      6: encryptionDictionary(user, 'owner'),
      7: `<</Title <${encrypted('Secret').toString('hex')}>>>`,
    }),
    { version: '2.0', trailer: `/Encrypt 6 0 R /Info 7 0 R ${trailer}` },
  );

let workshop: Workshop;
beforeAll(async () => {
  workshop = await Workshop.open();
});
afterAll(() => workshop.close());

async function readBack(path: string, password?: string): Promise<{ content: string; title: string }> {
  const document = await PdfDocument.open(path, { password });
  try {
    const information = document.resolve(new PdfReference(7, 0));
    const title = information instanceof Map ? document.resolve(information.get('Title')) : null;
    return {
      content: document.readStream(new PdfReference(4, 0))?.toString('latin1') ?? '',
      title: title instanceof PdfString ? title.plain.toString('latin1') : '',
    };
  } finally {
    await document.close();
  }
}

describe('a PDF encrypted with AES-GCM', () => {
  it.each([
    ['the empty password', '', undefined],
    ['the user password', 'segredo', 'segredo'],
    ['the owner password', 'segredo', 'owner'],
  ])('opens with %s', async (_, user, password) => {
    expect(await readBack(await workshop.write(makeFile(user)), password)).toEqual({
      content: CONTENT,
      title: 'Secret',
    });
  });

  it('asks for the password', async () => {
    expect(await workshop.refusal(await workshop.write(makeFile('segredo')))).toMatchObject({ code: 'PDF_ENCRYPTED' });
  });

  it('is signed twice, and both signatures are valid', async () => {
    const { path } = await workshop.sign(await workshop.write(makeFile('')), { reason: 'Concordo' });
    const second = await workshop.sign(path, { reason: 'Também' });
    expect((await verifyPdf(second.path)).signatures.map(({ outcome }) => outcome)).toEqual(['intact', 'intact']);
    const { signatures } = await factsOf(second.path);
    expect(signatures.map(({ reason, changesAllowed }) => [reason, changesAllowed])).toEqual([
      ['Concordo', true],
      ['Também', true],
    ]);
    expect((await readFile(second.path, 'latin1')).includes('Concordo')).toBe(false);
  });

  it('finds another content of the page', async () => {
    const { path } = await workshop.sign(await workshop.write(makeFile('')));
    const objects = { 4: { dictionary: '', data: encrypted('BT (Pay 1000) Tj ET') } };
    const later = appendRevision(await readFile(path), objects, { trailer: '/Encrypt 6 0 R /Info 7 0 R' });
    const { signatures } = await factsOf(await workshop.write(later));
    expect(signatures.map(({ changesAllowed }) => changesAllowed)).toEqual([false]);
  });

  it.each([
    ['a changed byte', (data: Buffer) => data.fill(data[20] === 0 ? 1 : 0, 20, 21)],
    ['a tag cut off', (data: Buffer) => data.subarray(0, 20)],
  ])('shows nothing of a stream with %s', async (_, damage) => {
    const file = makeFile('', damage(encrypted(CONTENT)));
    expect(await readBack(await workshop.write(file))).toEqual({ content: '', title: 'Secret' });
  });

  it('is not signed with an integrity code, which each revision has to renew', async () => {
    const path = await workshop.write(makeFile('', undefined, '/AuthCode <</MACLocation /Standalone>>'));
    expect(await workshop.refusal(path)).toMatchObject({ code: 'PDF_UNSUPPORTED' });
  });
});
