import { describe, expect, it } from 'vitest';
import { parseCertificate, readIcpBrasilIdentity, type IcpBrasilIdentity } from '../../../src/signing/index.ts';
import { Oid } from '../../../src/signing/der/oids.ts';
import { Tag } from '../../../src/signing/der/reader.ts';
import {
  derContext,
  derElement,
  derOctetString,
  derOid,
  derPrimitiveContext,
  derPrintableString,
  derSequence,
  derUtf8String,
} from '../../../src/signing/der/writer.ts';
import { KEY_KINDS, derExtension, makeTestIdentity } from '../cms/test-identities.ts';

const key = KEY_KINDS.Ed25519();

/** An other name: the type and the value behind its explicit tag. */
const otherName = (type: string, value: Buffer): Buffer => derContext(0, derOid(type), derContext(0, value));
const bytes = (text: string): Buffer => derOctetString(Buffer.from(text, 'latin1'));

function identityOf(
  names: readonly Buffer[],
  commonName = 'NOME',
  others: readonly Buffer[] = [],
): IcpBrasilIdentity | undefined {
  const extensions = [derExtension(Oid.subjectAlternativeName, false, derSequence(...names)), ...others];
  return readIcpBrasilIdentity(parseCertificate(makeTestIdentity({ name: commonName, key, extensions }).certificate));
}

const person = (text: string): IcpBrasilIdentity | undefined =>
  identityOf([otherName(Oid.icpBrasilPerson, bytes(text))]);

/** birth date 8, CPF 11, NIS 11, RG 15, issuer and state. */
const BORN = '15031980';
const CPF = '52998224725';
const NO_NIS = '00000000000';
const NIS = '12345678901';
const RG = '000000123456789';
const NO_RG = '000000000000000';

describe('readIcpBrasilIdentity › a person', () => {
  it.each<[string, string, Omit<IcpBrasilIdentity, 'kind'>]>([
    [
      'everything',
      `${BORN}${CPF}${NIS}${RG}SSPSP`,
      { birthDate: '1980-03-15', cpf: CPF, nis: NIS, rg: { number: '123456789', issuer: 'SSP', state: 'SP' } },
    ],
    ['no NIS and no RG', `${BORN}${CPF}${NO_NIS}${NO_RG}`, { birthDate: '1980-03-15', cpf: CPF }],
    [
      'no RG, though its issuer is filled',
      `${BORN}${CPF}${NIS}${NO_RG}SSPSP`,
      { birthDate: '1980-03-15', cpf: CPF, nis: NIS },
    ],
    [
      'an issuer of ten characters',
      `${BORN}${CPF}${NIS}${RG}DETRANRJRJ`,
      { birthDate: '1980-03-15', cpf: CPF, nis: NIS, rg: { number: '123456789', issuer: 'DETRANRJ', state: 'RJ' } },
    ],
    [
      'an issuer of the older six characters, padded',
      `${BORN}${CPF}${NIS}${RG}SSPSP `,
      { birthDate: '1980-03-15', cpf: CPF, nis: NIS, rg: { number: '123456789', issuer: 'SSP', state: 'SP' } },
    ],
    [
      'an issuer without a state that ends like one',
      `${BORN}${CPF}${NIS}${RG}SSP`,
      { birthDate: '1980-03-15', cpf: CPF, nis: NIS, rg: { number: '123456789', issuer: 'SSP' } },
    ],
    [
      'a state alone',
      `${BORN}${CPF}${NIS}${RG}MG`,
      { birthDate: '1980-03-15', cpf: CPF, nis: NIS, rg: { number: '123456789', state: 'MG' } },
    ],
    [
      'no issuer, and an RG with a letter',
      `${BORN}${CPF}${NO_NIS}00000012345678X`,
      { birthDate: '1980-03-15', cpf: CPF, rg: { number: '12345678X' } },
    ],
    ['a birth date of zeros', `00000000${CPF}${NO_NIS}${NO_RG}`, { cpf: CPF }],
    ['a birth date that is no day', `31021980${CPF}${NO_NIS}${NO_RG}`, { cpf: CPF }],
    ['a CPF of zeros', `${BORN}00000000000${NO_NIS}${NO_RG}`, { birthDate: '1980-03-15' }],
    ['a text that is cut off in the CPF', `${BORN}5299822472`, { birthDate: '1980-03-15' }],
    ['a text that is cut off in the RG', `${BORN}${CPF}${NIS}1234`, { birthDate: '1980-03-15', cpf: CPF, nis: NIS }],
    ['nothing at all', '', {}],
  ])('with %s', (_, text, identity) => {
    expect(person(text)).toEqual({ kind: 'person', ...identity });
  });

  const text = `${BORN}${CPF}${NO_NIS}${NO_RG}`;

  it.each([
    ['OCTET STRING', bytes(text)],
    ['PrintableString', derPrintableString(text)],
    ['UTF8String', derUtf8String(text)],
    ['IA5String', derElement(Tag.ia5String, Buffer.from(text))],
    ['OCTET STRING behind one more tag', derContext(0, bytes(text))],
    ['PrintableString behind two more tags', derContext(0, derContext(0, derPrintableString(text)))],
  ])('whose data is a %s', (_, value) => {
    expect(identityOf([otherName(Oid.icpBrasilPerson, value)])).toMatchObject({ kind: 'person', cpf: CPF });
  });

  it('with voter id, CEI and e-mail address', () => {
    const identity = identityOf([
      derPrimitiveContext(1, Buffer.from('pessoa@exemplo.com.br')),
      otherName(Oid.icpBrasilPerson, bytes(text)),
      otherName(Oid.icpBrasilVoterId, bytes('0123456789120010123SAO PAULOSP')),
      otherName(Oid.icpBrasilPersonCei, bytes('123456789012')),
    ]);
    expect(identity).toEqual({
      kind: 'person',
      birthDate: '1980-03-15',
      cpf: CPF,
      voterId: { number: '012345678912', zone: '001', section: '0123', municipality: 'SAO PAULO', state: 'SP' },
      cei: '123456789012',
      email: 'pessoa@exemplo.com.br',
    });
  });

  it('with numbers of zeros in every optional name', () => {
    const identity = identityOf([
      otherName(Oid.icpBrasilPerson, bytes(text)),
      otherName(Oid.icpBrasilVoterId, bytes('0'.repeat(19))),
      otherName(Oid.icpBrasilPersonCei, bytes('0'.repeat(12))),
    ]);
    expect(identity).toEqual({ kind: 'person', birthDate: '1980-03-15', cpf: CPF });
  });
});

