import { createHash, hash, randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  Oid,
  prepareCmsSigner,
  raiseCms,
  raiseCmsFile,
  verifyCms,
  type CmsLevel,
} from '../../../../src/signing/index.ts';
import { CadesOid } from '../../../../src/signing/cms/cades-oids.ts';
import { readSignedData, type SignerInfo } from '../../../../src/signing/signed-data/signed-data.ts';
import { contextTag, readDer, readOid, type DerElement } from '../../../../src/signing/der/reader.ts';
import { derOid } from '../../../../src/signing/der/writer.ts';
import { readTimestampToken } from '../../../../src/signing/timestamps/timestamp-token.ts';
import { verifyAllWithBouncyCastle, verifyWithBouncyCastle } from '../../../oracles/bouncy-castle.ts';
import { inspectUnsigned, type UnsignedInspection } from '../../../oracles/inspect-unsigned.ts';
import { verifyWithOpenssl } from '../../../oracles/openssl.ts';
import { runProgram } from '../../../oracles/run-program.ts';
import { makeScratchFolder } from '../scratch-folder.ts';
import { toPem } from '../test-identities.ts';
import {
  cadesSigner,
  content,
  crls,
  enclosed,
  makeCollector,
  makeTimestamper,
  person,
  rootCertificate,
  signerOf,
  signingTime,
} from './level-fixtures.ts';

const scratch = makeScratchFolder();
const trusted = scratch.write('root.pem', toPem(rootCertificate));
const contentPath = scratch.write('content', content);
const maria = await person();
const joao = await person('rsa-2048', 'JOAO DE TESTE');
const contentDigest = hash('sha256', content, 'buffer');

const { signatureTimeStamp, certificateReferences, revocationReferences, referencesTimeStamp } = CadesOid;
const { certificateValues, revocationValues, archiveTimeStampV2, archiveTimeStampV3 } = CadesOid;

/** The unsigned attributes of each level. */
const LEVELS: readonly (readonly [CmsLevel, readonly string[]])[] = [
  ['B-T', [signatureTimeStamp]],
  ['B-LT', [signatureTimeStamp]],
  ['B-LTA', [signatureTimeStamp, archiveTimeStampV3]],
  ['AD-RT', [signatureTimeStamp]],
  ['AD-RV', [signatureTimeStamp, certificateReferences, revocationReferences, referencesTimeStamp]],
  [
    'AD-RC',
    [
      signatureTimeStamp,
      certificateReferences,
      revocationReferences,
      referencesTimeStamp,
      certificateValues,
      revocationValues,
    ],
  ],
  [
    'AD-RA',
    [
      signatureTimeStamp,
      certificateReferences,
      revocationReferences,
      certificateValues,
      revocationValues,
      archiveTimeStampV2,
    ],
  ],
];

const services = () => ({ timestamper: makeTimestamper(), collector: makeCollector() });

function firstSigner(cms: Buffer): SignerInfo {
  return readSignedData(cms).signers[0]!;
}
const signedDataOf = (cms: Buffer): DerElement => readDer(cms).child(1, 'the body').child(0, 'SignedData');
const signerInfoOf = (cms: Buffer): DerElement => signedDataOf(cms).children.at(-1)!.child(0, 'the signer');
const setOf = (cms: Buffer, number: number): readonly Buffer[] =>
  (signedDataOf(cms).find(contextTag(number))?.children ?? []).map(({ bytes }) => bytes);
const valueOf = (cms: Buffer, oid: string): Buffer =>
  firstSigner(cms).unsignedAttributes.find((attribute) => attribute.oid === oid)!.values[0]!.bytes;

function expectSorted(elements: readonly Buffer[]): void {
  expect(elements.map((der) => der.toString('hex'))).toEqual(
    [...elements].sort((left, right) => Buffer.compare(left, right)).map((der) => der.toString('hex')),
  );
}

