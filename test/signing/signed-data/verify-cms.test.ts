import { createHash, hash, randomBytes, sign, type KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  prepareCmsSigner,
  softwareSigner,
  verifyCms,
  verifyCmsFile,
  verifyCmsWithDigest,
  parseCertificate,
  type CmsVerification,
  type SigningError,
} from '../../../src/signing/index.ts';
import { Oid } from '../../../src/signing/der/oids.ts';
import { readDer, Tag, type DerElement } from '../../../src/signing/der/reader.ts';
import {
  derContext,
  derElement,
  derInteger,
  derNull,
  derOctetString,
  derOid,
  derPrimitiveContext,
  derSequence,
  derSetOf,
} from '../../../src/signing/der/writer.ts';
import { runProgram } from '../../oracles/run-program.ts';
import { makeScratchFolder } from '../cms/scratch-folder.ts';
import { KEY_KINDS, makeTestIdentity, toPem, type TestIdentity } from '../cms/test-identities.ts';

const scratch = makeScratchFolder();
const signingTime = new Date('2026-03-04T05:06:07Z');
const content = Buffer.from('What is signed here is short, so that each of its bytes can be changed in turn.');
const identity = makeTestIdentity({ name: 'Signer', key: KEY_KINDS['P-256']() });
const rsa = makeTestIdentity({ name: 'RSA signer', key: KEY_KINDS['RSA-2048']() });

const signerOf = ({ key, certificate }: TestIdentity): ReturnType<typeof prepareCmsSigner> =>
  prepareCmsSigner(softwareSigner(key.privateKey, certificate, []), { digest: 'sha256', profile: 'cades' });

const attached = await signerOf(identity).signContent(content, signingTime);
const detached = await signerOf(identity).signDigest(hash('sha256', content, 'buffer'), signingTime);

const outcomesOf = ({ signers }: CmsVerification): readonly string[] => signers.map(({ outcome }) => outcome);
const reasonOf = ({ signers }: CmsVerification): string | undefined => signers[0]?.reason;

/** A copy with another byte at `index`. */
function changed(bytes: Buffer, index: number): Buffer {
  const copy = Buffer.from(bytes);
  copy[index] = (copy[index] ?? 0) ^ 0x01;
  return copy;
}

/** Where `part`, a slice of `whole`, lies. */
function rangeOf(whole: Buffer, part: Buffer): readonly number[] {
  const start = part.byteOffset - whole.byteOffset;
  return Array.from(part.keys(), (index) => start + index);
}

/** SignedData › signerInfos › the first SignerInfo. */
function signerInfoOf(signature: Buffer): DerElement {
  const fields = readDer(signature).child(1, '').child(0, '').children;
  return fields.at(-1)!.child(0, 'the SignerInfo');
}

describe('verifyCms › a tampered signature', () => {
  it('is broken when any byte of the enclosed content was changed', async () => {
    const enclosed = readDer(attached).child(1, '').child(0, '').child(2, '').child(1, '').child(0, '').content;
    expect(enclosed).toEqual(content);
    for (const index of rangeOf(attached, enclosed)) {
      expect(outcomesOf(await verifyCms(changed(attached, index)))).toEqual(['broken']);
    }
  });

  it('is broken when any byte of the detached content was changed', async () => {
    for (const index of content.keys()) {
      expect(outcomesOf(await verifyCms(detached, changed(content, index)))).toEqual(['broken']);
    }
  });

  it('is broken when any byte of the signature value was changed', async () => {
    for (const index of rangeOf(detached, signerInfoOf(detached).child(5, '').content)) {
      expect(outcomesOf(await verifyCms(changed(detached, index), content))).toEqual(['broken']);
    }
  });

  it('is broken, or no signature at all, when any byte of the signed attributes was changed', async () => {
    const attributes = rangeOf(detached, signerInfoOf(detached).child(3, '').bytes);
    const outcomes = await Promise.all(
      attributes.map((index) =>
        verifyCms(changed(detached, index), content).then(
          (verification) => outcomesOf(verification).join(),
          (error: unknown) => (error as SigningError).code,
        ),
      ),
    );
    expect(outcomes.length).toBeGreaterThan(150);
    expect(outcomes.filter((outcome) => outcome !== 'broken' && outcome !== 'CMS_MALFORMED')).toEqual([]);
    expect(outcomes.filter((outcome) => outcome === 'broken').length).toBeGreaterThan(100);
  });

  it('is broken when another key pair signed in the name of the certificate', async () => {
    const forger = makeTestIdentity({ name: 'Signer', key: KEY_KINDS['P-256']() });
    const signer = prepareCmsSigner(
      {
        certificate: identity.certificate,
        chain: [],
        schemes: ['ecdsa'],
        sign: (message) => Promise.resolve(sign('sha256', message, forger.key.privateKey)),
      },
      { digest: 'sha256', profile: 'cades' },
    );
    expect(outcomesOf(await verifyCms(await signer.signContent(content, signingTime)))).toEqual(['broken']);
  });
});

