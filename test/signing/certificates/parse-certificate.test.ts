import { X509Certificate, createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parseCertificate } from '../../../src/signing/index.ts';
import { Oid } from '../../../src/signing/der/oids.ts';
import { Tag, readDer } from '../../../src/signing/der/reader.ts';
import {
  derBitString,
  derBoolean,
  derContext,
  derElement,
  derInteger,
  derNull,
  derOctetString,
  derOid,
  derSequence,
  derSetOf,
  derTime,
  derUtf8String,
} from '../../../src/signing/der/writer.ts';
import { runProgram } from '../../oracles/run-program.ts';
import { makeScratchFolder } from '../cms/scratch-folder.ts';
import { KEY_KINDS, derExtension, makeTestIdentity } from '../cms/test-identities.ts';

const scratch = makeScratchFolder();
const key = KEY_KINDS['P-256']();
const publicKeyInfo = key.publicKey.export({ format: 'der', type: 'spki' });
const nameOf = (...attributes: readonly (readonly [string, Buffer])[]): Buffer =>
  derSequence(...attributes.map(([oid, value]) => derSetOf(derSequence(derOid(oid), value))));

interface Parts {
  readonly serialNumber?: Buffer;
  readonly notBefore?: Buffer;
  readonly subject?: Buffer;
  readonly publicKeyInfo?: Buffer;
  readonly extensions?: readonly Buffer[];
}

/** A certificate with parts of the test's choice; its signature is not asked for. */
function certificateWith(parts: Parts): Buffer {
  const algorithm = derSequence(derOid(Oid.ecdsaWithSha256));
  const notBefore = parts.notBefore ?? derTime(new Date('2026-01-01'));
  const body = derSequence(
    derContext(0, derInteger(2)),
    parts.serialNumber ?? derInteger(5),
    algorithm,
    nameOf([Oid.commonName, derUtf8String('Issuer')]),
    derSequence(notBefore, derTime(new Date('2050-01-01'))),
    parts.subject ?? nameOf([Oid.commonName, derUtf8String('Subject')]),
    parts.publicKeyInfo ?? publicKeyInfo,
    ...(parts.extensions === undefined ? [] : [derContext(3, derSequence(...parts.extensions))]),
  );
  return derSequence(body, algorithm, derBitString(Buffer.alloc(70)));
}

describe('parseCertificate › a certificate of OpenSSL', () => {
  it('reads the same as Node does', async () => {
    const path = scratch.path('openssl.der');
    const { code } = await runProgram('openssl', [
      'req',
      '-x509',
      '-newkey',
      'rsa:2048',
      '-nodes',
      '-days',
      '30',
      '-outform',
      'DER',
      '-out',
      path,
      '-keyout',
      scratch.path('openssl.key'),
      '-subj',
      '/C=BR/O=Exemplo/OU=Uma/OU=Outra/CN=José da Silva',
      '-utf8',
      '-addext',
      'keyUsage=critical,digitalSignature,nonRepudiation',
      '-addext',
      'extendedKeyUsage=clientAuth,emailProtection',
    ]);
    expect(code).toBe(0);
    const der = readFileSync(path);
    const ours = parseCertificate(der);
    const nodes = new X509Certificate(der);
    expect(ours.serialNumber.toString('hex').replace(/^00/, '').toUpperCase()).toBe(nodes.serialNumber);
    expect(ours.fingerprint).toBe(nodes.fingerprint256.replaceAll(':', '').toLowerCase());
    expect(ours.notBefore).toEqual(nodes.validFromDate);
    expect(ours.notAfter).toEqual(nodes.validToDate);
    expect(ours.subjectAttributes.map(({ type, value }) => `${type}=${value}`).join('\n')).toBe(nodes.subject);
    expect(ours.commonName).toBe('José da Silva');
    expect(ours.isCertificateAuthority).toBe(true);
    expect(ours.keyUsage).toEqual([0, 1]);
    expect(ours.extendedKeyUsage).toEqual(nodes.keyUsage);
    expect(ours.publicKey().equals(nodes.publicKey)).toBe(true);
    expect(ours.publicKeyAlgorithm).toBe(Oid.rsaEncryption);
    expect(ours.subjectKeyIdentifier).toEqual(ours.authorityKeyIdentifier);
    expect(ours.issuer).toEqual(ours.subject);
    expect(ours.extensions.get(Oid.keyUsage)?.critical).toBe(true);
  });
});

