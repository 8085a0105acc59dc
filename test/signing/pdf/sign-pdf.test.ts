import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { prepareCmsSigner } from '../../../src/signing/cms/index.ts';
import { softwareSigner } from '../../../src/signing/keys/software-signer.ts';
import { signPdf } from '../../../src/signing/pdf/signature/sign-pdf.ts';
import { verifyPdf } from '../../../src/signing/pdf/verification/verify-pdf.ts';
import { KEY_KINDS, makeTestIdentity } from '../cms/test-identities.ts';
import { appendRevision, buildPdf, emptySignatureField, onePage, withFields } from './build-pdf.ts';
import type { PdfShape } from './build-pdf.ts';
import { factsOf } from './differences/contract.ts';
import {
  askBouncyCastle,
  askPdfsig,
  askQpdf,
  makeWithQpdf,
  readObjectsWithQpdf,
  readSignaturesWithQpdf,
} from './oracles.ts';
import { expectValid, SIGNING_TIME, Workshop } from './workshop.ts';

const REASON = 'Concordo com a ação — 同意します';
let workshop: Workshop;
beforeAll(async () => {
  workshop = await Workshop.open();
});
afterAll(() => workshop.close());
const write = (content: Buffer): Promise<string> => workshop.write(content);

const shaped = (shape: PdfShape) => (): Promise<string> => write(buildPdf(onePage(), shape));
const transformed =
  (...parameters: string[]) =>
  async (): Promise<string> => {
    const path = workshop.newPath();
    await makeWithQpdf([...parameters, await write(buildPdf(onePage())), path]);
    return path;
  };
const encrypted = (...parameters: string[]): (() => Promise<string>) =>
  transformed('--allow-weak-crypto', '--encrypt', '', 'owner', ...parameters, '--');

const FORM_OBJECT = onePage({
  1: '<</Type /Catalog /Pages 2 0 R /AcroForm 6 0 R>>',
  6: '<</Fields 7 0 R /DA (/Helv 0 Tf 0 g)>>',
  7: '[8 0 R]',
  8: '<</FT /Tx /T (Signature1) /V (taken) /Type /Annot /Subtype /Widget /Rect [10 10 90 30] /P 3 0 R /F 4>>',
  3: '<</Type /Page /Parent 2 0 R /Contents 4 0 R /Annots 9 0 R /Resources <</Font <</F1 5 0 R>>>>>>',
  9: '[8 0 R]',
});

