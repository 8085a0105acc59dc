import { createHash, X509Certificate } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { describeCertificate, policyKind } from '../../../src/service/certificates/describe-certificate.ts';
import type { CertificateEntry } from '../../../src/service/certificates/certificate-entry.ts';
import {
  derBitString,
  derContext,
  derInteger,
  derOctetString,
  derOid,
  derPrimitiveContext,
  derSequence,
  derSetOf,
  derTime,
  derUtf8String,
  Oid,
  parseCertificate,
} from '../../../src/signing/index.ts';
import { authorityWith, companyWith, COMPANY_CNPJ, JOAO_CPF, MARIA_CPF, personWith } from '../../pki/identities.ts';

const good = { status: true, code: 0, message: '' };

function described(der: Uint8Array, issuer?: Uint8Array): CertificateEntry['certificate'] {
  const findings = { date: good, crl: good, trust: { ...good, chain: '' } };
  const above = { issuer: issuer === undefined ? undefined : parseCertificate(issuer) };
  return describeCertificate(parseCertificate(der), { findings, path: [], ...above }).certificate;
}

describe('describeCertificate › a person', () => {
  it('tells every documented field in its documented form, as read by Node', async () => {
    const maria = await personWith({
      birthDate: '1980-05-17',
      email: 'maria@example.com',
      nis: '12345678901',
      rg: { number: '123456789', issuer: 'DETRAN', state: 'RJ' },
      voterId: { number: '12345678', zone: '012', section: '0345', municipality: 'SAO PAULO', state: 'SP' },
      cei: '123456789012',
      type: 'A3',
    });
    const [issuer] = maria.chain;
    const node = new X509Certificate(maria.certificate);
    const issuerNode = new X509Certificate(issuer!);
    const one = described(maria.certificate, issuer);
    expect(one).toMatchObject({
      version: 'v3',
      cn: `MARIA DE TESTE:${MARIA_CPF}`,
      basicConstraints: { cA: false },
      keyUsage: ['digitalSignature', 'nonRepudiation'],
      extKeyUsage: ['id-kp-clientAuth', 'id-kp-emailProtection'],
      algorithm: 'ecdsa-with-SHA256',
      policy: { oid: '2.16.76.1.2.3.999999', dpc: 'http://127.0.0.1/dpc-de-teste.pdf', type: 'A3' },
      serialNumberHex: node.serialNumber,
      fingerprint: node.fingerprint.replaceAll(':', '').toLowerCase(),
      fingerprint_sha256: node.fingerprint256.replaceAll(':', '').toLowerCase(),
    });
    expect(one.dn).toBe(node.subject.replaceAll('\n', ', '));
    expect(one.validity.notAfter).toMatch(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\+0000$/);
    expect(Date.parse(one.validity.notAfter)).toBe(Date.parse(node.validTo));
    expect(Date.parse(one.validity.notBefore)).toBe(Date.parse(node.validFrom));
    expect(one.publicKey).toEqual({
      algorithm: 'EC',
      bits: 256,
      pem: node.publicKey.export({ format: 'pem', type: 'spki' }),
    });
    const bits = node.publicKey.export({ format: 'der', type: 'spki' }).subarray(-65);
    expect(one.keyIdentifier).toBe(createHash('sha1').update(bits).digest('base64'));
    expect(one.issuer).toMatchObject({
      dn: issuerNode.subject.replaceAll('\n', ', '),
      fingerprint: issuerNode.fingerprint.replaceAll(':', '').toLowerCase(),
      keyIdentifier: described(issuer!).keyIdentifier,
    });
    expect(maria.certificate.subarray(-Buffer.from(one.signature, 'base64').length)).toEqual(
      Buffer.from(one.signature, 'base64'),
    );
    expect(one.subject).toEqual({
      email: 'maria@example.com',
      dataNascimento: '1980-05-17',
      cpf: MARIA_CPF,
      nis: '12345678901',
      rg: { numero: '123456789', emissor: 'DETRAN', uf: 'RJ' },
      cei: '123456789012',
      tituloEleitor: { numero: '000012345678', zona: '012', secao: '0345', municipio: 'SAO PAULO', uf: 'SP' },
      cnpj: null,
      razaoSocial: null,
      responsavel: null,
    });
  });

  it('shows all-zero numbers as null', async () => {
    const { subject } = described((await personWith()).certificate);
    expect(subject).toMatchObject({
      cpf: MARIA_CPF,
      nis: null,
      cei: null,
      email: null,
      dataNascimento: null,
      rg: { numero: null, emissor: null, uf: null },
      tituloEleitor: { numero: null, zona: null, secao: null, municipio: null, uf: null },
    });
  });
});

describe('describeCertificate › a company', () => {
  it('tells its CNPJ with letters, its name, and its responsible', async () => {
    const { subject, policy } = described((await companyWith()).certificate);
    expect(subject).toMatchObject({
      cnpj: COMPANY_CNPJ,
      razaoSocial: 'EMPRESA DE TESTE',
      responsavel: 'JOAO DE TESTE',
      cpf: JOAO_CPF,
    });
    expect(policy.type).toBe('A1');
  });
});

