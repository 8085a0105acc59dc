import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readableReport } from '../../../src/service/validation/index.ts';
import {
  addSigner,
  counterSign,
  derUtf8String,
  validateSignature,
  type ValidationReport,
} from '../../../src/signing/index.ts';
import { openDer } from '../../../src/signing/validation/input/open-signature.ts';
import type { TestIdentity } from '../../../src/test-authority/index.ts';
import { systemTool } from '../../setup/system-packages.ts';
import { SIGNED_AT, ValidationWorld, onlySignature, verdict } from './validation-world.ts';

const CONTENT = Buffer.from('Ola,\r\nthis was signed.\r\n');

/** Flips a bit of the byte at `offset`. */
function damaged(bytes: Buffer, offset: number): Buffer {
  const copy = Buffer.from(bytes);
  copy[offset] = (copy[offset] ?? 0) ^ 1;
  return copy;
}

describe('signatures of everyday shapes', () => {
  let world: ValidationWorld;
  let person: TestIdentity;
  let folder = '';
  const pem = (label: string, der: Buffer): string =>
    `-----BEGIN ${label}-----\n${der.toString('base64').replace(/.{1,64}/g, '$&\n')}-----END ${label}-----\n`;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'sinete-shapes-'));
    world = await ValidationWorld.open();
    person = await world.person();
    const { privateKey, certificate, chain } = person;
    writeFileSync(join(folder, 'key.pem'), pem('PRIVATE KEY', privateKey));
    writeFileSync(join(folder, 'certificate.pem'), pem('CERTIFICATE', certificate));
    writeFileSync(join(folder, 'chain.pem'), chain.map((der) => pem('CERTIFICATE', der)).join(''));
    writeFileSync(join(folder, 'content'), CONTENT);
  });

  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const openssl = (...options: readonly string[]): Buffer => {
    const output = join(folder, 'output');
    const files = ['-signer', 'certificate.pem', '-inkey', 'key.pem', '-certfile', 'chain.pem', '-in', 'content'];
    execFileSync(systemTool('openssl'), ['cms', '-sign', ...files, '-out', output, '-cades', ...options], {
      cwd: folder,
    });
    return readFileSync(output);
  };

  it("shows the signer's statements about itself and the content", async () => {
    const role = { oid: '2.5.4.72', values: [derUtf8String('Diretora'), derUtf8String('Fiscal')] };
    const signer = world.cms(person, undefined, {
      signerAttributes: { claimed: [role] },
      location: { country: 'BR', locality: 'Recife', postalAddress: ['Rua A, 1'] },
      commitment: 'approval',
      contentHints: { description: 'Contrato' },
      mimeType: 'text/plain',
    });
    const report = await world.validate(await signer.signContent(CONTENT, SIGNED_AT));
    expect(onlySignature(report).statements).toEqual({
      // A SET OF is sorted when written.
      claimedRoles: ['Fiscal', 'Diretora'],
      place: ['BR', 'Recife', 'Rua A, 1'],
      commitments: ['approval'],
      contentHints: ['Contrato', 'text/plain'],
    });
    const [readable] = readableReport(report, { file: null, content: null }, 'pt-BR').signatures;
    expect(readable?.rows).toContainEqual({ label: 'Funções declaradas pelo signatário', value: 'Fiscal; Diretora' });
    expect(onlySignature(await world.validate(openssl('-outform', 'DER', '-nodetach'))).statements).toBeUndefined();
  });

  it.each([
    ['DER', ['-outform', 'DER', '-binary', '-nodetach'], []],
    ['PEM', ['-outform', 'PEM', '-binary', '-nodetach'], ['PEM_UNWRAPPED']],
    ['BER', ['-outform', 'DER', '-binary', '-nodetach', '-stream'], ['ENCODING_NOT_DER']],
    ['S/MIME, opaque', ['-outform', 'SMIME', '-binary', '-nodetach'], ['MIME_UNWRAPPED']],
    ['S/MIME, clear-signed', ['-outform', 'SMIME'], ['MIME_UNWRAPPED']],
    ['S/MIME, clear-signed, binary', ['-outform', 'SMIME', '-binary'], ['MIME_UNWRAPPED']],
  ])("reads and passes openssl's %s", async (_, options, codes) => {
    const report = await world.validate(openssl(...options));
    expect(verdict(report)).toBe('TOTAL-PASSED');
    expect(report.checks.map(({ code }) => code)).toEqual(expect.arrayContaining(codes));
    expect(report.contentDigest).toMatch(/^[0-9a-f]{64}$/);
  });

  it('streams a signature and its content from files', async () => {
    const [signature, content] = [join(folder, 'large.p7s'), join(folder, 'large')];
    writeFileSync(content, Buffer.alloc(20 * 2 ** 20, 'x'));
    const signer = world.cms(person, 'B-LTA');
    for (const attached of [true, false]) {
      rmSync(signature, { force: true });
      await signer.signFile({ inputPath: content, outputPath: signature, attached, signingTime: SIGNED_AT });
      const input = { signature: { path: signature }, ...(attached ? {} : { content: { path: content } }) };
      const report = await validateSignature(input, world.services());
      expect(verdict(report)).toBe('TOTAL-PASSED');
      expect(onlySignature(report).level).toBe('B-LTA');
    }
  });

  it('gives each of several signers a verdict of its own', async () => {
    const first = await world.cms(person).signContent(CONTENT, SIGNED_AT);
    const other = await world.person();
    const both = await addSigner(first, world.cms(other), { signingTime: SIGNED_AT });
    expect((await world.validate(both)).signatures.map(verdict)).toEqual(['TOTAL-PASSED', 'TOTAL-PASSED']);
    // The signature value of the last signer is at the end.
    const report = await world.validate(damaged(both, both.length - 1));
    expect(report.signatures.map(verdict)).toEqual(['TOTAL-PASSED', 'TOTAL-FAILED SIG_CRYPTO_FAILURE']);
    expect(verdict(report)).toBe('TOTAL-FAILED SIG_CRYPTO_FAILURE');
  });

  it('validates counter-signatures, and on these, each by itself', async () => {
    const signature = await world.cms(person).signContent(CONTENT, SIGNED_AT);
    const witness = await world.person();
    const countersigned = await counterSign(signature, {
      signer: world.signerOf(witness),
      signerIndex: 0,
      signingTime: SIGNED_AT,
      digest: 'sha256',
      profile: 'cades',
    });
    const only = onlySignature(await world.validate(countersigned));
    expect(verdict(only)).toBe('TOTAL-PASSED');
    expect(only.counterSignatures.map(({ id, format }) => [id, format])).toEqual([['1.1', 'CAdES']]);
    expect(only.counterSignatures.map(verdict)).toEqual(['TOTAL-PASSED']);
    const report = await world.validate(damaged(countersigned, countersigned.length - 1));
    const broken = onlySignature(report);
    expect(verdict(broken)).toBe('TOTAL-PASSED');
    expect(verdict(report)).toBe('TOTAL-FAILED SIG_CRYPTO_FAILURE');
    expect(readableReport(report, { file: null, content: null }, 'en').verdict).toBe('Not valid, no legal value');
    expect(broken.counterSignatures.map(verdict)).toEqual(['TOTAL-FAILED SIG_CRYPTO_FAILURE']);
  });
});

describe('a byte changed in the signed part', () => {
  const isPassed = async (validation: Promise<ValidationReport>): Promise<boolean> => {
    try {
      return (await validation).indication === 'TOTAL-PASSED';
    } catch (error) {
      expect(error).toMatchObject({ name: 'SigningError' });
      return false;
    }
  };

  it.each([undefined, 'B-T', 'B-LT', 'B-LTA'] as const)('never passes: %s', async (level) => {
    const world = await ValidationWorld.open();
    const person = await world.person();
    const signature = await world.cms(person, level).signContent(CONTENT, SIGNED_AT);
    expect(await isPassed(world.validate(signature))).toBe(true);
    const start = signature.indexOf(CONTENT);
    for (let offset = start; offset < start + CONTENT.length; offset += 3) {
      expect(await isPassed(world.validate(damaged(signature, offset)))).toBe(false);
    }
    const { signedData } = openDer(signature);
    const [signer] = signedData.signers;
    for (const part of [signer?.signedAttributesDer, signer?.signature]) {
      const from = signature.indexOf(part ?? '');
      for (let offset = from; offset < from + (part?.length ?? 0); offset += 7) {
        expect(await isPassed(world.validate(damaged(signature, offset)))).toBe(false);
      }
    }
  });
});