interface Made {
  readonly name: string;
  readonly cms: Buffer;
  readonly content: { readonly content?: string };
  readonly intact: readonly boolean[];
  readonly inspection: UnsignedInspection;
}

/** Signatures by name, judged by Bouncy Castle in a single run. */
async function judge(
  signatures: readonly { readonly name: string; readonly cms: Buffer; readonly attached: boolean }[],
): Promise<ReadonlyMap<string, Made>> {
  const contentOf = (attached: boolean) => (attached ? {} : { content: contentPath });
  const paths = signatures.map(({ name, cms }) => scratch.write(name, cms));
  const verdicts = await verifyAllWithBouncyCastle(
    signatures.map(({ attached }, index) => ({ signature: paths[index]!, ...contentOf(attached) })),
  );
  const inspections = await inspectUnsigned(paths);
  return new Map(
    signatures.map(({ name, cms, attached }, index) => {
      const [inspection] = inspections[index]!;
      return [name, { name, cms, content: contentOf(attached), intact: verdicts[index]!, inspection: inspection! }];
    }),
  );
}

const FORMS = LEVELS.flatMap(([level, attributes]) =>
  [true, false]
    // AD-RA covers the content itself; signDigest knows only the digest.
    .filter((attached) => attached || level !== 'AD-RA')
    .map((attached) => ({ level, attributes, attached, name: `${level}-${attached ? 'attached' : 'detached'}` })),
);

describe('a signature with a level', () => {
  let made: ReadonlyMap<string, Made>;
  const limits = new Map<string, number>();

  beforeAll(async () => {
    const signatures = [];
    for (const { level, attached, name } of FORMS) {
      const signer = cadesSigner(maria, { level, ...services() });
      limits.set(name, signer.detachedSizeLimit);
      const cms = attached
        ? await signer.signContent(content, signingTime)
        : await signer.signDigest(contentDigest, signingTime);
      signatures.push({ name, cms, attached });
    }
    made = await judge(signatures);
  });

  it.each(FORMS)('verifies with OpenSSL and Bouncy Castle: $name', async ({ name, attributes, attached }) => {
    const { cms, intact, inspection, content: given } = made.get(name)!;
    const signature = scratch.path(name);
    expect(await verifyWithOpenssl({ signature, trusted, cades: true, ...given })).toMatchObject({ valid: true });
    expect(intact).toEqual([true]);
    expect(inspection.types.toSorted()).toEqual([...attributes].sort());
    expect(inspection.stamps).toEqual(attributes.includes(signatureTimeStamp) ? [true] : []);
    expect((await verifyCms(cms, attached ? undefined : content)).intact).toBe(true);
  });

  it.each(FORMS)('has every set in the order of DER: $name', ({ name }) => {
    const { cms } = made.get(name)!;
    expectSorted(firstSigner(cms).unsignedAttributes.map(({ der }) => der));
    expectSorted(firstSigner(cms).signedAttributes.map(({ der }) => der));
    expectSorted(setOf(cms, 0));
    expectSorted(setOf(cms, 1));
  });

  it.each(FORMS.filter(({ attached }) => !attached))('is as long as was foretold, or shorter: $name', ({ name }) => {
    expect(made.get(name)!.cms.length).toBeLessThanOrEqual(limits.get(name)!);
  });
});