describe('describeCertificate › an authority', () => {
  it('may issue certificates, and has no holder', async () => {
    const { root } = await authorityWith();
    const one = described(root.certificate);
    expect(one).toMatchObject({
      basicConstraints: { cA: true },
      keyUsage: ['keyCertSign', 'cRLSign'],
      extKeyUsage: [],
      policy: { oid: null, dpc: null, name: null, type: null },
      subject: { cpf: null, cnpj: null },
      issuer: { fingerprint: null, crl: [], aia: null },
    });
  });
});

const text = (value: string): Buffer => Buffer.from(value, 'latin1');
const name = (value: string): Buffer =>
  derSequence(derSetOf(derSequence(derOid(Oid.commonName), derUtf8String(value))));
const extension = (oid: string, value: Uint8Array): Buffer => derSequence(derOid(oid), derOctetString(value));

interface OddParts {
  readonly serialNumber?: Buffer;
  readonly key?: Buffer;
  readonly extensions?: readonly Buffer[];
}

const unknownKey = derSequence(derSequence(derOid('1.3.6.1.4.1.44588.2.1')), derBitString(Buffer.alloc(10)));

function oddCertificate({ serialNumber, key = unknownKey, extensions = [] }: OddParts): Buffer {
  const algorithm = derSequence(derOid('1.3.6.1.4.1.44588.2.1'));
  const body = derSequence(
    derContext(0, derInteger(2)),
    serialNumber ?? derInteger(5),
    algorithm,
    name('Emissor, o "Primeiro"'),
    derSequence(derTime(new Date('2020-01-02T03:04:05Z')), derTime(new Date('2050-01-02T03:04:05Z'))),
    name('Titular'),
    key,
    ...(extensions.length === 0 ? [] : [derContext(3, derSequence(...extensions))]),
  );
  return derSequence(body, algorithm, derBitString(Buffer.alloc(3, 7)));
}

describe('describeCertificate › an odd certificate', () => {
  it('describes a key refused by Node, by its object identifier', () => {
    const der = oddCertificate({});
    expect(() => new X509Certificate(der).publicKey).toThrow();
    expect(described(der)).toMatchObject({
      algorithm: '1.3.6.1.4.1.44588.2.1',
      publicKey: { algorithm: '1.3.6.1.4.1.44588.2.1', bits: null },
      issuer: { dn: 'CN=Emissor\\, o \\"Primeiro\\"' },
      validity: { notBefore: '2020-01-02T03:04:05+0000', notAfter: '2050-01-02T03:04:05+0000' },
    });
  });

  it('tells the length of a curve given by explicit parameters', () => {
    const prime = derInteger(Buffer.concat([Buffer.from([0xaa]), Buffer.alloc(63, 1)]));
    const curve = derSequence(derInteger(1), derSequence(derOid('1.2.840.10045.1.1'), prime));
    const key = derSequence(derSequence(derOid(Oid.ecPublicKey), curve), derBitString(Buffer.alloc(129, 4)));
    expect(described(oddCertificate({ key })).publicKey).toMatchObject({ algorithm: 'EC', bits: 512 });
  });

  it('reads addresses with spaces behind them, and leaves out invalid addresses', () => {
    const point = (url: string): Buffer => derSequence(derContext(0, derContext(0, derPrimitiveContext(6, text(url)))));
    const points = derSequence(
      point('http://lcr.example/a.crl '),
      point('ldap://x/y'),
      point('http://b.example/b.crl'),
    );
    const access = derSequence(
      derSequence(derOid('1.3.6.1.5.5.7.48.2'), derPrimitiveContext(6, text('http://c/d.p7b '))),
    );
    const extensions = [extension('2.5.29.31', points), extension('1.3.6.1.5.5.7.1.1', access)];
    expect(described(oddCertificate({ extensions })).issuer).toMatchObject({
      crl: ['http://lcr.example/a.crl', 'http://b.example/b.crl'],
      aia: 'http://c/d.p7b',
    });
  });

  it('shows damaged policies and names as absent', () => {
    const broken = Buffer.from('3003020101', 'hex');
    const extensions = [extension(Oid.certificatePolicies, broken), extension(Oid.subjectAlternativeName, broken)];
    expect(described(oddCertificate({ extensions }))).toMatchObject({
      policy: { oid: null, type: null },
      subject: { cpf: null, email: null },
    });
  });

  it('prefers the policy with a type among several', () => {
    const policies = derSequence(derSequence(derOid('1.2.3')), derSequence(derOid('2.16.76.1.2.303.4')));
    const extensions = [extension(Oid.certificatePolicies, policies)];
    expect(described(oddCertificate({ extensions })).policy).toMatchObject({ oid: '2.16.76.1.2.303.4', type: 'T3' });
  });
});

describe('policyKind', () => {
  it.each([
    ['2.16.76.1.2.1.133', 'A1'],
    ['2.16.76.1.2.2.1', 'A2'],
    ['2.16.76.1.2.3.7', 'A3'],
    ['2.16.76.1.2.4.1', 'A4'],
    ['2.16.76.1.2.103.1', 'S3'],
    ['2.16.76.1.2.201.1', 'SE-S'],
    ['2.16.76.1.2.303.1', 'T3'],
    ['2.16.76.1.2.304.1', 'T4'],
    ['2.16.76.1.2.30.1', null],
    ['2.16.76.1.1.0', null],
    ['2.16.76.3.2.1.1', null],
    ['1.2.3', null],
  ])('says of %s: %s', (oid, type) => {
    expect(policyKind(oid).type).toBe(type);
  });
});