describe('readIcpBrasilIdentity › a company', () => {
  it('with its responsible person and a CNPJ with letters', () => {
    const identity = identityOf(
      [
        otherName(Oid.icpBrasilResponsible, bytes(`${BORN}${CPF}${NO_NIS}${NO_RG}`)),
        otherName(Oid.icpBrasilResponsibleName, derPrintableString('MARIA DA SILVA')),
        otherName(Oid.icpBrasilCnpj, bytes('12ABC34501DE35')),
        otherName(Oid.icpBrasilCompanyCei, bytes('000000000000')),
      ],
      'EMPRESA EXEMPLO LTDA:12ABC34501DE35',
    );
    expect(identity).toEqual({
      kind: 'company',
      birthDate: '1980-03-15',
      cpf: CPF,
      cnpj: '12ABC34501DE35',
      companyName: 'EMPRESA EXEMPLO LTDA',
      responsibleName: 'MARIA DA SILVA',
    });
  });

  it('whose equipment the certificate is for', () => {
    const identity = identityOf([
      otherName(Oid.icpBrasilCompanyName, derUtf8String('EMPRESA EXEMPLO LTDA')),
      otherName(Oid.icpBrasilCnpj, bytes('33837169000150')),
      otherName(Oid.icpBrasilResponsibleName, bytes('MARIA DA SILVA')),
      otherName(Oid.icpBrasilResponsible, bytes(`${BORN}${CPF}${NO_NIS}${NO_RG}`)),
    ]);
    expect(identity).toMatchObject({
      kind: 'equipment',
      cnpj: '33837169000150',
      companyName: 'EMPRESA EXEMPLO LTDA',
      responsibleName: 'MARIA DA SILVA',
    });
  });
});

describe('readIcpBrasilIdentity › an electronic seal', () => {
  const sealOf = (policy: string, number: string): IcpBrasilIdentity | undefined => {
    const policies = derExtension(Oid.certificatePolicies, false, derSequence(derSequence(derOid(policy))));
    const subject = [
      [Oid.commonName, 'EMPRESA EXEMPLO LTDA'],
      [Oid.serialNumber, number],
    ] as const;
    const { certificate } = makeTestIdentity({ name: 'unused', key, subject, extensions: [policies] });
    return readIcpBrasilIdentity(parseCertificate(certificate));
  };

  it.each([`${Oid.icpBrasilSealSoftware}.1`, `${Oid.icpBrasilSealHardware}.12`])(
    'names its company in the serial number of its subject, policy %s',
    (policy) => {
      expect(sealOf(policy, '12ABC34501DE35')).toEqual({
        kind: 'company',
        cnpj: '12ABC34501DE35',
        companyName: 'EMPRESA EXEMPLO LTDA',
      });
    },
  );

  it.each([
    ['the policy of another kind of certificate', '2.16.76.1.2.3.1', '12ABC34501DE35'],
    ['a policy that only begins alike', '2.16.76.1.2.2011.1', '12ABC34501DE35'],
    ['a serial number that is no CNPJ', `${Oid.icpBrasilSealSoftware}.1`, '123'],
  ])('is none with %s', (_, policy, number) => {
    expect(sealOf(policy, number)).toBeUndefined();
  });
});

describe('readIcpBrasilIdentity › certificates without such names', () => {
  it('answers nothing where there is no alternative name, or none of these', () => {
    const { certificate } = makeTestIdentity({ name: 'Nobody', key });
    expect(readIcpBrasilIdentity(parseCertificate(certificate))).toBeUndefined();
    expect(identityOf([derPrimitiveContext(1, Buffer.from('a@b'))])).toBeUndefined();
    expect(identityOf([otherName('1.3.6.1.4.1.311.20.2.3', derUtf8String('login@domain'))])).toBeUndefined();
  });

  it('answers nothing where the alternative name is damaged', () => {
    const damaged = derExtension(Oid.subjectAlternativeName, false, Buffer.from('3005a003', 'hex'));
    const { certificate } = makeTestIdentity({ name: 'Damaged', key, extensions: [damaged] });
    expect(readIcpBrasilIdentity(parseCertificate(certificate))).toBeUndefined();
  });
});
