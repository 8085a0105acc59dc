/** People and companies for tests, from a single authority per kind of key, made on the first request. */
import {
  createTestAuthority,
  issueTestCompany,
  issueTestPerson,
  type TestAuthority,
  type TestCompanyRequest,
  type TestIdentity,
  type TestKeyKind,
  type TestPersonRequest,
} from '../../src/test-authority/index.ts';

/** CPFs with right check digits belonging to nobody in particular. */
export const MARIA_CPF = '52998224725';
export const JOAO_CPF = '11144477735';
/** The example published by Receita Federal for numbers with letters. */
export const COMPANY_CNPJ = '12ABC34501DE35';

const authorities = new Map<TestKeyKind, Promise<TestAuthority>>();

/** The authority with CAs with keys of this kind; the same each time in a test file. */
export function authorityWith(keyKind: TestKeyKind = 'ec-p256'): Promise<TestAuthority> {
  const known = authorities.get(keyKind) ?? createTestAuthority({ keyKind });
  authorities.set(keyKind, known);
  return known;
}

/** A person called Maria, with an EC key, from the authority with EC keys, unless told otherwise. */
export async function personWith(request: Partial<TestPersonRequest> = {}): Promise<TestIdentity> {
  return issueTestPerson(await authorityWith(), {
    keyKind: 'ec-p256',
    name: 'MARIA DE TESTE',
    cpf: MARIA_CPF,
    ...request,
  });
}

/** A company with an EC key, from the authority with EC keys. */
export async function companyWith(request: Partial<TestCompanyRequest> = {}): Promise<TestIdentity> {
  const responsible = { name: 'JOAO DE TESTE', cpf: JOAO_CPF };
  return issueTestCompany(await authorityWith(), {
    keyKind: 'ec-p256',
    name: 'EMPRESA DE TESTE',
    cnpj: COMPANY_CNPJ,
    responsible,
    ...request,
  });
}