describe('raiseCms', () => {
  it.each(LEVELS)('raises to %s and leaves every signed byte as it was', async (level) => {
    const before = await cadesSigner(maria).signDigest(contentDigest, signingTime);
    const after = await raiseCms(before, { level, ...services(), content });
    const [was, is] = [signerInfoOf(before), signerInfoOf(after)];
    expect(is.children.slice(0, 6).map(({ bytes }) => bytes.toString('hex'))).toEqual(
      was.children.map(({ bytes }) => bytes.toString('hex')),
    );
    expect(signedDataOf(after).child(2, 'the content').bytes).toEqual(
      signedDataOf(before).child(2, 'the content').bytes,
    );
    const signature = scratch.write(`raised-${level}`, after);
    const verdict = await verifyWithOpenssl({ signature, content: contentPath, trusted, cades: true });
    expect(verdict).toMatchObject({ valid: true });
  });

  it.each(['B-T', 'B-LT', 'B-LTA', 'AD-RV', 'AD-RC'] as const)(
    'raises a signature in a file to %s by the hash of its document',
    async (level) => {
      const inputPath = scratch.write(
        `by-hash-${level}`,
        await cadesSigner(maria).signDigest(contentDigest, signingTime),
      );
      const outputPath = scratch.path(`by-hash-${level}.raised`);
      const contentHash = { digest: 'sha256', value: contentDigest.toString('hex') } as const;
      await raiseCmsFile({ inputPath, outputPath, contentHash, level, ...services() });
      const verdict = await verifyWithOpenssl({ signature: outputPath, content: contentPath, trusted, cades: true });
      expect(verdict).toMatchObject({ valid: true });
    },
  );

  it('raises nothing by the hash of another document, and to AD-RA by no hash', async () => {
    const inputPath = scratch.write('by-hash', await cadesSigner(maria).signDigest(contentDigest, signingTime));
    const raise = (level: 'B-LTA' | 'AD-RA', value: string) =>
      raiseCmsFile({ inputPath, outputPath: scratch.path('by-hash.raised'), contentHash: { digest: 'sha256', value }, level, ...services() }); // prettier-ignore
    await expect(raise('B-LTA', '00'.repeat(32))).rejects.toMatchObject({ code: 'SIGNATURE_INVALID' });
    await expect(raise('AD-RA', contentDigest.toString('hex'))).rejects.toMatchObject({ code: 'CMS_UNSUPPORTED' });
  });

  it('goes from one level to the next without doing anything twice', async () => {
    const timestamper = makeTimestamper();
    const collector = makeCollector();
    let cms = await cadesSigner(maria).signDigest(contentDigest, signingTime);
    for (const level of ['B-T', 'B-LT', 'B-LTA'] as const) {
      cms = await raiseCms(cms, { level, timestamper, collector, content: { path: contentPath } });
    }
    expect(timestamper.count()).toBe(2);
    expect(
      firstSigner(cms)
        .unsignedAttributes.map(({ oid }) => oid)
        .sort(),
    ).toEqual([signatureTimeStamp, archiveTimeStampV3].sort());
    cms = await raiseCms(cms, { level: 'B-LTA', timestamper, collector, content });
    expect(timestamper.count()).toBe(3);
    expect(firstSigner(cms).unsignedAttributes.filter(({ oid }) => oid === archiveTimeStampV3)).toHaveLength(2);
  });

  it('takes BER from a stream and gives DER', async () => {
    const identity = { folder: scratch.path('.') };
    scratch.write('maria.pem', toPem(maria.certificate));
    scratch.write('maria.key', toPem(maria.privateKey, 'PRIVATE KEY'));
    const made = await runProgram('openssl', [
      'cms',
      '-sign',
      '-binary',
      '-nodetach',
      '-stream',
      '-outform',
      'DER',
      '-cades',
      '-in',
      contentPath,
      '-signer',
      `${identity.folder}/maria.pem`,
      '-inkey',
      `${identity.folder}/maria.key`,
      '-certfile',
      scratch.write('issuer.pem', toPem(maria.chain[0]!)),
      '-out',
      scratch.path('ber'),
    ]);
    expect(made.code).toBe(0);
    const raised = await raiseCms(readFileSync(scratch.path('ber')), { level: 'B-LTA', ...services() });
    const signature = scratch.write('from-ber', raised);
    expect(readDer(raised).bytes.length).toBe(raised.length);
    expect(await verifyWithOpenssl({ signature, trusted, cades: true })).toMatchObject({ valid: true });
    expect(await verifyWithBouncyCastle({ signature })).toEqual([true]);
  });

  it('names the missing part: a time stamp authority, a collector, the document', async () => {
    const cms = await cadesSigner(maria).signDigest(contentDigest, signingTime);
    const { timestamper, collector } = services();
    await expect(raiseCms(cms, { level: 'B-T' })).rejects.toMatchObject({ code: 'TIMESTAMP_REFUSED' });
    await expect(raiseCms(cms, { level: 'B-LT', timestamper })).rejects.toMatchObject({ code: 'REVOCATION_UNKNOWN' });
    await expect(raiseCms(cms, { level: 'B-LTA', timestamper, collector })).rejects.toMatchObject({
      code: 'CMS_UNSUPPORTED',
    });
    const digestOf = () => Promise.resolve(contentDigest);
    await expect(
      raiseCms(cms, { level: 'AD-RA', timestamper, collector, content: { digestOf } }),
    ).rejects.toMatchObject({ code: 'CMS_UNSUPPORTED' });
    await expect(raiseCms(Buffer.from('no'), { level: 'B-T', timestamper })).rejects.toMatchObject({
      code: 'CMS_MALFORMED',
    });
    expect(() => prepareCmsSigner(signerOf(maria), { digest: 'sha256', profile: 'cades', level: 'B-T' })).toThrow(
      expect.objectContaining({ code: 'TIMESTAMP_REFUSED' }),
    );
  });

  it('adds no certificates to the data under an archive time stamp of version 2', async () => {
    const archived = await cadesSigner(maria, { level: 'AD-RA', ...services() }).signContent(content, signingTime);
    await expect(raiseCms(archived, { level: 'B-LT', ...services() })).rejects.toMatchObject({
      code: 'CMS_UNSUPPORTED',
    });
    const again = await raiseCms(archived, { level: 'AD-RA', ...services() });
    expect(firstSigner(again).unsignedAttributes.filter(({ oid }) => oid === archiveTimeStampV2)).toHaveLength(2);
  });
});