const FILES: readonly (readonly [string, () => Promise<string>])[] = [
  ...['1.0', '1.3', '1.4', '1.7', '2.0'].map((version) => [`a table in PDF ${version}`, shaped({ version })] as const),
  ['carriage returns as line ends', shaped({ lineEnd: '\r' })],
  ['line ends of two bytes', shaped({ lineEnd: '\r\n' })],
  ['no line end at the end', shaped({ end: '' })],
  ['text behind the end', shaped({ end: '\n<!-- sent by a web server -->' })],
  ['text in front of the header', shaped({ junk: 'HTTP/1.1 200 OK\r\n\r\n' })],
  ['text in front of the header and a stream', shaped({ junk: 'mail\n', kind: 'stream', compressed: [1, 2, 3, 5] })],
  ['no file identifier', shaped({ identifier: '' })],
  ['other entries in the trailer', shaped({ trailer: '/Info <</Title (Title)>> /Custom [1 (two) /Three]' })],
  [
    'generations above zero',
    () =>
      write(
        buildPdf(
          { ...onePage(), 2: '<</Type /Pages /Kids [3 4 R] /Count 1 /MediaBox [0 0 9 9]>>' },
          { generations: { 3: 4 } },
        ),
      ),
  ],
  ['a cross-reference stream', shaped({ kind: 'stream' })],
  ['object streams', shaped({ kind: 'stream', compressed: [1, 2, 3, 5] })],
  ['a hybrid cross-reference', shaped({ kind: 'hybrid', compressed: [5] })],
  ['a linearized table', transformed('--linearize')],
  ['linearized object streams', transformed('--linearize', '--object-streams=generate')],
  ['object streams by qpdf', transformed('--object-streams=generate')],
  ['form, fields and annotations in objects of their own', () => write(buildPdf(FORM_OBJECT))],
  [
    'form, fields and annotations in an object stream',
    () => write(buildPdf(FORM_OBJECT, { kind: 'stream', compressed: [1, 3, 6, 7, 8, 9] })),
  ],
  ['a form inside the catalog', () => write(buildPdf(withFields({ 6: emptySignatureField('Later') }, '/SigFlags 1')))],
  ['a form without fields', () => write(buildPdf(onePage({ 1: '<</Type /Catalog /Pages 2 0 R /AcroForm <<>>>>' })))],
  ['an earlier update', () => write(appendRevision(buildPdf(onePage()), { 4: { dictionary: '', data: 'q Q' } }))],
  [
    'earlier updates with streams',
    () =>
      write(
        appendRevision(
          buildPdf(onePage(), { kind: 'stream', compressed: [2, 5] }),
          { 3: onePage()[3]! },
          { kind: 'stream', compressed: [3] },
        ),
      ),
  ],
  [
    'names that need escapes',
    () => write(buildPdf(onePage({ 1: '<</Type /Catalog /Pages 2 0 R /Odd#20Key#2F /Value#23>>' }))),
  ],
  [
    'pages deep in a tree with empty branches',
    () =>
      write(
        buildPdf({
          ...onePage(),
          2: '<</Type /Pages /Kids [6 0 R 7 0 R] /Count 1 /MediaBox [0 0 9 9]>>',
          6: '<</Type /Pages /Kids [] /Count 0 /Parent 2 0 R>>',
          7: '<</Type /Pages /Kids [3 0 R] /Count 1 /Parent 2 0 R>>',
          3: '<</Type /Page /Parent 7 0 R>>',
        }),
      ),
  ],
  ['RC4 of 40 bits', encrypted('40')],
  ['RC4 of 128 bits', encrypted('128', '--use-aes=n')],
  ['RC4 of 128 bits by crypt filters', encrypted('128', '--use-aes=n', '--force-V4')],
  ['AES of 128 bits', encrypted('128', '--use-aes=y')],
  ['AES of 128 bits with metadata in clear', encrypted('128', '--use-aes=y', '--cleartext-metadata')],
  ['AES of 256 bits, revision 5', encrypted('256', '--force-R5')],
  ['AES of 256 bits, revision 6', encrypted('256')],
  ['AES of 256 bits, object streams', transformed('--object-streams=generate', '--encrypt', '', 'owner', '256', '--')],
  [
    'AES of 128 bits, linearized object streams',
    transformed('--linearize', '--object-streams=generate', '--encrypt', '', 'owner', '128', '--use-aes=y', '--'),
  ],
  [
    'AES of 256 bits with the empty owner password only',
    transformed('--encrypt', 'user', '', '256', '--allow-insecure', '--'),
  ],
];

/** Rewrites the lines of a table's entries; offsets in front of the table stay as they are. */
const withEntries = (change: (line: string) => string): Buffer =>
  Buffer.from(
    buildPdf(onePage())
      .toString('latin1')
      .replace(/^\d{10} \d{5} [nf] $/gm, change),
    'latin1',
  );

const ODD_FILES: readonly (readonly [string, () => Promise<string>])[] = [
  ['entries of 19 bytes in the table', () => write(withEntries((line) => line.trimEnd()))],
  ['comments behind the entries of the table', () => write(withEntries((line) => `${line} % ${line.length}`))],
  [
    'a copy of itself in front of the header',
    () => write(Buffer.concat([buildPdf(onePage()).subarray(5, 99), Buffer.from('\n'), buildPdf(onePage())])),
  ],
];

describe('signPdf, on not quite right files accepted by readers', () => {
  it.each(ODD_FILES)('signs a file with %s, and makes the file no worse', async (_, make) => {
    const original = await make();
    const before = await askQpdf(original);
    const { path: first } = await workshop.sign(original);
    const { path: second } = await workshop.sign(first);
    expect((await askPdfsig(second))?.map(({ valid }) => valid)).toEqual([true, true]);
    expect((await verifyPdf(second)).signatures.map(({ outcome }) => outcome)).toEqual(['intact', 'intact']);
    const after = await askQpdf(second);
    expect(after.exitCode).toBe(before.exitCode);
    expect(after.complaints.filter((complaint) => !before.complaints.includes(complaint))).toEqual([]);
  });
});