describe('verifyCms › its statements', () => {
  it('names the signer, the time, the hash function and the certificates', async () => {
    const verification = await verifyCms(detached, content);
    expect(verification).toMatchObject({ intact: true, attached: false });
    expect(verification.certificates.map(({ der }) => der)).toEqual([identity.certificate]);
    expect(verification.signers[0]).toMatchObject({
      outcome: 'intact',
      digestAlgorithm: 'sha256',
      signingTime,
      signingCertificateMatches: true,
    });
    expect(verification.signers[0]?.certificate?.commonName).toBe('Signer');
  });

  it('cannot tell without the content of a detached signature', async () => {
    const verification = await verifyCms(detached);
    expect(verification.intact).toBe(false);
    expect(outcomesOf(verification)).toEqual(['unknown']);
    expect(reasonOf(verification)).toContain('detached');
  });

  it('is broken when the document given differs from the enclosed document, and intact when both agree', async () => {
    expect(outcomesOf(await verifyCms(attached, Buffer.from('another')))).toEqual(['broken']);
    expect(outcomesOf(await verifyCms(attached, content))).toEqual(['intact']);
  });

  it('takes detached content from a path, or by its digests', async () => {
    const path = scratch.write('content', content);
    const digestOf = (algorithm: string): Promise<Buffer> =>
      Promise.resolve(createHash(algorithm).update(content).digest());
    expect((await verifyCms(detached, { path })).intact).toBe(true);
    expect((await verifyCms(detached, { digestOf })).intact).toBe(true);
  });

  it('reads a signature with zeros behind, and with anything behind when digests are asked for', async () => {
    const digestOf = (algorithm: string): Promise<Buffer> =>
      Promise.resolve(createHash(algorithm).update(content).digest());
    const [padded, followed] = [Buffer.alloc(100), Buffer.of(0, 1)].map((behind) => Buffer.concat([detached, behind]));
    for (const input of [padded, followed]) {
      expect((await verifyCmsWithDigest(input ?? detached, digestOf)).intact).toBe(true);
    }
    expect((await verifyCms(padded ?? detached, content)).intact).toBe(true);
    await expect(verifyCms(followed ?? detached, content)).rejects.toMatchObject({ code: 'CMS_MALFORMED' });
    const last = Buffer.of((detached.at(-1) ?? 0) ^ 1);
    const changed = Buffer.concat([detached.subarray(0, -1), last, Buffer.alloc(100)]);
    expect((await verifyCmsWithDigest(changed, digestOf)).intact).toBe(false);
  });

  it('reads PEM', async () => {
    expect((await verifyCms(Buffer.from(toPem(detached, 'CMS')), content)).intact).toBe(true);
    expect((await verifyCms(Buffer.from(`text before\r\n${toPem(detached, 'PKCS7')}`), content)).intact).toBe(true);
  });
});

describe('verifyCms › data that is no signature', () => {
  it.each([
    ['nothing', Buffer.alloc(0), 'CMS_MALFORMED'],
    ['text', Buffer.from('not a signature'), 'CMS_MALFORMED'],
    ['a certificate', identity.certificate, 'CMS_MALFORMED'],
    ['a signature that is cut off', detached.subarray(0, -1), 'CMS_MALFORMED'],
    ['a signature with something behind it', Buffer.concat([detached, Buffer.of(1)]), 'CMS_MALFORMED'],
    ['another CMS message', derSequence(derOid(Oid.data), derContext(0, derOctetString(content))), 'CMS_UNSUPPORTED'],
  ])('refuses %s', async (_, input, code) => {
    await expect(verifyCms(input)).rejects.toMatchObject({ name: 'SigningError', code });
  });

  it('does not call a SignedData without signers intact: such data may hold certificates only', async () => {
    const empty = derSequence(
      derOid(Oid.signedData),
      derContext(0, derSequence(derInteger(1), derSetOf(), derSequence(derOid(Oid.data)), derSetOf())),
    );
    expect(await verifyCms(empty)).toMatchObject({ intact: false, signers: [] });
  });
});

