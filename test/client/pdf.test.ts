import { createHash } from 'node:crypto';
import { openAsBlob } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Sinete } from '../../src/client/index.ts';
import { clientFolder } from '../../src/app/instance/start-sinete.ts';
import { verifyPdf } from '../../src/signing/index.ts';
import { PdfDocument } from '../../src/signing/pdf/reading/pdf-document.ts';
import { prepareSignature } from '../../src/signing/pdf/signature/prepare-signature.ts';
import type * as Portable from '../../src/signing/portable/prepare-pdf.ts';
import { Bytes } from '../../src/signing/portable/bytes.ts';
import { Sha2Hash } from '../../src/signing/portable/sha2.ts';
import { createTestAuthority, issueTestPerson, writePkcs12 } from '../../src/test-authority/index.ts';
import { startRealInstance, type RealInstance } from '../interface/real-instance.ts';
import {
  appendRevision,
  buildPdf,
  emptySignatureField,
  onePage,
  taggedPage,
  withFields,
} from '../signing/pdf/build-pdf.ts';
import { askPdfsig, askQpdf, makeWithQpdf } from '../signing/pdf/oracles.ts';
import { SIGNING_TIME, Workshop } from '../signing/pdf/workshop.ts';

/** The built module, as in pages and programs. */
const { preparePdf } = (await import(join(clientFolder, 'pdf.js'))) as typeof Portable;

let workshop: Workshop;
beforeAll(async () => {
  workshop = await Workshop.open();
});
afterAll(() => workshop.close());

describe('a PDF is signed by its hash', () => {
  let instance: RealInstance;
  let sinete: Sinete;

  async function enrol(keyKind: 'rsa-2048' | 'ec-p384'): Promise<void> {
    instance = await startRealInstance({ approve: 'all' });
    const calls = instance.sinete.handlers['user-interface'];
    const person = await issueTestPerson(await createTestAuthority(), {
      name: 'ANA LIMA',
      cpf: '11144477735',
      keyKind,
    });
    await calls['certificates.import']({ file: (await writePkcs12(person, 'x')).toString('base64'), password: 'x' });
    const [recovery = ''] = await instance.enrol('ANA LIMA', '11144477735');
    await calls['assistant.add']({ username: '11144477735', code: recovery });
    sinete = await Sinete.at(instance.url);
  }

  const judge = async (signed: Blob): Promise<void> => {
    const path = await workshop.write(Buffer.from(await signed.arrayBuffer()));
    expect(await askPdfsig(path)).toMatchObject([{ valid: true, whole: true }]);
    expect(await askQpdf(path)).toMatchObject({ exitCode: 0 });
    expect((await verifyPdf(path)).signatures.map(({ outcome }) => outcome)).toEqual(['intact']);
  };

  it.each([
    ['rsa-2048', 'SHA256'],
    ['ec-p384', 'SHA384'],
  ] as const)(
    'with a key of the kind %s: as PAdES by its signed attributes, and around a CMS signature',
    async (keyKind, hashAlgorithm) => {
      await enrol(keyKind);
      const path = await workshop.write(buildPdf(onePage()));
      const [{ alias } = { alias: '' }] = await sinete.listCertificates();
      const certificate = await sinete.readCertificate(alias);
      const pades = await preparePdf(await openAsBlob(path), { certificate, hashAlgorithm, reason: 'Aprovação' });
      const data = pades.dataToSign;
      await judge(pades.complete(await sinete.signData(data, { certificate: alias, hashAlgorithm })));
      const cms = await preparePdf(await openAsBlob(path), { certificate, hashAlgorithm, format: 'CMS' });
      const options = { format: 'CMS-detached', certificate: alias, hashAlgorithm } as const;
      const signature = await sinete.signHash({ hash: cms.hash, name: 'contract.pdf' }, options);
      await judge(cms.complete(signature));
      expect(() => pades.complete(signature)).toThrow(expect.objectContaining({ code: 'SIGNATURE_INVALID' }) as Error);
      expect(() => cms.complete(new Uint8Array(256))).toThrow(
        expect.objectContaining({ code: 'SIGNATURE_INVALID' }) as Error,
      );
      await instance.stop();
    },
  );
});