describe('signPdf, twice, as PAdES and as a plain PDF signature', () => {
  it.each(FILES)('signs a file with %s', async (_, make) => {
    const original = await make();
    const { path: first } = await workshop.sign(original, {
      reason: REASON,
      location: 'São Paulo',
      contact: '(11) 5555\\1234',
      name: 'Zoë Gonçalves',
    });
    await expectValid(first, 1);
    const { path: second } = await workshop.sign(first, { subFilter: 'adbe.pkcs7.detached' });
    await expectValid(second, 2);
    const [dictionary] = await readSignaturesWithQpdf(first);
    expect(dictionary).toMatchObject({
      '/Type': '/Sig',
      '/Filter': '/Adobe.PPKLite',
      '/SubFilter': '/ETSI.CAdES.detached',
      '/Reason': `u:${REASON}`,
      '/Location': 'u:São Paulo',
      '/ContactInfo': 'u:(11) 5555\\1234',
      '/Name': 'u:Zoë Gonçalves',
      '/M': "u:D:20261120102030+00'00'",
    });
    expect((await verifyPdf(first)).signatures[0]?.signingTime).toEqual(SIGNING_TIME);
  });
});

/** The levels of the ISO extensions declared in a file by a signature with this key. */
async function declaredBy(kind: keyof typeof KEY_KINDS, path: string): Promise<readonly unknown[]> {
  const key = KEY_KINDS[kind]();
  const { certificate } = makeTestIdentity({ name: 'Signer of PDFs', key });
  const usual = { digest: 'sha256', profile: 'cades', omitSigningTime: true } as const;
  const signer = prepareCmsSigner(softwareSigner(key.privateKey, certificate, []), usual);
  const outputPath = workshop.newPath();
  const options = { subFilter: 'ETSI.CAdES.detached', signingTime: SIGNING_TIME } as const;
  await signPdf({ inputPath: path, outputPath, signer, options });
  expect((await factsOf(outputPath)).signatures.every(({ changesAllowed }) => changesAllowed)).toBe(true);
  for (const object of (await readObjectsWithQpdf(outputPath)).values()) {
    const { value } = object as { value?: Record<string, unknown> | null };
    const extensions = value?.['/Type'] === '/Catalog' ? value['/Extensions'] : undefined;
    const list = (extensions as { '/ISO_'?: readonly Record<string, unknown>[] } | undefined)?.['/ISO_'];
    if (list !== undefined) return list.map((entry) => entry['/ExtensionLevel']);
  }
  return [];
}

describe('signPdf declares the extensions to PDF 2.0 used by the signature', () => {
  it.each([
    ['RSA-2048', '2.0', []],
    ['Ed25519', '1.7', []],
    ['Ed25519', '2.0', [32_002]],
    ['Ed448', '2.0', [32_001, 32_002]],
    ['P-256', '2.0', [32_002]],
  ] as const)('%s in PDF %s: %j', async (kind, version, levels) => {
    expect(await declaredBy(kind, await write(buildPdf(onePage(), { version })))).toEqual(levels);
  });

  it('beside those declared already, and each once', async () => {
    const declared = '/Extensions <</ISO_ <</BaseVersion /2.0 /ExtensionLevel 32001 /ExtensionRevision (:2022)>>>>';
    const catalog = `<</Type /Catalog /Pages 2 0 R ${declared}>>`;
    const first = await write(buildPdf(onePage({ 1: catalog }), { version: '2.0' }));
    expect(await declaredBy('Ed448', first)).toEqual([32_001, 32_002]);
    const { path } = await workshop.sign(first);
    expect(await declaredBy('Ed448', path)).toEqual([32_001, 32_002]);
  });
});

describe('signPdf with a key of the EdDSA kind', () => {
  it.each(['Ed25519', 'Ed448'] as const)('signs with %s, and Bouncy Castle verifies the signature', async (kind) => {
    const key = KEY_KINDS[kind]();
    const { certificate } = makeTestIdentity({ name: 'Signer of PDFs', key });
    const usual = { digest: 'sha256', profile: 'cades', omitSigningTime: true } as const;
    const signer = prepareCmsSigner(softwareSigner(key.privateKey, certificate, []), usual);
    const outputPath = workshop.newPath();
    const options = { subFilter: 'ETSI.CAdES.detached', signingTime: SIGNING_TIME } as const;
    await signPdf({ inputPath: await write(buildPdf(onePage())), outputPath, signer, options });
    expect(await askBouncyCastle(outputPath)).toEqual([[true]]);
    expect(await askQpdf(outputPath)).toMatchObject({ exitCode: 0, complaints: [] });
    expect((await verifyPdf(outputPath)).signatures.map(({ outcome }) => outcome)).toEqual(['intact']);
  });
});
