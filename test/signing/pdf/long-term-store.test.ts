import { createPrivateKey } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { deflateSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseCertificate } from '../../../src/signing/certificates/parse-certificate.ts';
import { prepareCmsSigner } from '../../../src/signing/cms/sign-cms.ts';
import { softwareSigner } from '../../../src/signing/keys/software-signer.ts';
import { addValidationMaterial } from '../../../src/signing/pdf/long-term/add-validation-material.ts';
import { icpBrasilPdfLevel, signPdfAtLevel } from '../../../src/signing/pdf/long-term/sign-pdf-at-level.ts';
import { revocationInfoArchival } from '../../../src/signing/pdf/long-term/security-store.ts';
import { signPdf } from '../../../src/signing/pdf/signature/sign-pdf.ts';
import type { DetachedSigner } from '../../../src/signing/pdf/sign-request.ts';
import { verifyPdf } from '../../../src/signing/pdf/verification/verify-pdf.ts';
import type { ValidationMaterial } from '../../../src/signing/revocation/revocation-result.ts';
import { writeCrl } from '../../../src/test-authority/index.ts';
import { verifyWithPdfBox } from '../../oracles/pdf-box.ts';
import { runProgram } from '../../oracles/run-program.ts';
import { appendRevision, buildPdf, onePage, type Objects } from './build-pdf.ts';
import { QpdfView } from './long-term-oracles.ts';
import { LongTermWorkshop } from './long-term-workshop.ts';
import { askOpenssl, askQpdf } from './oracles.ts';

let bench: LongTermWorkshop;
let material: ValidationMaterial;
/** A signed PDF; its signature is in the field `Signature1`. */
let signed: string;
beforeAll(async () => {
  bench = await LongTermWorkshop.open();
  const { person, collector, services } = bench.authority;
  const certificate = parseCertificate(person.certificate);
  const collected = await collector.collect(certificate, person.chain.map(parseCertificate), new Date());
  const thisUpdate = new Date('2026-11-20T00:00:00Z');
  const issuer = services.authority.issuing;
  const crl = writeCrl({ issuer, number: 1, thisUpdate, nextUpdate: new Date('2026-12-20T00:00:00Z') });
  material = { ...collected, crls: [crl] };
  const request = bench.request(await bench.plain());
  await signPdf(request);
  signed = request.outputPath;
});
afterAll(() => bench.close());

async function addTo(inputPath: string, more: ValidationMaterial = material): Promise<string> {
  const outputPath = bench.workshop.newPath();
  const signatures = [{ fieldName: 'Signature1', material: more }];
  const { size } = await addValidationMaterial({ inputPath, outputPath, signatures });
  const [before, after] = await Promise.all([readFile(inputPath), readFile(outputPath)]);
  expect(after.length).toBe(size);
  expect(after.subarray(0, before.length).equals(before)).toBe(true);
  expect(await askQpdf(outputPath)).toMatchObject({ exitCode: 0, complaints: [] });
  return outputPath;
}
const hexadecimal = (all: readonly Buffer[]): readonly string[] => all.map((one) => one.toString('hex')).sort();

/** The signed PDF with other objects appended; the catalog keeps its form. */
async function withStore(entries: string, objects: Objects = {}): Promise<string> {
  const file = await readFile(signed);
  const form = /\/AcroForm (\d+ 0 R)/.exec(file.toString('latin1'))?.[1] ?? '';
  const catalog = `<</Type /Catalog /Pages 2 0 R /AcroForm ${form} ${entries}>>`;
  return bench.workshop.write(appendRevision(file, { 1: catalog, ...objects }));
}

