import { createPrivateKey, createPublicKey } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseCertificate, readIcpBrasilIdentity } from '../../src/signing/index.ts';
import {
  createTestAuthority,
  issueTestCompany,
  issueTestPerson,
  type TestAuthority,
  type TestIdentity,
  type TestKeyKind,
} from '../../src/test-authority/index.ts';
import { COMPANY_CNPJ, JOAO_CPF, MARIA_CPF, authorityWith, companyWith, personWith } from '../pki/identities.ts';
import { openssl, pem } from '../pki/openssl.ts';
import { inFreshFolder } from '../pki/pkcs12-files.ts';

const MARIA = {
  name: 'MARIA DE TESTE',
  cpf: MARIA_CPF,
  birthDate: '1980-02-29',
  nis: '12345678919',
  rg: { number: '123456789', issuer: 'SSP', state: 'SP' },
  voterId: { number: '123456789012', zone: '123', section: '0045', municipality: 'SAO PAULO', state: 'SP' },
  cei: '123456789012',
  email: 'maria@teste.example',
} as const;

/** The output of `openssl verify` for the certificate below this authority, with all its rules enabled. */
function verifyWithOpenssl(authority: TestAuthority, { certificate }: TestIdentity): Promise<string> {
  return inFreshFolder(async (folder) => {
    await writeFile(join(folder, 'root.pem'), pem('CERTIFICATE', authority.root.certificate));
    await writeFile(join(folder, 'issuing.pem'), pem('CERTIFICATE', authority.issuing.certificate));
    await writeFile(join(folder, 'certificate.pem'), pem('CERTIFICATE', certificate));
    const rules = ['-x509_strict', '-check_ss_sig', '-purpose', 'smimesign'];
    const files = ['-CAfile', 'root.pem', '-untrusted', 'issuing.pem', 'certificate.pem'];
    return openssl(['verify', ...rules, ...files], { folder });
  });
}

/** The certificate, shown by openssl. */
function describeWithOpenssl(certificate: Buffer): Promise<string> {
  return inFreshFolder(async (folder) => {
    await writeFile(join(folder, 'certificate.pem'), pem('CERTIFICATE', certificate));
    return openssl(['x509', '-noout', '-text', '-in', 'certificate.pem'], { folder });
  });
}

describe('createTestAuthority', () => {
  it.each<TestKeyKind>(['rsa-2048', 'ec-p256', 'ec-p384', 'ec-p521', 'ed25519'])(
    "makes a chain with %s keys, accepted by openssl's strict rules",
    async (keyKind) => {
      const authority = await authorityWith(keyKind);
      const person = await issueTestPerson(authority, { ...MARIA, keyKind });
      expect(await verifyWithOpenssl(authority, person)).toContain('certificate.pem: OK');
      expect(person.chain).toEqual([authority.issuing.certificate, authority.root.certificate]);
      const key = createPrivateKey({ key: person.privateKey, format: 'der', type: 'pkcs8' });
      expect(createPublicKey(key).equals(parseCertificate(person.certificate).publicKey())).toBe(true);
    },
  );

  it('tells its lack of legal value in every name', async () => {
    const authority = await createTestAuthority({ keyKind: 'ec-p256', label: 'Dois' });
    for (const { certificate } of [authority.root, authority.issuing]) {
      const { commonName, subjectAttributes } = parseCertificate(certificate);
      expect(commonName).toMatch(/^AC (Raiz|Emissora) de Teste Dois SEM VALOR LEGAL$/);
      expect(subjectAttributes.map(({ value }) => value)).toContain('SEM VALOR LEGAL');
    }
    const person = parseCertificate((await personWith()).certificate);
    expect(person.subjectAttributes.map(({ value }) => value)).toContain('SEM VALOR LEGAL');
  });

  it('points to nothing unless told where', async () => {
    const { certificate } = await personWith();
    const { extensions } = parseCertificate(certificate);
    expect([...extensions.keys()]).not.toContain('2.5.29.31');
    expect([...extensions.keys()]).not.toContain('1.3.6.1.5.5.7.1.1');
  });

  it('points to the given lists and services', async () => {
    const base = 'http://127.0.0.1:2560';
    const urls = { crl: [`${base}/a.crl`, `${base}/b.crl`], ocsp: `${base}/ocsp`, issuer: `${base}/issuer.cer` };
    const authority = await createTestAuthority({ keyKind: 'ec-p256', urls });
    const person = await issueTestPerson(authority, { ...MARIA, keyKind: 'ec-p256' });
    expect(await verifyWithOpenssl(authority, person)).toContain('OK');
    const text = await describeWithOpenssl(person.certificate);
    for (const url of urls.crl) expect(text).toContain(`URI:${url}\n`);
    expect(text).toContain(`OCSP - URI:${urls.ocsp}\n`);
    expect(text).toContain(`CA Issuers - URI:${urls.issuer}\n`);
  });

  it('works again from its stored parts', async () => {
    const authority = await authorityWith();
    const stored = structuredClone({ root: authority.root, issuing: authority.issuing, urls: authority.urls });
    const revived = {
      root: { ...stored.root, privateKey: Buffer.from(stored.root.privateKey) },
      issuing: { ...stored.issuing, privateKey: Buffer.from(stored.issuing.privateKey) },
      urls: stored.urls,
    } as TestAuthority;
    const person = await issueTestPerson(revived, { ...MARIA, keyKind: 'ec-p256' });
    expect(await verifyWithOpenssl(authority, person)).toContain('OK');
  });
});