describe('parseCertificate › odd certificates', () => {
  it.each([
    ['a padded serial number, kept as it stands', { serialNumber: Buffer.from('02020005', 'hex') }],
    ['a negative serial number, kept as it stands', { serialNumber: Buffer.from('02028001', 'hex') }],
    ['a time without seconds', { notBefore: derElement(Tag.utcTime, Buffer.from('2601010000Z')) }],
    [
      'damaged UTF-8 in a name',
      { subject: nameOf([Oid.commonName, derElement(Tag.utf8String, Buffer.from('ff53', 'hex'))]) },
    ],
    ['no extensions', {}],
    ['an empty list of extensions', { extensions: [] }],
  ])('reads %s', (_, parts) => {
    const der = certificateWith(parts);
    const certificate = parseCertificate(der);
    const serialNumber = readDer(der).child(0, '').child(1, '').content;
    expect(certificate.serialNumber).toEqual(serialNumber);
    expect(certificate.notBefore).toEqual(new Date('2026-01-01'));
    expect(certificate.notAfter).toEqual(new Date('2050-01-01'));
    expect(certificate.commonName).not.toBe('');
    expect(certificate.publicKey().asymmetricKeyType).toBe('ec');
  });

  it.each([
    ['its last common name', nameOf([Oid.commonName, derUtf8String('A')], [Oid.commonName, derUtf8String('B')]), 'B'],
    ['its organization', nameOf([Oid.organizationName, derUtf8String('Org')]), 'Org'],
    [
      'its unit, where that comes last',
      nameOf([Oid.organizationName, derUtf8String('Org')], [Oid.organizationalUnitName, derUtf8String('Unit')]),
      'Unit',
    ],
    ['its serial number', nameOf([Oid.commonName, derUtf8String('  ')]), '05'],
    ['a BMPString', nameOf([Oid.commonName, derElement(Tag.bmpString, Buffer.from('004a00e9', 'hex'))]), 'Jé'],
    ['the hex of what is no string', nameOf([Oid.commonName, derInteger(7)]), '#020107'],
  ])('is called by %s', (_, subject, name) => {
    expect(parseCertificate(certificateWith({ subject })).commonName).toBe(name);
  });

  it('takes both attributes of a relative name with two', () => {
    const relativeName = derSetOf(
      derSequence(derOid(Oid.commonName), derUtf8String('Name')),
      derSequence(derOid(Oid.serialNumber), derUtf8String('123')),
    );
    const { subjectAttributes } = parseCertificate(certificateWith({ subject: derSequence(relativeName) }));
    expect(subjectAttributes.map(({ type }) => type).sort()).toEqual(['CN', 'serialNumber']);
  });

  it('gives the fingerprint of the bytes, and slices of its bytes', () => {
    const der = certificateWith({});
    const certificate = parseCertificate(der);
    expect(certificate.fingerprint).toBe(createHash('sha256').update(der).digest('hex'));
    expect(certificate.issuer.buffer).toBe(certificate.der.buffer);
  });

  it('is an authority only by its own statement', () => {
    const constraints = (value: Buffer): Parts => ({ extensions: [derExtension(Oid.basicConstraints, true, value)] });
    const isAuthority = (value: Buffer): boolean =>
      parseCertificate(certificateWith(constraints(value))).isCertificateAuthority;
    expect(isAuthority(derSequence(derBoolean(true)))).toBe(true);
    expect(isAuthority(derSequence(derBoolean(false)))).toBe(false);
    expect(isAuthority(derSequence())).toBe(false);
  });
});

describe('parseCertificate › other data than a certificate', () => {
  const twice = derExtension(Oid.keyUsage, true, Buffer.from('03020780', 'hex'));

  it.each([
    ['nothing', Buffer.alloc(0)],
    ['text', Buffer.from('-----BEGIN CERTIFICATE-----')],
    ['another structure', derSequence(derNull())],
    ['a certificate that is cut off', certificateWith({}).subarray(0, -1)],
    ['something behind the certificate', Buffer.concat([certificateWith({}), Buffer.of(0)])],
    ['an empty serial number', certificateWith({ serialNumber: Buffer.from('0200', 'hex') })],
    ['an extension that stands there twice', certificateWith({ extensions: [twice, twice] })],
    ['an extension that is damaged', certificateWith({ extensions: [derExtension(Oid.keyUsage, true, Buffer.of(3))] })],
    ['a time that is none', certificateWith({ notBefore: derOctetString(Buffer.alloc(3)) })],
  ])('refuses %s', (_, input) => {
    expect(() => parseCertificate(input)).toThrow(
      expect.objectContaining({ name: 'SigningError', code: 'CERTIFICATE_MALFORMED' }) as Error,
    );
  });

  it('reads a certificate with an unknown kind of key, and refuses the key on request', () => {
    const unknownKey = derSequence(derSequence(derOid('1.2.3.4')), derBitString(Buffer.alloc(8)));
    const certificate = parseCertificate(certificateWith({ publicKeyInfo: unknownKey }));
    expect(certificate.publicKeyAlgorithm).toBe('1.2.3.4');
    expect(() => certificate.publicKey()).toThrow(expect.objectContaining({ code: 'CERTIFICATE_MALFORMED' }) as Error);
  });

  it('reads the certificates of the test identities', () => {
    const { certificate } = makeTestIdentity({ name: 'Root', key });
    expect(parseCertificate(certificate)).toMatchObject({ commonName: 'Root', isCertificateAuthority: true });
  });

  it('parses equal bytes of several holders once, and keeps no reference to the bytes', () => {
    const input = certificateWith({});
    const first = parseCertificate(input);
    expect(parseCertificate(Buffer.concat([Buffer.alloc(5), input]).subarray(5))).toBe(first);
    const whole = Buffer.from(input);
    input.fill(0);
    expect(first.der.equals(whole)).toBe(true);
    expect(first.publicKey()).toBe(parseCertificate(whole).publicKey());
  });

  it('tells certificates apart that were made to end alike', () => {
    const one = certificateWith({ serialNumber: derInteger(1) });
    const other = certificateWith({ serialNumber: derInteger(2) });
    expect(one.subarray(-48)).toEqual(other.subarray(-48));
    for (const der of [one, other, one]) expect(parseCertificate(der).der.equals(der)).toBe(true);
  });
});
