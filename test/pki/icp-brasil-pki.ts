/**
 * A PKI like ICP-Brasil's: two roots of different generations, each with an intermediate and an issuing CA, people,
 * companies, services, and every possible fault of a certificate. Made in code, once for each test file.
 */
import { Oid, parseCertificate, readDer } from '../../src/signing/index.ts';
import {
  createTestAuthority,
  issueTestCompany,
  issueTestPerson,
  issueTestResponder,
  issueTestServer,
  issueTestTimestampAuthority,
  writeCrl,
  type TestAuthority,
  type TestAuthorityUrls,
  type TestCrlEntry,
  type TestCrlFields,
  type TestIdentity,
  type TestIssueOptions,
  type TestKeyKind,
} from '../../src/test-authority/index.ts';
import { KeyUsageBit, extendedKeyUsage, keyUsage } from '../../src/test-authority/extensions.ts';
import { TEST_NAME_BASE, issueTestCertificate, privateKeyOf } from '../../src/test-authority/test-authority.ts';
import { writeSigned } from '../../src/test-authority/write-certificate.ts';
import { COMPANY_CNPJ, JOAO_CPF, MARIA_CPF } from './identities.ts';

const DAY = 24 * 60 * 60 * 1000;
const HOUR = DAY / 24;

/** The defect of a certificate requested by a test. */
export type Defect = 'expired' | 'notYetValid' | 'revoked' | 'wrongUsage' | 'wrongSigner';

/** Time stamp authorities to be refused. */
export type TimestampDefect =
  'expired' | 'notYetValid' | 'purposeNotCritical' | 'twoPurposes' | 'otherPurpose' | 'noPurpose' | 'wrongKeyUsage';

/** One root and everything below. */
export interface PkiBranch {
  readonly authority: TestAuthority;
  readonly person: TestIdentity;
  /** CNPJ of digits. */
  readonly company: TestIdentity;
  /** CNPJ with letters. */
  readonly alphanumericCompany: TestIdentity;
  /** TLS server for 127.0.0.1 and localhost. */
  readonly server: TestIdentity;
  readonly timestampAuthority: TestIdentity;
  /** Delegated by the issuing CA. */
  readonly responder: TestIdentity;
  /** People, each with a single defect. */
  readonly defective: Readonly<Record<Defect, TestIdentity>>;
}

/** Both generations: certificates of people are below the older root until their renewal. */
export interface IcpBrasilPki {
  readonly v5: PkiBranch;
  readonly v12: PkiBranch;
}

/** The possible differences of a PKI from the usual PKI. */
export interface PkiOptions {
  /** By default `ec-p256`, quick to make. */
  readonly keyKind?: TestKeyKind;
  readonly urls?: TestAuthorityUrls;
  /** By default there is an intermediate CA. */
  readonly intermediate?: boolean;
}

const EXPIRED: TestIssueOptions = {
  notBefore: new Date(Date.now() - 400 * DAY),
  notAfter: new Date(Date.now() - 30 * DAY),
};
const NOT_YET_VALID: TestIssueOptions = {
  notBefore: new Date(Date.now() + 30 * DAY),
  notAfter: new Date(Date.now() + 400 * DAY),
};

/** A certificate with the right issuer name and key identifier, but signed by an unknown key. */
async function signedByAnother(authority: TestAuthority, keyKind: TestKeyKind): Promise<TestIdentity> {
  const impostor = await createTestAuthority({ keyKind });
  const good = await issueTestPerson(authority, { keyKind, name: 'MARIA FALSA', cpf: MARIA_CPF });
  const body = readDer(good.certificate).child(0, 'the signed part').bytes;
  return { ...good, certificate: writeSigned(privateKeyOf(impostor.issuing), () => body) };
}

/** A certificate with these extensions and nothing else telling its purpose. */
export function identityWithExtensions(
  authority: TestAuthority,
  extensions: readonly Uint8Array[],
  options: TestIssueOptions = {},
): Promise<TestIdentity> {
  const subject = [...TEST_NAME_BASE, [Oid.commonName, 'Certificado de Teste']] as const;
  return issueTestCertificate(authority, { subject, extensions }, { keyKind: 'ec-p256', ...options });
}

