import { createPrivateKey } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeTextPdf } from '../../../src/app/demo/write-text-pdf.ts';
import { WorkerPool } from '../../../src/signing/index.ts';
import { type PdfRecipient, openEnvelope } from '../../../src/signing/pdf/encryption/recipient-security.ts';
import { signPdf } from '../../../src/signing/pdf/signature/sign-pdf.ts';
import { verifyPdf } from '../../../src/signing/pdf/verification/verify-pdf.ts';
import { writePkcs12, type TestIdentity } from '../../../src/test-authority/index.ts';
import { recipientPdf } from '../../oracles/pdf-box.ts';
import { personWith } from '../../pki/identities.ts';
import { mutate, Chance } from '../../fuzz/mutate.ts';
import { SigningError } from '../../../src/signing/errors.ts';
import { parseCertificate } from '../../../src/signing/certificates/parse-certificate.ts';
import { LongTermWorkshop } from './long-term-workshop.ts';
import { SIGNING_TIME, type Workshop } from './workshop.ts';

/** PDFs encrypted by PDFBox for the holders of certificates, signed here, and opened again by PDFBox. */

let bench: LongTermWorkshop;
let workshop: Workshop;
let maria: TestIdentity;
let other: TestIdentity;
let store: string;

beforeAll(async () => {
  bench = await LongTermWorkshop.open();
  ({ workshop } = bench);
  [maria, other] = await Promise.all([
    personWith({ keyKind: 'rsa-2048' }),
    personWith({ keyKind: 'rsa-2048', name: 'OUTRA PESSOA' }),
  ]);
  await writeFile(`${workshop.folder}/maria.cer`, maria.certificate);
  await writeFile(`${workshop.folder}/other.cer`, other.certificate);
  store = `${workshop.folder}/maria.p12`;
  await writeFile(store, await writePkcs12(maria, 'segredo'));
});
afterAll(() => bench.close());

const recipientOf = ({ certificate, privateKey }: TestIdentity): PdfRecipient => ({ certificate, privateKey });

async function encrypted(bits: number, cipher: 'aes' | 'rc4', ...names: readonly string[]): Promise<string> {
  const text = { title: 'Contrato', paragraphs: ['Segredo de Maria.'], footer: 'x' };
  const input = await workshop.write(writeTextPdf(text, SIGNING_TIME));
  const output = workshop.newPath();
  const certificates = names.map((name) => `${workshop.folder}/${name}.cer`);
  expect(await recipientPdf('encrypt', input, output, String(bits), cipher, ...certificates)).toEqual(['encrypted']);
  return output;
}

const options = { subFilter: 'ETSI.CAdES.detached', signingTime: SIGNING_TIME, reason: 'Aprovação' } as const;