describe('addValidationMaterial', () => {
  it('stores every certificate, response and list once, byte for byte', async () => {
    const view = await QpdfView.open(await addTo(signed));
    const { store, entries, signatures } = view;
    expect(store['/Type']).toBe('/DSS');
    expect(Object.keys(entries)).toEqual([signatures[0]?.key]);
    const [entry = {}] = Object.values(entries);
    for (const [owner, names] of [
      [store, ['/Certs', '/CRLs', '/OCSPs']],
      [entry, ['/Cert', '/CRL', '/OCSP']],
    ] as const) {
      const [certificates, crls, responses] = names.map((name) => view.streams(owner, name));
      expect(hexadecimal(certificates ?? [])).toEqual(hexadecimal(material.certificates.map(({ der }) => der)));
      expect(hexadecimal(crls ?? [])).toEqual(hexadecimal([...material.crls]));
      const inner = (responses ?? []).map((whole) => material.ocspResponses.filter((basic) => whole.includes(basic)));
      expect(inner.map(({ length }) => length)).toEqual(material.ocspResponses.map(() => 1));
    }
  });

  it('adds nothing already in the file, compressed in any form', async () => {
    const once = await addTo(signed);
    const { store: before } = await QpdfView.open(once);
    const twice = await addTo(once);
    const { store, entries } = await QpdfView.open(twice);
    for (const list of ['/Certs', '/OCSPs', '/CRLs']) expect(store[list]).toEqual(before[list]);
    expect(Object.keys(entries)).toHaveLength(1);
    const [certificate] = material.certificates;
    const data = deflateSync(certificate?.der ?? '', { level: 0 });
    const foreign = await withStore('/DSS <</Certs [80 0 R]>>', { 80: { dictionary: '/Filter /FlateDecode', data } });
    const view = await QpdfView.open(await addTo(foreign));
    expect((view.store['/Certs'] as readonly string[])[0]).toBe('80 0 R');
    expect(view.streams(view.store, '/Certs')).toHaveLength(material.certificates.length);
  });

  it.each<[string, string, Readonly<Record<number, string>>]>([
    ['inside the catalog', '/DSS <</Type /DSS /Certs [80 0 R] /VRI <</0000 81 0 R>> /Other (kept)>>', {}],
    [
      'in objects of its own',
      '/DSS 82 0 R',
      { 82: '<</Certs 83 0 R /VRI 84 0 R /Other (kept)>>', 83: '[80 0 R]', 84: '<</0000 81 0 R>>' },
    ],
  ])('keeps the content of a store %s, also unreadable parts', async (_, entries, objects) => {
    const all = {
      80: { dictionary: '/Filter /JPXDecode', data: 'odd' },
      81: '<</Cert [80 0 R]>>',
      ...objects,
    };
    const view = await QpdfView.open(await addTo(await withStore(entries, all)));
    expect(view.store['/Other']).toBe('u:kept');
    expect((view.store['/Certs'] as readonly string[] | string).length).toBeGreaterThan(1);
    expect(view.streams(view.store, '/Certs')).toHaveLength(material.certificates.length + 1);
    expect(view.entries['0000']).toEqual({ '/Cert': ['80 0 R'] });
    expect(Object.keys(view.entries)).toHaveLength(2);
  });

  it('adds to the entry of a signature, and leaves its time stamp', async () => {
    const key = (await QpdfView.open(signed)).signatures[0]?.key ?? '';
    const entries = `/DSS <</Certs [80 0 R] /VRI <</${key} <</Cert [80 0 R] /TS 80 0 R>>>>>>`;
    const view = await QpdfView.open(await addTo(await withStore(entries, { 80: { dictionary: '', data: 'odd' } })));
    const entry = view.entries[key] ?? {};
    expect(entry).toMatchObject({ '/TS': '80 0 R' });
    expect(entry).not.toHaveProperty('/TU');
    expect(view.streams(entry, '/Cert')).toHaveLength(material.certificates.length + 1);
  });

  it('keeps the signature valid, and Java reads lists and responses', async () => {
    const path = await addTo(signed);
    expect(await askOpenssl(path)).toEqual([true]);
    const { length } = material.certificates;
    expect(await verifyWithPdfBox([path])).toEqual([
      `signature certs=${length} ocsps=${material.ocspResponses.length} crls=1`,
    ]);
  });

  it('refuses a field holding no signature', async () => {
    const outputPath = bench.workshop.newPath();
    const signatures = [{ fieldName: 'Nobody', material }];
    const adding = addValidationMaterial({ inputPath: signed, outputPath, signatures });
    await expect(adding).rejects.toMatchObject({ code: 'PDF_FIELD_NOT_FOUND' });
    await expect(readFile(outputPath)).rejects.toMatchObject({ code: 'ENOENT' });
  });
});

const POLICY = {
  oid: '2.16.76.1.7.1.14.1.4',
  hash: 'ffa9fd474812f6ce63d625679c9ef235a6547b017be941b2c094aa868e67e123',
  uri: 'http://politicas.icpbrasil.gov.br/PA_PAdES_AD_RA_v1_4.der',
};
function signerWith(options: Partial<Parameters<typeof prepareCmsSigner>[1]>): DetachedSigner {
  const { person } = bench.authority;
  const key = createPrivateKey({ key: person.privateKey, format: 'der', type: 'pkcs8' });
  const signer = softwareSigner(key, person.certificate, person.chain);
  return prepareCmsSigner(signer, { digest: 'sha256', profile: 'cades', omitSigningTime: true, ...options });
}

/** The output of OpenSSL about the CMS of the first signature. */
async function printCms(path: string): Promise<string> {
  const [signature] = (await QpdfView.open(path)).signatures;
  await writeFile(`${path}.cms`, signature?.contents ?? '');
  return (await runProgram('openssl', ['cms', '-cmsout', '-print', '-inform', 'DER', '-in', `${path}.cms`])).output;
}