describe('the portable preparation of a PDF', () => {
  /** The bytes that the core itself prepares, without the random identifier. */
  async function preparedByCore(path: string, fieldName?: string): Promise<string> {
    const document = await PdfDocument.open(path);
    const options = { subFilter: 'ETSI.CAdES.detached', signingTime: SIGNING_TIME, fieldName, reason: 'ação' } as const;
    const { certificate } = workshop.signers.pades;
    const signer = { digest: 'sha256', certificate, detachedSizeLimit: 3000 } as const;
    const { bytes } = prepareSignature(document, options, signer, undefined as never);
    await document.close();
    return withoutIdentifier(bytes);
  }

  const withoutIdentifier = (bytes: Buffer): string =>
    bytes
      .toString('latin1')
      .replaceAll(/\/ID ?\[[^\]]*\]/g, '/ID')
      .replaceAll(/<[\da-fA-F]{32}>/g, '<ID>');

  async function withQpdf(pdf: Buffer, ...parameters: string[]): Promise<string> {
    const path = workshop.newPath();
    await makeWithQpdf([...parameters, await workshop.write(pdf), path]);
    return path;
  }

  const blob = (path: string): Promise<Blob> => openAsBlob(path);
  const certificate = (): Buffer => workshop.signers.pades.certificate;

  it.each([
    ['a table', async () => workshop.write(buildPdf(onePage())), undefined],
    ['object streams', async () => withQpdf(buildPdf(onePage()), '--object-streams=generate'), undefined],
    [
      'PDF 2.0',
      async () => withQpdf(buildPdf(onePage()), '--force-version=2.0', '--object-streams=generate'),
      undefined,
    ],
    [
      'two revisions',
      async () => workshop.write(appendRevision(buildPdf(onePage()), { 3: '<</A 90 0 R>>' })),
      undefined,
    ],
    ['a tagged structure', async () => workshop.write(buildPdf(taggedPage())), undefined],
    ['an empty field', async () => workshop.write(buildPdf(withFields({ 5: emptySignatureField('Here') }))), 'Here'],
  ])('writes the bytes of the core for a file with %s', async (_kind, make, fieldName) => {
    const path = await make();
    const options = {
      certificate: certificate(),
      signingTime: SIGNING_TIME,
      capacity: 3000,
      fieldName,
      reason: 'ação',
    };
    const prepared = await preparePdf(await blob(path), options);
    const signed = Buffer.from(await prepared.complete(Buffer.alloc(100)).arrayBuffer());
    const original = await readFile(path);
    expect(signed.subarray(0, original.length).equals(original)).toBe(true);
    const update = withoutIdentifier(signed.subarray(original.length));
    const filled = /\/Contents <[\da-f]*>/g;
    expect(update.replaceAll(filled, '')).toBe((await preparedByCore(path, fieldName)).replaceAll(filled, ''));
  });

  it('refuses encrypted files, texts and absent fields with the codes of the core', async () => {
    const encrypted = await withQpdf(buildPdf(onePage()), '--encrypt', 'user', 'owner', '256', '--');
    await expect(preparePdf(await blob(encrypted), { certificate: certificate() })).rejects.toMatchObject({
      code: 'PDF_ENCRYPTED',
    });
    const text = new Blob(['a text']);
    await expect(preparePdf(text, { certificate: certificate() })).rejects.toMatchObject({ code: 'PDF_MALFORMED' });
    const none = preparePdf(await blob(await workshop.write(buildPdf(onePage()))), {
      certificate: certificate(),
      fieldName: 'None',
    });
    await expect(none).rejects.toMatchObject({ code: 'PDF_FIELD_NOT_FOUND' });
  });

  it('reads a large file in pieces, and the answer holds the original by reference', async () => {
    const stream = Buffer.alloc(24 * 2 ** 20, 'a picture ');
    const path = await workshop.write(buildPdf(onePage({ 9: { dictionary: '', data: stream } as never })));
    const original = await blob(path);
    const sizes: number[] = [];
    const watched = new Proxy(original, {
      get: (target, key) => {
        if (key === 'slice') {
          return (start: number, end: number) => {
            sizes.push(Math.min(end, target.size) - start);
            return target.slice(start, end);
          };
        }
        const value: unknown = Reflect.get(target, key, target);
        return typeof value === 'function' ? (value.bind(target) as unknown) : value;
      },
    });
    const { hash } = await preparePdf(watched, { certificate: certificate() });
    expect(hash).toHaveLength(32);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(4 * 2 ** 20);
  });
});

describe('the stand-ins of the portable module', () => {
  it.each(['sha256', 'sha384', 'sha512'] as const)('hash with %s as Node does, in pieces of any length', (name) => {
    for (let length = 0; length < 400; length += 1) {
      const bytes = Buffer.alloc(length, `${length} bytes`);
      const hash = new Sha2Hash(name).update(bytes.subarray(0, length >> 1)).update(bytes.subarray(length >> 1));
      expect(Buffer.from(hash.digest()).toString('hex')).toBe(createHash(name).update(bytes).digest('hex'));
    }
  });

  it('have bytes with the methods of a Buffer', () => {
    for (const encoding of ['latin1', 'hex', 'utf8', 'utf16le'] as const) {
      const text = encoding === 'hex' ? '00ff7f' : '\ufeffação';
      const [ours, theirs] = [Bytes.from(text, encoding), Buffer.from(text, encoding)];
      expect([...ours]).toEqual([...theirs]);
      expect(ours.toString(encoding)).toBe(theirs.toString(encoding));
    }
    const [ours, theirs] = [Bytes.from('one two one', 'latin1'), Buffer.from('one two one')];
    for (const wanted of ['one', 'two', 'none', 0x6e]) {
      expect([ours.indexOf(wanted), ours.indexOf(wanted, 1), ours.lastIndexOf(wanted), ours.includes(wanted)]).toEqual([
        theirs.indexOf(wanted),
        theirs.indexOf(wanted, 1),
        theirs.lastIndexOf(wanted),
        theirs.includes(wanted),
      ]);
    }
    const [written, expected] = [Bytes.alloc(12, 7), Buffer.alloc(12, 7)];
    for (const bytes of [written, expected]) {
      bytes.writeUInt8(1, 0);
      bytes.writeUInt16BE(0x1234, 1);
      bytes.writeUIntBE(0x123456789a, 3, 6);
      bytes.write('é', 9, 'latin1');
      bytes.copy(bytes, 10, 0, 2);
    }
    expect([...written]).toEqual([...expected]);
    expect([written.readUInt16BE(1), written.readUInt32BE(3), written.readUIntBE(3, 6)]).toEqual([
      0x1234, 0x00123456, 0x123456789a,
    ]);
    expect([...Bytes.from([1, 2, 3, 4]).swap16()]).toEqual([2, 1, 4, 3]);
    expect(Bytes.compare(ours, Bytes.from('one', 'latin1'))).toBe(1);
  });
});
