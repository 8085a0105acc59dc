import { hash } from 'node:crypto';
import { PassThrough, Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  addSigner,
  chooseIcpBrasilPolicy,
  counterSign,
  raiseCms,
  signStream,
  verifyCms,
} from '../../../../src/signing/index.ts';
import { ICP_BRASIL_ROOTS } from '../../../../src/signing/certificates/trust/icp-brasil-roots.ts';
import { CadesOid } from '../../../../src/signing/cms/cades-oids.ts';
import { readSignedData } from '../../../../src/signing/signed-data/signed-data.ts';
import { readDer } from '../../../../src/signing/der/reader.ts';
import { verifyAllWithBouncyCastle } from '../../../oracles/bouncy-castle.ts';
import { inspectUnsigned, type UnsignedInspection } from '../../../oracles/inspect-unsigned.ts';
import { verifyWithOpenssl } from '../../../oracles/openssl.ts';
import { makeScratchFolder } from '../scratch-folder.ts';
import { toPem } from '../test-identities.ts';
import {
  cadesSigner,
  content,
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
const digest = hash('sha256', content, 'buffer');
const [maria, joao] = await Promise.all([person(), person('rsa-2048', 'JOAO DE TESTE')]);

const signerInfos = (cms: Buffer): readonly Buffer[] =>
  readDer(cms)
    .child(1, 'the body')
    .child(0, 'SignedData')
    .children.at(-1)!
    .children.map(({ bytes }) => bytes);

const services = { timestamper: makeTimestamper(), collector: makeCollector() };

describe('addSigner', () => {
  const first = cadesSigner(maria);
  const second = cadesSigner(joao, { digest: 'sha512', level: 'B-T', ...services });
  const made = new Map<string, { readonly before: Buffer; readonly after: Buffer }>();
  let verdicts: readonly (readonly boolean[])[] = [];

  beforeAll(async () => {
    const attached = await first.signContent(content, signingTime);
    const detached = await first.signDigest(digest, signingTime);
    const archived = await raiseCms(detached, { level: 'B-LTA', ...services, content });
    made.set('attached', { before: attached, after: await addSigner(attached, second, { signingTime }) });
    made.set('detached', { before: detached, after: await addSigner(detached, second, { signingTime, content }) });
    const given = { signingTime, content: { path: contentPath } };
    made.set('archived', { before: archived, after: await addSigner(archived, second, given) });
    verdicts = await verifyAllWithBouncyCastle(
      [...made].map(([form, { after }]) => ({
        signature: scratch.write(form, after),
        ...(form === 'attached' ? {} : { content: contentPath }),
      })),
    );
  });

  it.each(['attached', 'detached', 'archived'])(
    'adds a signer to a signature, %s, and both are valid',
    async (form) => {
      const { before, after } = made.get(form)!;
      const given = form === 'attached' ? {} : { content: contentPath };
      const verdict = await verifyWithOpenssl({ signature: scratch.path(form), trusted, cades: true, ...given });
      expect(verdict).toMatchObject({ valid: true });
      expect(verdicts[[...made.keys()].indexOf(form)]).toEqual([true, true]);
      expect(await verifyCms(after, form === 'attached' ? undefined : content)).toMatchObject({ intact: true });
      expect(signerInfos(after)).toHaveLength(2);
      expect(signerInfos(after)).toContainEqual(signerInfos(before)[0]);
    },
  );

  it('signs only the same document as before', async () => {
    const cms = await first.signDigest(digest, signingTime);
    await expect(addSigner(cms, second, { signingTime, content: Buffer.from('other') })).rejects.toMatchObject({
      code: 'CONTENT_CHANGED',
    });
    await expect(addSigner(cms, second, { signingTime })).rejects.toMatchObject({ code: 'CMS_UNSUPPORTED' });
  });

  it('adds nothing to the data under an archive time stamp of version 2', async () => {
    const cms = await cadesSigner(maria, { level: 'AD-RA', ...services }).signContent(content, signingTime);
    await expect(addSigner(cms, second, { signingTime })).rejects.toMatchObject({ code: 'CMS_UNSUPPORTED' });
    const request = {
      signer: signerOf(joao),
      signerIndex: 0,
      digest: 'sha256',
      profile: 'cades',
      signingTime,
    } as const;
    await expect(counterSign(cms, request)).rejects.toMatchObject({ code: 'CMS_UNSUPPORTED' });
  });
});

describe('counterSign', () => {
  const request = { signer: signerOf(joao), signerIndex: 0, digest: 'sha256', profile: 'cades', signingTime } as const;
  let inspected: readonly UnsignedInspection[] | undefined;
  let cms: Buffer;

  beforeAll(async () => {
    const signed = await cadesSigner(maria, { level: 'B-T', ...services }).signContent(content, signingTime);
    cms = await counterSign(signed, request);
    [inspected] = await inspectUnsigned([scratch.write('counter', cms)]);
  });

  it('signs the signature of another, confirmed by Bouncy Castle', () => {
    expect(inspected).toHaveLength(1);
    expect(inspected?.[0]?.counters).toEqual([true]);
    expect(inspected?.[0]?.stamps).toEqual([true]);
    expect(inspected?.[0]?.types.toSorted()).toEqual([CadesOid.counterSignature, CadesOid.signatureTimeStamp].sort());
  });

  it('leaves the signature itself valid and tells no type of content', async () => {
    const verdict = await verifyWithOpenssl({ signature: scratch.path('counter'), trusted, cades: true });
    expect(verdict).toMatchObject({ valid: true });
    const attribute = readSignedData(cms).signers[0]!.unsignedAttributes.find(
      ({ oid }) => oid === CadesOid.counterSignature,
    )!;
    expect(attribute.der.includes(Buffer.from('06092a864886f70d010903', 'hex'))).toBe(false);
  });

  it('refuses a missing signer', async () => {
    await expect(counterSign(cms, { ...request, signerIndex: 1 })).rejects.toMatchObject({ code: 'CMS_UNSUPPORTED' });
  });
});

describe('signStream', () => {
  const chunks = [content.subarray(0, 1), content.subarray(1, 200), Buffer.alloc(0), content.subarray(200)];

  it.each([
    ['alone', {}],
    ['at B-T', { level: 'B-T', ...services }],
  ] as const)('signs a pipe in BER, %s', async (name, options) => {
    const output = new PassThrough();
    const signing = signStream(cadesSigner(maria, options), { input: Readable.from(chunks), output, signingTime });
    const [cms] = await Promise.all([buffer(output), signing]);
    const signature = scratch.write(`stream-${name.replaceAll(' ', '-')}`, cms);
    expect(cms.subarray(0, 2)).toEqual(Buffer.of(0x30, 0x80));
    expect(await verifyWithOpenssl({ signature, trusted, cades: true })).toMatchObject({ valid: true });
    expect(await verifyAllWithBouncyCastle([{ signature }])).toEqual([[true]]);
    expect(await verifyCms(cms, content)).toMatchObject({ intact: true, attached: true });
  });

  it('says so when a level cannot be reached in a pipe', async () => {
    const signer = cadesSigner(maria, { level: 'B-LTA', ...services });
    const request = { input: Readable.from(chunks), output: new PassThrough(), signingTime };
    await expect(signStream(signer, request)).rejects.toMatchObject({ code: 'CMS_UNSUPPORTED' });
  });

  it('stops when cancelled, and when the pipe breaks', async () => {
    const request = { output: new PassThrough(), signingTime };
    const aborted = { ...request, input: Readable.from(chunks), signal: AbortSignal.abort() };
    await expect(signStream(cadesSigner(maria), aborted)).rejects.toMatchObject({ code: 'CANCELLED' });
    const input = new Readable({
      read() {
        this.destroy(new Error('the pipe broke'));
      },
    });
    await expect(signStream(cadesSigner(maria), { ...request, input })).rejects.toThrow('the pipe broke');
  });
});

describe('signed attributes', () => {
  const hashOfPolicy = '1f3c904c44c392feef447e21faa7a04e85d9c0153346320f557b7042af5dcf13';
  const uri = 'http://politicas.icpbrasil.gov.br/PA_AD_RB_v2_4.der';
  const all = {
    policy: { oid: '2.16.76.1.7.1.1.2.4', hash: hashOfPolicy, uri },
    location: { country: 'BR', locality: 'Brasília', postalAddress: ['SAUN', 'Quadra 5'] },
    commitment: 'approval',
    contentHints: { description: 'texto' },
    mimeType: 'text/plain',
    signerAttributes: { roles: ['D'] },
  } as const;
  /** The values as `openssl asn1parse` and the modules of RFC 5126 and EN 319 122-1 say, written by hand. */
  const VALUES = {
    [CadesOid.signaturePolicyIdentifier]:
      `3081810608604c010701010204302f300b06096086480165030402010420${hashOfPolicy}` +
      `30443042060b2a864886f70d01091005011633${Buffer.from(uri).toString('hex')}`,
    [CadesOid.signerLocation]: '3027a00413024252a10b0c0942726173c3ad6c6961a21230100c045341554e0c085175616472612035',
    [CadesOid.commitmentTypeIndication]: '300d060b2a864886f70d0109100605',
    [CadesOid.contentHints]: '30120c05746578746f06092a864886f70d010701',
    [CadesOid.mimeType]: '0c0a746578742f706c61696e',
    [CadesOid.signerAttributesV2]: '3010a00e300c300a060355040c31030c0144',
  };
  let cms: Buffer;

  beforeAll(async () => {
    cms = await cadesSigner(maria, all).signContent(content, signingTime);
    scratch.write('attributes', cms);
  });

  it.each(Object.entries(VALUES))('encodes %s as its module says', (oid, value) => {
    const attribute = readSignedData(cms).signers[0]!.signedAttributes.find((one) => one.oid === oid)!;
    expect(attribute.values.map(({ bytes }) => bytes.toString('hex'))).toEqual([value]);
  });

  it('stand sorted, and pass in OpenSSL and Bouncy Castle', async () => {
    const attributes = readSignedData(cms).signers[0]!.signedAttributes.map(({ der }) => der);
    expect(attributes).toHaveLength(10);
    expect(attributes).toEqual([...attributes].sort((left, right) => Buffer.compare(left, right)));
    const signature = scratch.path('attributes');
    expect(await verifyWithOpenssl({ signature, trusted, cades: true })).toMatchObject({ valid: true });
    expect(await verifyAllWithBouncyCastle([{ signature }])).toEqual([[true]]);
  });

  it('take a policy chosen for ICP-Brasil', async () => {
    const { policy } = chooseIcpBrasilPolicy({
      format: 'CAdES',
      wanted: { profile: 'AD-RB' },
      rootFingerprint: ICP_BRASIL_ROOTS.find(({ version }) => version === 'v12')!.fingerprint,
      at: new Date('2026-05-01'),
      algorithm: { scheme: 'ecdsa', digest: 'sha256', keyBits: 256 },
    });
    const signed = await cadesSigner(maria, { policy: policy! }).signContent(content, signingTime);
    const value = readSignedData(signed).signers[0]!.signedAttributes.find(
      ({ oid }) => oid === CadesOid.signaturePolicyIdentifier,
    )!.values[0]!;
    expect(value.bytes.toString('hex')).toBe(VALUES[CadesOid.signaturePolicyIdentifier]);
  });

  it.each([
    ['a hash of another length', { policy: { oid: '1.2.3', hash: 'abcd' } }],
    ['a country that is no code', { location: { country: 'Brasil' } }],
    ['a location of nothing', { location: {} }],
    ['seven lines of address', { location: { postalAddress: Array.from('1234567') } }],
    ['a media type without a slash', { mimeType: 'text' }],
    ['no attributes of the signer', { signerAttributes: {} }],
    ['an empty description', { contentHints: { description: '' } }],
  ] as const)('refuse %s', (_, options) => {
    expect(() => cadesSigner(maria, options)).toThrow(expect.objectContaining({ code: 'CMS_UNSUPPORTED' }));
  });
});