describe('ICP-Brasil policies in PDFs', () => {
  it('have the levels of DOC-ICP-15.03', () => {
    const profiles = ['AD-RB', 'AD-RT', 'AD-RC', 'AD-RA'] as const;
    expect(profiles.map(icpBrasilPdfLevel)).toEqual([undefined, 'B-T', 'B-LTA', 'B-LTA']);
  });

  it('make an AD-RA with its names, attributes and policy artifacts', async () => {
    const request = bench.request(await bench.plain(), signerWith({ policy: POLICY }));
    const options = { ...request.options, subFilter: 'PBAD.PAdES' } as const;
    const artifact = (text: string): Buffer => Buffer.concat([Buffer.of(0x0c, text.length), Buffer.from(text)]);
    const policyArtifacts = {
      policy: artifact('policy'),
      policyList: artifact('list'),
      policyListSignature: artifact('signature'),
    };
    await signPdfAtLevel({ ...request, options }, { ...bench.options('B-LTA'), policyArtifacts });
    const view = await QpdfView.open(request.outputPath);
    const [signature] = view.signatures;
    expect(signature?.dictionary).toMatchObject({ '/Filter': '/PBAD_PAdES', '/SubFilter': '/PBAD.PAdES' });
    for (const forbidden of ['/Cert', '/R', '/Prop_AuthType'])
      expect(signature?.dictionary).not.toHaveProperty(forbidden);
    const entry = view.entries[signature?.key ?? ''] ?? {};
    for (const [list, single, expected] of [
      ['/PBAD_PolicyArtifacts', '/PBAD_PolicyArtifact', policyArtifacts.policy],
      ['/PBAD_LpaArtifacts', '/PBAD_LpaArtifact', policyArtifacts.policyList],
      ['/PBAD_LpaSignatures', '/PBAD_LpaSignature', policyArtifacts.policyListSignature],
    ] as const) {
      expect(view.streams(view.store, list)).toEqual([expected]);
      expect(view.streams(entry, single)).toEqual([expected]);
    }
    const cms = await printCms(request.outputPath);
    expect(cms).toContain('id-smime-aa-ets-sigPolicyId');
    expect(cms).toContain('id-smime-aa-timeStampToken');
    expect(cms.split('unsignedAttrs')[0]).not.toContain('signingTime');
    const { signatures } = await verifyPdf(request.outputPath);
    expect(signatures.map(({ subFilter, outcome }) => [subFilter, outcome])).toEqual([
      ['PBAD.PAdES', 'intact'],
      ['ETSI.RFC3161', 'intact'],
    ]);
    expect(await askQpdf(request.outputPath)).toMatchObject({ exitCode: 0, complaints: [] });
  });
});

describe('signPdf, under an ICP-Brasil policy', () => {
  it.each([
    ['names no policy', {}, 'the signature policy'],
    ['has the time inside', { policy: POLICY, omitSigningTime: false }, 'the time of the signature'],
    ['has a location inside', { policy: POLICY, location: { country: 'BR' } }, "the signer's location"],
    ['has revocation data inside', { policy: POLICY, adobeRevocationInfo: Buffer.of(0x30, 0) }, 'revocation data'],
    ['does not name the certificate', { profile: 'cms' }, "the signer's certificate"],
  ] as const)('refuses a signature that %s', async (_, change, name) => {
    const request = bench.request(await bench.plain(), signerWith(change));
    const signing = signPdf({ ...request, options: { ...request.options, subFilter: 'PBAD.PAdES' } });
    const message = expect.stringContaining(name) as string;
    await expect(signing).rejects.toMatchObject({ code: 'SIGNATURE_INVALID', message });
    await expect(readFile(request.outputPath)).rejects.toMatchObject({ code: 'ENOENT' });
  });
});

describe('revocationInfoArchival', () => {
  it('is carried by a PDF signature as a signed attribute readable by OpenSSL', async () => {
    const adobeRevocationInfo = revocationInfoArchival(material);
    const signer = signerWith({ profile: 'cms', omitSigningTime: false, adobeRevocationInfo });
    const request = bench.request(await bench.workshop.write(buildPdf(onePage())), signer);
    await signPdf({ ...request, options: { ...request.options, subFilter: 'adbe.pkcs7.detached' } });
    expect(await askOpenssl(request.outputPath)).toEqual([true]);
    expect(await printCms(request.outputPath)).toMatch(/1\.2\.840\.113583\.1\.1\.8|adobe/i);
    const path = bench.workshop.newPath();
    await writeFile(path, adobeRevocationInfo);
    const { output, code } = await runProgram('openssl', ['asn1parse', '-inform', 'DER', '-in', path]);
    expect(code).toBe(0);
    const top = output.split('\n').filter((line) => /d=1 /.test(line));
    expect(top.map((line) => /cont \[ (\d) \]/.exec(line)?.[1])).toEqual(['0', '1']);
  });

  it('leaves out empty entries', () => {
    expect(revocationInfoArchival({ crls: [], ocspResponses: [] }).toString('hex')).toBe('3000');
  });
});