interface HandMade {
  readonly attributes?: readonly Buffer[];
  readonly contentType?: string;
  readonly digestAlgorithm?: string;
  readonly signatureAlgorithm?: Buffer;
  readonly identifier?: Buffer;
  readonly certificates?: readonly Buffer[];
  /** How the attributes are stored; default: as signed. */
  readonly store?: (attributes: Buffer) => Buffer;
  readonly signWith?: (message: Buffer, key: KeyObject) => Buffer;
}

const attribute = (oid: string, ...values: readonly Buffer[]): Buffer =>
  derSequence(derOid(oid), derElement(Tag.set, ...values));
const typeAttribute = attribute(Oid.contentType, derOid(Oid.data));
const digestAttribute = attribute(Oid.messageDigest, derOctetString(hash('sha256', content, 'buffer')));

function issuerAndSerial(der: Buffer): Buffer {
  const { issuer, serialNumber } = parseCertificate(der);
  return derSequence(issuer, derInteger(serialNumber));
}

/** SignedData as written by others, signed by the RSA key: each part can be made otherwise. */
function handMade(choice: HandMade): Buffer {
  const attributes = choice.attributes && derElement(Tag.set, ...choice.attributes);
  const message = attributes ?? content;
  const signWith = choice.signWith ?? ((bytes, key): Buffer => sign('sha256', bytes, key));
  const stored = attributes && (choice.store ?? ((bytes: Buffer): Buffer => bytes))(attributes);
  const digestAlgorithm = derSequence(derOid(choice.digestAlgorithm ?? Oid.sha256));
  return derSequence(
    derOid(Oid.signedData),
    derContext(
      0,
      derSequence(
        derInteger(1),
        derSetOf(digestAlgorithm),
        derSequence(derOid(choice.contentType ?? Oid.data), derContext(0, derOctetString(content))),
        derContext(0, ...(choice.certificates ?? [rsa.certificate])),
        derSetOf(
          derSequence(
            derInteger(1),
            choice.identifier ?? issuerAndSerial(rsa.certificate),
            digestAlgorithm,
            ...(stored === undefined ? [] : [derContext(0, readDer(stored).content)]),
            choice.signatureAlgorithm ?? derSequence(derOid(Oid.rsaEncryption), derNull()),
            derOctetString(signWith(message, rsa.key.privateKey)),
          ),
        ),
      ),
    ),
  );
}

const keyIdentifier = parseCertificate(rsa.certificate).subjectKeyIdentifier!;