/** A time stamp authority with a single defect. */
export function defectiveTimestampAuthority(
  authority: TestAuthority,
  defect: TimestampDefect,
  options: TestIssueOptions = {},
): Promise<TestIdentity> {
  const usage = keyUsage([KeyUsageBit.digitalSignature, KeyUsageBit.nonRepudiation]);
  const clientAuthentication = '1.3.6.1.5.5.7.3.2';
  const withExtensions = (...extensions: Buffer[]): Promise<TestIdentity> =>
    identityWithExtensions(authority, extensions, options);
  switch (defect) {
    case 'expired':
      return issueTestTimestampAuthority(authority, { keyKind: 'ec-p256', ...EXPIRED, ...options });
    case 'notYetValid':
      return issueTestTimestampAuthority(authority, { keyKind: 'ec-p256', ...NOT_YET_VALID, ...options });
    case 'purposeNotCritical':
      return withExtensions(usage, extendedKeyUsage([Oid.timeStamping]));
    case 'twoPurposes':
      return withExtensions(usage, extendedKeyUsage([Oid.timeStamping, clientAuthentication], true));
    case 'otherPurpose':
      return withExtensions(usage, extendedKeyUsage([clientAuthentication], true));
    case 'noPurpose':
      return withExtensions(usage);
    case 'wrongKeyUsage':
      return withExtensions(keyUsage([KeyUsageBit.keyCertSign]), extendedKeyUsage([Oid.timeStamping], true));
  }
}

async function makeDefective(authority: TestAuthority, keyKind: TestKeyKind): Promise<PkiBranch['defective']> {
  const person = (options: TestIssueOptions = {}): Promise<TestIdentity> =>
    issueTestPerson(authority, { keyKind, name: 'MARIA DE TESTE', cpf: MARIA_CPF, ...options });
  const [expired, notYetValid, revoked, wrongUsage, wrongSigner] = await Promise.all([
    person(EXPIRED),
    person(NOT_YET_VALID),
    person(),
    identityWithExtensions(authority, [keyUsage([KeyUsageBit.crlSign])], { keyKind }),
    signedByAnother(authority, keyKind),
  ]);
  return { expired, notYetValid, revoked, wrongUsage, wrongSigner };
}

/** One branch; `label` stands in the names of its CAs. */
export async function pkiBranchWith(label: string, options: PkiOptions = {}): Promise<PkiBranch> {
  const { keyKind = 'ec-p256', urls = {}, intermediate = true } = options;
  const authority = await createTestAuthority({ keyKind, label, urls, intermediate });
  const responsible = { name: 'JOAO DE TESTE', cpf: JOAO_CPF };
  const company = { keyKind, name: 'EMPRESA DE TESTE', responsible };
  return {
    authority,
    person: await issueTestPerson(authority, { keyKind, name: 'MARIA DE TESTE', cpf: MARIA_CPF }),
    company: await issueTestCompany(authority, { ...company, cnpj: '33837169000150' }),
    alphanumericCompany: await issueTestCompany(authority, { ...company, cnpj: COMPANY_CNPJ }),
    server: await issueTestServer(authority, { keyKind, hosts: ['127.0.0.1', 'localhost'] }),
    timestampAuthority: await issueTestTimestampAuthority(authority, { keyKind }),
    responder: await issueTestResponder(authority, { keyKind }),
    defective: await makeDefective(authority, keyKind),
  };
}

let usual: Promise<IcpBrasilPki> | undefined;

/** The PKI of most tests: both branches with an intermediate CA and P-256 keys, the same in a test file. */
export function icpBrasilPki(): Promise<IcpBrasilPki> {
  usual ??= Promise.all([pkiBranchWith('v5'), pkiBranchWith('v12')]).then(([v5, v12]) => ({ v5, v12 }));
  return usual;
}

/** A revocation of this certificate a day ago because its key was compromised, unless told otherwise. */
export const revocationOf = ({ certificate }: TestIdentity, more: Partial<TestCrlEntry> = {}): TestCrlEntry => ({
  serialNumber: parseCertificate(certificate).serialNumber,
  at: new Date(Date.now() - DAY),
  reason: 'keyCompromise',
  ...more,
});

/** A fresh list of the issuer with these certificates. */
export function crlWith(
  issuer: TestIdentity,
  revoked: readonly TestIdentity[] = [],
  more: Partial<TestCrlFields> = {},
): Buffer {
  const fields = {
    issuer,
    number: 1,
    thisUpdate: new Date(Date.now() - HOUR),
    nextUpdate: new Date(Date.now() + HOUR),
    ...more,
  };
  return writeCrl(
    fields,
    revoked.map((identity) => revocationOf(identity)),
  );
}

/** Fresh lists of all CAs of a branch, with its revoked person. */
export function crlsOf({ authority, defective }: PkiBranch): readonly Buffer[] {
  const { root, intermediate, issuing } = authority;
  const upper = intermediate === undefined ? [root] : [root, intermediate];
  return [...upper.map((issuer) => crlWith(issuer)), crlWith(issuing, [defective.revoked])];
}