describe('the data under time stamps', () => {
  /** Judges the token with `openssl ts`, over the bytes named by the standard. */
  async function expectStampOver(name: string, token: Buffer, bytes: Buffer): Promise<void> {
    const { imprint } = readTimestampToken(token);
    expect(imprint.value).toEqual(hash('sha256', bytes, 'buffer'));
    const { code, errors } = await runProgram('openssl', [
      'ts',
      '-verify',
      '-token_in',
      '-in',
      scratch.write(`${name}.tst`, token),
      '-data',
      scratch.write(`${name}.data`, bytes),
      '-CAfile',
      trusted,
      '-untrusted',
      scratch.write('issuing.pem', toPem(maria.chain[0]!)),
    ]);
    expect(code, errors).toBe(0);
  }

  it('is the signature value at B-T', async () => {
    const cms = await cadesSigner(maria, { level: 'B-T', ...services() }).signContent(content, signingTime);
    await expectStampOver('b-t', valueOf(cms, signatureTimeStamp), firstSigner(cms).signature);
  });

  it('is the signature, its time stamp and the references at AD-RV', async () => {
    const cms = await cadesSigner(maria, { level: 'AD-RV', ...services() }).signContent(content, signingTime);
    const covered = [signatureTimeStamp, certificateReferences, revocationReferences].map(
      (oid) => readDer(firstSigner(cms).unsignedAttributes.find((attribute) => attribute.oid === oid)!.der).content,
    );
    const bytes = Buffer.concat([firstSigner(cms).signature, ...covered]);
    await expectStampOver('ad-rv', valueOf(cms, referencesTimeStamp), bytes);
  });

  it('is everything but the archive time stamp itself at AD-RA', async () => {
    const cms = await cadesSigner(maria, { level: 'AD-RA', ...services() }).signContent(content, signingTime);
    const fields = signerInfoOf(cms).children;
    const unsigned = fields.at(-1)!.children.filter(({ children }) => readOid(children[0]!) !== archiveTimeStampV2);
    const certificates = signedDataOf(cms).find(contextTag(0))!.bytes;
    const attributes = Buffer.concat(unsigned.map(({ bytes }) => bytes));
    const header = Buffer.from([0xa1, 0x82, attributes.length >> 8, attributes.length & 0xff]);
    const before = fields.slice(0, -1).map(({ bytes }) => bytes);
    const data = Buffer.concat([enclosed, certificates, ...before, header, attributes]);
    await expectStampOver('ad-ra', valueOf(cms, archiveTimeStampV2), data);
  });

  it('is type, digest, signer and index at B-LTA, and the index has a digest of every part', async () => {
    const timestamper = makeTimestamper('sha512');
    const signer = cadesSigner(maria, { level: 'B-LTA', timestamper, collector: makeCollector() });
    const cms = await signer.signContent(content, signingTime);
    const token = valueOf(cms, archiveTimeStampV3);
    const tokenSigner = firstSigner(token);
    const index = tokenSigner.unsignedAttributes.find(({ oid }) => oid === CadesOid.archiveHashIndexV3)!.values[0]!;
    const digestsOf = (position: number): string[] =>
      index.child(position, 'digests').children.map((element) => element.content.toString('hex'));
    const digestOf = (bytes: Buffer): string => createHash('sha512').update(bytes).digest('hex');
    expect(readOid(index.child(0, 'the hash function').child(0, 'the hash function'))).toBe(Oid.sha512);
    expect(digestsOf(1).sort()).toEqual(setOf(cms, 0).map(digestOf).sort());
    expect(digestsOf(2).sort()).toEqual(setOf(cms, 1).map(digestOf).sort());
    const stamp = firstSigner(cms).unsignedAttributes.find(({ oid }) => oid === signatureTimeStamp)!;
    expect(digestsOf(3)).toEqual([digestOf(Buffer.concat([derOid(stamp.oid), stamp.values[0]!.bytes]))]);
    const fields = signerInfoOf(cms)
      .children.slice(0, 6)
      .map(({ bytes }) => bytes);
    const contentHash = createHash('sha512').update(content).digest();
    const data = Buffer.concat([derOid(Oid.data), contentHash, ...fields, index.bytes]);
    expect(readTimestampToken(token).imprint.value).toEqual(createHash('sha512').update(data).digest());
  });
});