describe('verifyCms › signatures made by others', () => {
  it.each<[string, HandMade]>([
    ['plain attributes', { attributes: [typeAttribute, digestAttribute] }],
    ['attributes signed and stored in another order than DER', { attributes: [digestAttribute, typeAttribute] }],
    [
      'attributes signed in DER order and stored in another',
      {
        attributes: [typeAttribute, digestAttribute],
        store: () => derElement(Tag.set, digestAttribute, typeAttribute),
      },
    ],
    ['no attributes', {}],
    ['sha256WithRSAEncryption', { signatureAlgorithm: derSequence(derOid(Oid.sha256WithRsa), derNull()) }],
    ['the signer named by key identifier', { identifier: derPrimitiveContext(0, keyIdentifier) }],
    [
      'an attribute certificate and a damaged one among the certificates',
      { certificates: [derContext(1, derNull()), derSequence(derNull()), rsa.certificate] },
    ],
    ['the digest by SHA-1', { digestAlgorithm: Oid.sha1, signWith: (bytes, key) => sign('sha1', bytes, key) }],
    [
      'signingCertificate with SHA-1 in place of its successor',
      {
        attributes: [
          typeAttribute,
          digestAttribute,
          attribute(
            Oid.signingCertificate,
            derSequence(derSequence(derSequence(derOctetString(hash('sha1', rsa.certificate, 'buffer'))))),
          ),
        ],
      },
    ],
  ])('is intact with %s', async (_, choice) => {
    const verification = await verifyCms(handMade(choice));
    expect(verification.signers.map(({ outcome, reason }) => reason ?? outcome)).toEqual(['intact']);
  });

  const otherCertificate = derSequence(derSequence(derSequence(derOctetString(hash('sha256', content, 'buffer')))));

  it.each<[string, HandMade, string]>([
    ['no content type', { attributes: [digestAttribute] }, 'type of the content'],
    ['no digest', { attributes: [typeAttribute] }, 'no digest'],
    ['two digests', { attributes: [typeAttribute, digestAttribute, digestAttribute] }, 'two digests'],
    ['two content types', { attributes: [typeAttribute, typeAttribute, digestAttribute] }, 'twice'],
    [
      'a content type that is not the content’s',
      { attributes: [attribute(Oid.contentType, derOid(Oid.signedData)), digestAttribute] },
      'another type',
    ],
    ['no attributes around content of another type', { contentType: Oid.timeStampInfo }, 'must be signed'],
    [
      'an attribute that names another certificate',
      { attributes: [typeAttribute, digestAttribute, attribute(Oid.signingCertificateV2, otherCertificate)] },
      'another certificate',
    ],
    [
      'a digest that is no octet string',
      { attributes: [typeAttribute, attribute(Oid.messageDigest, derNull())] },
      'damaged',
    ],
    ['the algorithm of another kind of key', { signatureAlgorithm: derSequence(derOid(Oid.ecdsaWithSha256)) }, 'key'],
  ])('is broken with %s', async (_, choice, reason) => {
    const verification = await verifyCms(handMade(choice));
    expect(outcomesOf(verification)).toEqual(['broken']);
    expect(reasonOf(verification)).toContain(reason);
  });

  it.each<[string, HandMade, string]>([
    ['a hash function that is not known', { digestAlgorithm: '1.2.840.113549.2.5' }, 'hash function'],
    ['a signature algorithm that is not known', { signatureAlgorithm: derSequence(derOid('1.2.3.4')) }, '1.2.3.4'],
    ['no certificate', { certificates: [] }, 'certificate'],
  ])('cannot tell with %s', async (_, choice, reason) => {
    const verification = await verifyCms(handMade(choice));
    expect(outcomesOf(verification)).toEqual(['unknown']);
    expect(reasonOf(verification)).toContain(reason);
  });
});

describe('verifyCms › signatures of OpenSSL', () => {
  const signerPath = scratch.write('rsa.pem', toPem(rsa.certificate));
  const keyPath = scratch.write('rsa.key', rsa.key.privateKey.export({ format: 'pem', type: 'pkcs8' }));
  const contentPath = scratch.write('openssl-content', randomBytes(100_000));

  it.each([
    ['attached in BER with indefinite lengths', ['-nodetach', '-stream'], true],
    ['attached', ['-nodetach'], true],
    ['detached', [], false],
    ['with RSA-PSS', ['-keyopt', 'rsa_padding_mode:pss'], false],
    [
      'with RSA-PSS and a salt of another length',
      ['-keyopt', 'rsa_padding_mode:pss', '-keyopt', 'rsa_pss_saltlen:7'],
      false,
    ],
    ['with RSA-PSS and its defaults, SHA-1', ['-md', 'sha1', '-keyopt', 'rsa_padding_mode:pss'], false],
    ['without attributes', ['-noattr'], false],
    ['without attributes, with RSA-PSS', ['-noattr', '-keyopt', 'rsa_padding_mode:pss'], false],
    ['with the signer named by key identifier', ['-keyid'], false],
    ['with SHA-512 and the certificate named', ['-cades', '-md', 'sha512'], false],
  ])('are intact %s, and broken over other content', async (title, options, isAttached) => {
    const path = scratch.path(`openssl ${title}`);
    const { code, errors } = await runProgram('openssl', [
      'cms',
      '-sign',
      '-binary',
      '-outform',
      'DER',
      '-in',
      contentPath,
      '-out',
      path,
      '-signer',
      signerPath,
      '-inkey',
      keyPath,
      ...options,
    ]);
    expect({ code, errors }).toEqual({ code: 0, errors: '' });
    const fromFile = await verifyCmsFile(path, isAttached ? undefined : contentPath);
    expect(fromFile.signers.map(({ outcome, reason }) => reason ?? outcome)).toEqual(['intact']);
    expect(fromFile.attached).toBe(isAttached);
    const fromMemory = await verifyCms(readFileSync(path), readFileSync(contentPath));
    expect(outcomesOf(fromMemory)).toEqual(['intact']);
    expect(outcomesOf(await verifyCms(readFileSync(path), content))).toEqual(['broken']);
  });
});
