import { hash } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  GOV_BR_ROOT,
  hierarchyOf,
  parseCertificate,
  validateSignature,
  type Hierarchy,
} from '../../../src/signing/index.ts';
import type { TestIdentity } from '../../../src/test-authority/index.ts';
import { craftCms, type CraftOptions } from './craft-cms.ts';
import { craftPdf } from './craft-pdf.ts';
import { inHierarchy, validatePdfBytes, withRsaKey } from './finding-rows.ts';
import { SIGNED_AT, ValidationWorld, codesOf, date, onlySignature, verdict } from './validation-world.ts';

let world: ValidationWorld;
let person: TestIdentity;
beforeAll(async () => {
  world = await ValidationWorld.open();
  person = await world.person();
});

describe('a weak signature', () => {
  it.each([
    ['RSA of 1024 bits', 1024, 'sha256', 'KEY_TOO_SHORT'],
    ['RSA of 1024 bits with SHA-1', 1024, 'sha1', 'HASH_WEAK'],
    ['RSA of 2048 bits with SHA-1', 2048, 'sha1', 'HASH_WEAK'],
  ] as const)('does not pass by %s', async (_, bits, digest, code) => {
    const report = await world.validate(craftCms(withRsaKey({ world, person }, bits), { hash: digest }));
    expect(verdict(report)).toBe('INDETERMINATE CRYPTO_CONSTRAINTS_FAILURE');
    const codes = codesOf(onlySignature(report));
    expect(codes).toContain(code);
    expect(codes).toContain('INTEGRITY_INTACT');
  });
});

describe('a PDF signature enclosing the SHA-1 digest of the document', () => {
  const sha1 = (content: Buffer): Buffer => hash('sha1', content, 'buffer');
  const craft = (enclosed: (content: Buffer) => Buffer, options: CraftOptions = {}): Promise<Buffer> =>
    craftPdf('adbe.pkcs7.sha1', (content) => craftCms(person, { ...options, content: enclosed(content) }));

  it.each(['sha1', 'sha256'] as const)(
    'is intact, and held by SHA-1 alone, with any algorithm in the CMS: %s',
    async (digest) => {
      const report = await validatePdfBytes(await craft(sha1, { hash: digest }), { world });
      expect(verdict(report)).toBe('INDETERMINATE CRYPTO_CONSTRAINTS_FAILURE');
      const codes = codesOf(onlySignature(report));
      expect(codes).toEqual(expect.arrayContaining(['INTEGRITY_INTACT', 'HASH_WEAK', 'PDF_WHOLE_FILE_COVERED']));
      expect(onlySignature(report).pdf?.subFilter).toBe('adbe.pkcs7.sha1');
    },
  );

  it.each([
    ['another digest', (): Buffer => sha1(Buffer.from('other'))],
    ['the digest and more', (content: Buffer): Buffer => Buffer.concat([sha1(content), Buffer.of(0)])],
    ['the document itself', (content: Buffer): Buffer => content],
    ['a SHA-256 digest', (content: Buffer): Buffer => hash('sha256', content, 'buffer')],
  ])('is broken enclosing %s', async (_, enclosed) => {
    const report = await validatePdfBytes(await craft(enclosed), { world });
    expect(verdict(report)).toBe('TOTAL-FAILED HASH_FAILURE');
    expect(codesOf(onlySignature(report))).toContain('CONTENT_CHANGED');
  });

  it('is damaged enclosing nothing', async () => {
    const report = await validatePdfBytes(await craft(sha1, { attached: false }), { world });
    expect(verdict(report)).toBe('TOTAL-FAILED FORMAT_FAILURE');
  });

  it('is broken when the document was changed', async () => {
    const pdf = await craft(sha1);
    pdf[20] = (pdf[20] ?? 0) ^ 1;
    const report = await validatePdfBytes(pdf, { world });
    expect(report.indication).not.toBe('TOTAL-PASSED');
    expect(codesOf(onlySignature(report))).toContain('CONTENT_CHANGED');
  });
});

describe('the hierarchy of a signature', () => {
  it.each([
    ['ICP-Brasil', 'HIERARCHY_ICP_BRASIL'],
    ['gov.br', 'HIERARCHY_GOV_BR'],
    ['test', 'HIERARCHY_TEST'],
    ['other', 'HIERARCHY_OTHER'],
  ] as const satisfies readonly (readonly [Hierarchy, string])[])('is told as %s', async (hierarchy, code) => {
    const signature = await world.cms(person).signContent(Buffer.from('content'), SIGNED_AT);
    const only = onlySignature(await validateSignature({ signature }, inHierarchy({ world }, hierarchy)));
    expect(only).toMatchObject({ indication: 'TOTAL-PASSED', chain: { hierarchy } });
    expect(codesOf(only).filter((one) => one.startsWith('HIERARCHY_'))).toEqual([code]);
  });

  it('is gov.br for the pinned root and for no other of its name', () => {
    const root = parseCertificate(world.authority.root.certificate);
    expect(hierarchyOf({ ...root, fingerprint: GOV_BR_ROOT.fingerprint })).toBe('gov.br');
    const subjectAttributes = [
      { oid: '2.5.4.3', type: 'CN', value: 'Autoridade Certificadora Raiz do Governo Federal' },
    ];
    expect(hierarchyOf({ ...root, subjectAttributes })).toBe('other');
  });

  it('is not told of a path to nowhere', async () => {
    const stranger = await ValidationWorld.open();
    const signature = await stranger
      .cms(await stranger.person())
      .signContent(Buffer.from('content'), date('2026-03-01'));
    expect(onlySignature(await world.validate(signature)).chain?.hierarchy).toBeUndefined();
  });
});