describe('issueTestPerson', () => {
  it('writes names readable for the reader of ICP-Brasil names', async () => {
    const { certificate } = await personWith(MARIA);
    expect(parseCertificate(certificate).commonName).toBe(`MARIA DE TESTE:${MARIA_CPF}`);
    const identity = readIcpBrasilIdentity(parseCertificate(certificate));
    expect({ ...identity, name: MARIA.name }).toEqual({ kind: 'person', ...MARIA });
  });

  it('writes the fields at the widths of DOC-ICP-04, in an uncritical extension', async () => {
    const { extensions } = parseCertificate((await personWith(MARIA)).certificate);
    const names = extensions.get('2.5.29.17')!;
    expect(names.critical).toBe(false);
    const shown = names.value.toString('latin1');
    expect(shown).toContain(`29021980${MARIA_CPF}12345678919000000123456789SSPSP`);
    expect(shown).toContain('1234567890121230045SAO PAULOSP');
  });

  it('fills missing fields with zeros, read as absent', async () => {
    const { certificate } = await personWith();
    expect(readIcpBrasilIdentity(parseCertificate(certificate))).toEqual({ kind: 'person', cpf: MARIA_CPF });
    const shown = parseCertificate(certificate).extensions.get('2.5.29.17')!.value.toString('latin1');
    expect(shown).toContain(`00000000${MARIA_CPF}${'0'.repeat(11 + 15)}`);
  });

  it('has the usage, purposes and policy of a signing certificate', async () => {
    for (const [type, policy] of [['A1', '2.16.76.1.2.1.'] as const, ['A3', '2.16.76.1.2.3.'] as const]) {
      const { certificate } = await personWith({ type });
      const { keyUsage, extendedKeyUsage, isCertificateAuthority, serialNumber } = parseCertificate(certificate);
      expect(keyUsage).toEqual([0, 1]);
      expect(extendedKeyUsage).toEqual(['1.3.6.1.5.5.7.3.2', '1.3.6.1.5.5.7.3.4']);
      expect(isCertificateAuthority).toBe(false);
      expect(serialNumber).toHaveLength(16);
      const text = await describeWithOpenssl(certificate);
      expect(text).toContain(`Policy: ${policy}`);
      expect(text).toContain('CPS: http://127.0.0.1/');
    }
  });

  it('keeps accents in the name, cuts off a long name, and removes punctuation from the CPF', async () => {
    const name = 'José da Conceição de Alcântara Francisco António João Carlos Leopoldo';
    const { certificate } = await personWith({ name, cpf: '529.982.247-25' });
    const { commonName } = parseCertificate(certificate);
    expect(commonName).toHaveLength(64);
    expect(commonName).toBe(`${name.slice(0, 52)}:${MARIA_CPF}`);
  });

  it('is valid for the given time', async () => {
    const notBefore = new Date('2020-01-01T00:00:00Z');
    const notAfter = new Date('2051-01-01T00:00:00Z');
    const certificate = parseCertificate((await personWith({ notBefore, notAfter })).certificate);
    expect(certificate.notBefore).toEqual(notBefore);
    expect(certificate.notAfter).toEqual(notAfter);
  });

  it.each([
    ['a CPF with a wrong check digit', { cpf: '52998224724' }, 'TAXPAYER_NUMBER_INVALID'],
    ['a CPF of equal digits', { cpf: '11111111111' }, 'TAXPAYER_NUMBER_INVALID'],
    ['a day that does not exist', { birthDate: '1981-02-29' }, 'FIELD_INVALID'],
    ['a date in another order', { birthDate: '29/02/1980' }, 'FIELD_INVALID'],
    ['a NIS that is too long', { nis: '123456789012' }, 'FIELD_INVALID'],
    ['letters in a voter id', { voterId: { ...MARIA.voterId, number: 'ABC' } }, 'FIELD_INVALID'],
    [
      'a municipality that is too long',
      { voterId: { ...MARIA.voterId, municipality: 'X'.repeat(21) } },
      'FIELD_INVALID',
    ],
    ['an issuer of the RG that is too long', { rg: { ...MARIA.rg, issuer: 'ABCDEFGHI' } }, 'FIELD_INVALID'],
    ['an e-mail address with accents', { email: 'joão@teste.example' }, 'FIELD_INVALID'],
    ['an empty name', { name: '  ' }, 'FIELD_INVALID'],
  ])('refuses %s, and repeats no number in full', async (_what, change, code) => {
    const error: unknown = await personWith({ ...MARIA, ...change }).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ name: 'TestAuthorityError', code });
    expect(String(error)).not.toMatch(/\d{6}/);
  });
});

