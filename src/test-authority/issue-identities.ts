/** Certificates of people and companies with the profile of DOC-ICP-04 §7.1, marked as having no legal value. */
import { Oid } from '../signing/index.ts';
import { TestAuthorityError } from './errors.ts';
import { KeyUsageBit, certificatePolicy, extendedKeyUsage, keyUsage, subjectAlternativeName } from './extensions.ts';
import {
  checkedCnpj,
  checkedCpf,
  companyNames,
  personNames,
  type TestCompanyData,
  type TestPersonData,
} from './icp-brasil-names.ts';
import { AuthorityOid } from './oids.ts';
import {
  TEST_NAME_BASE,
  issueTestCertificate,
  type TestAuthority,
  type TestIdentity,
  type TestIssueOptions,
} from './test-authority.ts';

/** The holder's kind of key storage: A1 in software, A3 in hardware. Decides the policy in the certificate. */
export type TestCertificateType = 'A1' | 'A3';

/** A person's certificate. */
export interface TestPersonRequest extends TestPersonData, TestIssueOptions {
  /** By default A1. */
  readonly type?: TestCertificateType;
}

/** A company's certificate. */
export interface TestCompanyRequest extends TestCompanyData, TestIssueOptions {
  /** By default A1. */
  readonly type?: TestCertificateType;
}

/** Policies in the arcs of A1 and A3 (DOC-ICP-04 Annex I) with a number that no real authority uses. */
const POLICIES: Readonly<Record<TestCertificateType, string>> = {
  A1: '2.16.76.1.2.1.999999',
  A3: '2.16.76.1.2.3.999999',
};
/** An address on this computer, because there is no practice statement. */
const STATEMENT_URL = 'http://127.0.0.1/dpc-de-teste.pdf';
const MAX_COMMON_NAME = 64;

/** `NAME:NUMBER`; a long name is cut off, as by certification authorities. */
function commonName(name: string, number: string): string {
  const trimmed = name.trim();
  if (trimmed === '') throw new TestAuthorityError('FIELD_INVALID', 'A name is needed.');
  const head = Array.from(trimmed)
    .slice(0, MAX_COMMON_NAME - number.length - 1)
    .join('');
  return `${head}:${number}`;
}

async function issueHolder(
  authority: TestAuthority,
  name: string,
  alternativeNames: readonly Buffer[],
  options: TestIssueOptions & { readonly type?: TestCertificateType },
): Promise<TestIdentity> {
  const type = options.type ?? 'A1';
  const subject = [
    ...TEST_NAME_BASE,
    [Oid.organizationalUnitName, `Certificado de Teste ${type}`],
    [Oid.commonName, name],
  ] as const;
  const extensions = [
    keyUsage([KeyUsageBit.digitalSignature, KeyUsageBit.nonRepudiation]),
    extendedKeyUsage([AuthorityOid.clientAuthentication, AuthorityOid.emailProtection]),
    certificatePolicy(POLICIES[type], STATEMENT_URL),
    subjectAlternativeName(alternativeNames),
  ];
  return issueTestCertificate(authority, { subject, extensions }, options);
}

/** Issues a person's certificate. Rejects with `TestAuthorityError` when a field does not fit. */
export async function issueTestPerson(authority: TestAuthority, person: TestPersonRequest): Promise<TestIdentity> {
  return issueHolder(authority, commonName(person.name, checkedCpf(person.cpf)), personNames(person), person);
}

/** Issues a company's certificate. Rejects with `TestAuthorityError` when a field does not fit. */
export async function issueTestCompany(authority: TestAuthority, company: TestCompanyRequest): Promise<TestIdentity> {
  return issueHolder(authority, commonName(company.name, checkedCnpj(company.cnpj)), companyNames(company), company);
}