describe('validation material', () => {
  it('is in SignedData at B-LT, OCSP as RFC 5940 says, for the signer and the time stamp authority', async () => {
    const { timestamper, collector } = services();
    const cms = await cadesSigner(maria, { level: 'B-LT', timestamper, collector }).signContent(content, signingTime);
    const revocations = setOf(cms, 1);
    expect(collector.asked).toHaveLength(2);
    expect(revocations).toHaveLength(3);
    expect(revocations).toEqual(expect.arrayContaining([crls.root, crls.issuing]));
    const other = readDer(revocations.find((der) => der[0] === contextTag(1))!);
    expect(readOid(other.children[0]!)).toBe('1.3.6.1.5.5.7.16.2');
    expect(signedDataOf(cms).child(0, 'the version').content).toEqual(Buffer.of(5));
    const response = scratch.write('ocsp', other.children[1]!.bytes);
    const { output } = await runProgram('openssl', ['ocsp', '-respin', response, '-resp_text', '-noverify']);
    expect(output).toContain('Cert Status: good');
  });

  it('has one reference for the signer and one for each other certificate at AD-RC, and the values to these references', async () => {
    const cms = await cadesSigner(maria, { level: 'AD-RC', ...services() }).signContent(content, signingTime);
    const certificates = readDer(valueOf(cms, certificateReferences)).children;
    const revocations = readDer(valueOf(cms, revocationReferences)).children;
    const values = readDer(valueOf(cms, certificateValues)).children;
    expect(revocations).toHaveLength(certificates.length + 1);
    expect(values).toHaveLength(certificates.length + 1);
    const hashes = certificates.map((reference) => reference.child(0, 'a hash').child(1, 'a hash').content);
    expect(hashes).toEqual(values.slice(1).map(({ bytes }) => hash('sha256', bytes, 'buffer')));
    // The signer has an OCSP response and the list of the issuer; the root has the root's list.
    expect(revocations[0]!.children.map(({ tag }) => tag)).toEqual([contextTag(0), contextTag(1)]);
    const stored = readDer(valueOf(cms, revocationValues));
    expect(
      stored
        .child(0, 'lists')
        .child(0, 'lists')
        .children.map(({ bytes }) => bytes),
    ).toEqual(expect.arrayContaining([crls.root, crls.issuing]));
  });
});