describe('issueTestCompany', () => {
  it('writes names readable for the reader of ICP-Brasil names, with letters in the CNPJ', async () => {
    const responsible = { name: 'João de Teste', cpf: JOAO_CPF, birthDate: '1970-12-31' };
    const { certificate } = await companyWith({ responsible, cnpj: '12.abc.345/01de-35', cei: '123456789012' });
    expect(parseCertificate(certificate).commonName).toBe(`EMPRESA DE TESTE:${COMPANY_CNPJ}`);
    expect(readIcpBrasilIdentity(parseCertificate(certificate))).toEqual({
      kind: 'company',
      birthDate: '1970-12-31',
      cpf: JOAO_CPF,
      cnpj: COMPANY_CNPJ,
      companyName: 'EMPRESA DE TESTE',
      responsibleName: 'JOAO DE TESTE',
      cei: '123456789012',
    });
    expect(await verifyWithOpenssl(await authorityWith(), await companyWith())).toContain('OK');
  });

  it('takes a CNPJ of digits too, and refuses wrong check digits', async () => {
    const authority = await authorityWith();
    const responsible = { name: 'JOAO', cpf: JOAO_CPF };
    const request = { name: 'EMPRESA', responsible, keyKind: 'ec-p256' } as const;
    const { certificate } = await issueTestCompany(authority, { ...request, cnpj: '33837169000150' });
    expect(readIcpBrasilIdentity(parseCertificate(certificate))).toMatchObject({ cnpj: '33837169000150' });
    await expect(issueTestCompany(authority, { ...request, cnpj: '12ABC34501DE36' })).rejects.toMatchObject({
      code: 'TAXPAYER_NUMBER_INVALID',
    });
  });
});