describe('PDFs encrypted for certificates', () => {
  it.each([
    ['RC4 of 40 bits', 40, 'rc4'],
    ['RC4 of 128 bits', 128, 'rc4'],
    ['AES of 128 bits', 128, 'aes'],
    ['AES of 256 bits', 256, 'aes'],
  ] as const)('are signed with %s by one of two recipients, and stay open to him', async (_, bits, cipher) => {
    const inputPath = await encrypted(bits, cipher, 'other', 'maria');
    const outputPath = workshop.newPath();
    const recipient = recipientOf(maria);
    await signPdf({ inputPath, outputPath, signer: workshop.signers.pades, options, recipient });
    const [before, after] = await Promise.all([readFile(inputPath), readFile(outputPath)]);
    expect(after.subarray(0, before.length).equals(before)).toBe(true);
    expect(after.includes('Aprova')).toBe(false);
    const { signatures } = await verifyPdf(outputPath, { recipient });
    expect(signatures.map(({ outcome }) => outcome)).toEqual(['intact']);
    const [count, text] = await recipientPdf('open', outputPath, store, 'segredo');
    expect([count, text]).toEqual(['1', expect.stringContaining('Segredo de Maria.')]);
  });

  it('are signed in a thread as well', async () => {
    const inputPath = await encrypted(256, 'aes', 'maria');
    const outputPath = workshop.newPath();
    const pool = new WorkerPool();
    const { pades: signer } = workshop.signers;
    await pool.signPdf({ inputPath, outputPath, signer, options, recipient: recipientOf(maria) });
    await pool.close();
    expect((await recipientPdf('open', outputPath, store, 'segredo'))[0]).toBe('1');
  });

  it('reach B-LTA, are raised again, and are mended first where damaged, all in threads', async () => {
    const sound = await readFile(await encrypted(256, 'aes', 'maria'), 'latin1');
    const inputPath = await workshop.write(Buffer.from(sound.replace(/startxref\n\d+/, 'startxref\n7'), 'latin1'));
    const recipient = recipientOf(maria);
    const pool = new WorkerPool();
    const [mended, signed, raised] = [workshop.newPath(), workshop.newPath(), workshop.newPath()];
    try {
      const closed = pool.repairPdf({ inputPath, outputPath: workshop.newPath() });
      await expect(closed).rejects.toMatchObject({ code: 'PDF_ENCRYPTED' });
      const { repairs } = await pool.repairPdf({ inputPath, outputPath: mended, recipient });
      expect(repairs).toEqual(['Rebuilt the cross-reference from the objects in the file.']);
      await pool.signPdf({ ...bench.request(mended), outputPath: signed, recipient }, bench.options('B-LTA'));
      const raise = { inputPath: signed, outputPath: raised, ...bench.options('B-LTA') };
      await expect(pool.raisePdf(raise)).rejects.toMatchObject({ code: 'PDF_ENCRYPTED' });
      const { added } = await pool.raisePdf({ ...raise, recipient });
      expect(added).toEqual(['validation-material', 'document-timestamp']);
    } finally {
      await pool.close();
    }
    const { signatures } = await verifyPdf(raised, { recipient });
    expect(signatures.map(({ outcome }) => outcome)).toEqual(['intact', 'intact', 'intact']);
    expect((await recipientPdf('open', raised, store, 'segredo'))[0]).toBe('3');
  });

  it('stay closed without a key, for somebody else, and for the wrong key', async () => {
    const inputPath = await encrypted(128, 'aes', 'maria');
    const wrong = { certificate: maria.certificate, privateKey: other.privateKey };
    for (const [recipient, code, message] of [
      [undefined, 'PDF_ENCRYPTED', 'Give the key of one of them'],
      [recipientOf(other), 'PDF_ENCRYPTED', 'for others than the holder of this key'],
      [wrong, 'KEY_MISMATCH', 'does not belong'],
    ] as const) {
      const signing = signPdf({
        inputPath,
        outputPath: workshop.newPath(),
        signer: workshop.signers.pades,
        options,
        recipient,
      });
      await expect(signing).rejects.toMatchObject({ code, message: expect.stringContaining(message) as string });
    }
  });

  it('whose envelopes are damaged are refused with an error of ours', async () => {
    const file = await readFile(await encrypted(256, 'aes', 'maria'), 'latin1');
    const hex = /\/Recipients \[\s*<([0-9A-Fa-f]+)>/.exec(file)?.[1] ?? '';
    const envelope = Buffer.from(hex, 'hex');
    const privateKey = createPrivateKey({ key: maria.privateKey, format: 'der', type: 'pkcs8' });
    const recipient = { certificate: parseCertificate(maria.certificate), privateKey };
    expect(await openEnvelope(envelope, recipient)).toHaveLength(24);
    const chance = new Chance(6);
    for (let round = 0; round < 500; round += 1) {
      try {
        await openEnvelope(mutate([envelope], chance), recipient);
      } catch (error) {
        expect(error).toBeInstanceOf(SigningError);
      }
    }
  });
});