describe('signFile with a level', () => {
  const FILES = [
    ['B-T', true],
    ['B-LTA', true],
    ['AD-RA', true],
    ['AD-RA', false],
    ['B-LTA', false],
  ] as const;
  const nameOf = (level: CmsLevel, attached: boolean): string => `file-${level}-${attached}`;
  const contentOf = (attached: boolean) => (attached ? {} : { content: contentPath });
  let verdicts: readonly (readonly boolean[])[];

  beforeAll(async () => {
    for (const [level, attached] of FILES) {
      const timestamper = makeTimestamper('sha512');
      const signer = cadesSigner(maria, { level, timestamper, collector: makeCollector() });
      const outputPath = scratch.path(nameOf(level, attached));
      const { size } = await signer.signFile({ inputPath: contentPath, outputPath, attached, signingTime });
      expect(readDer(readFileSync(outputPath)).bytes.length).toBe(size);
    }
    verdicts = await verifyAllWithBouncyCastle(
      FILES.map(([level, attached]) => ({ signature: scratch.path(nameOf(level, attached)), ...contentOf(attached) })),
    );
  });

  it.each(FILES)('verifies with OpenSSL and Bouncy Castle: %s, attached: %s', async (level, attached) => {
    const signature = scratch.path(nameOf(level, attached));
    const verdict = await verifyWithOpenssl({ signature, trusted, cades: true, ...contentOf(attached) });
    expect(verdict).toMatchObject({ valid: true });
    expect(verdicts[FILES.findIndex(([one, form]) => one === level && form === attached)]).toEqual([true]);
  });

  it('puts content in its place again when the time stamp is longer than was foretold', async () => {
    // Without the stamp all is below 64 KiB, and above with a stamp: lengths, and so the head, take one byte more.
    const size = 2 ** 16 - cadesSigner(joao).detachedSizeLimit - 400;
    const timestamper = { ...makeTimestamper(), sizeLimit: 0 };
    const signer = cadesSigner(joao, { level: 'B-T', timestamper });
    const inputPath = scratch.write('large', randomBytes(size));
    const outputPath = scratch.path('large.p7m');
    const result = await signer.signFile({ inputPath, outputPath, attached: true, signingTime });
    expect(readDer(readFileSync(outputPath)).bytes.length).toBe(result.size);
    expect(result.size).toBeGreaterThan(2 ** 16);
    expect(await verifyWithOpenssl({ signature: outputPath, trusted, cades: true })).toMatchObject({ valid: true });
  });

  it('writes nothing when the document changes before its archive time stamp', async () => {
    const inputPath = scratch.write('changing', randomBytes(5000));
    const timestamper = makeTimestamper('sha512');
    const collector = makeCollector();
    const changing = {
      collect: (...request: Parameters<typeof collector.collect>) => {
        scratch.write('changing', randomBytes(5000));
        return collector.collect(...request);
      },
    };
    const signer = cadesSigner(maria, { level: 'B-LTA', timestamper, collector: changing });
    const outputPath = scratch.path('changed.p7s');
    await expect(signer.signFile({ inputPath, outputPath, attached: false, signingTime })).rejects.toMatchObject({
      code: 'CONTENT_CHANGED',
    });
    expect(existsSync(outputPath)).toBe(false);
  });
});
