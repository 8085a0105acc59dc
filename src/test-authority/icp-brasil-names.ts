/** Writes the holder's data into ICP-Brasil's other names of the subject alternative name (DOC-ICP-04 §7.1.2.3). */
import {
  Oid,
  derContext,
  derOctetString,
  derOid,
  derPrimitiveContext,
  isValidCnpj,
  isValidCpf,
  maskTaxpayerNumber,
  normalizeTaxpayerNumber,
} from '../signing/index.ts';
import { TestAuthorityError } from './errors.ts';

/** A person's data for the other names. Numbers may have their usual punctuation. */
export interface TestPersonData {
  readonly name: string;
  readonly cpf: string;
  /** YYYY-MM-DD. */
  readonly birthDate?: string;
  /** PIS, PASEP or NIS: 11 digits. */
  readonly nis?: string;
  /** The identity card: up to 15 letters or digits, its issuer, and its state; issuer and state up to 10 together. */
  readonly rg?: { readonly number: string; readonly issuer: string; readonly state: string };
  /** The voter's card: up to 12 digits, zone up to 3, section up to 4, municipality and state up to 22 together. */
  readonly voterId?: {
    readonly number: string;
    readonly zone: string;
    readonly section: string;
    readonly municipality: string;
    readonly state: string;
  };
  /** Number in the register of the social security: up to 12 digits. */
  readonly cei?: string;
  readonly email?: string;
}

/** A company, with the person responsible for its certificate. */
export interface TestCompanyData {
  readonly name: string;
  /** 12 letters or digits and two check digits. */
  readonly cnpj: string;
  readonly responsible: Omit<TestPersonData, 'voterId' | 'cei' | 'email'>;
  readonly cei?: string;
  readonly email?: string;
}

function invalid(what: string, rule: string): never {
  throw new TestAuthorityError('FIELD_INVALID', `${what} ${rule}.`);
}

/** Digits, padded with zeros on the left to the width of the field; an absent number is all zeros. */
function digits(what: string, value: string | undefined, width: number): string {
  const number = normalizeTaxpayerNumber(value ?? '');
  if (number.length > width || !/^\d*$/.test(number)) invalid(what, `has at most ${width} digits`);
  return number.padStart(width, '0');
}

/**
 * Upper case without accents, as prescribed for other names; characters other than letters, digits and spaces are
 * refused.
 */
function plainText(what: string, value: string, width: number): string {
  const text = value
    .normalize('NFD')
    .replace(/\p{Diacritic}/gu, '')
    .toUpperCase();
  if (!/^[A-Z0-9 '.&/-]+$/.test(text)) invalid(what, 'holds characters that ICP-Brasil does not allow');
  if (text.length > width) invalid(what, `has at most ${width} characters`);
  return text;
}

/** The CPF without punctuation, its check digits verified. */
export function checkedCpf(cpf: string): string {
  if (!isValidCpf(cpf)) {
    throw new TestAuthorityError('TAXPAYER_NUMBER_INVALID', `${maskTaxpayerNumber(cpf)} is not a valid CPF.`);
  }
  return normalizeTaxpayerNumber(cpf);
}

/** The CNPJ without punctuation, its check digits verified. */
export function checkedCnpj(cnpj: string): string {
  if (!isValidCnpj(cnpj)) {
    throw new TestAuthorityError('TAXPAYER_NUMBER_INVALID', `${maskTaxpayerNumber(cnpj)} is not a valid CNPJ.`);
  }
  return normalizeTaxpayerNumber(cnpj);
}

function birthDateField(date: string | undefined): string {
  if (date === undefined) return '00000000';
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(date);
  const day = new Date(`${date}T00:00:00Z`);
  // A day beyond the end of its month rolls over into the next month.
  const isDay = !Number.isNaN(day.getTime()) && day.toISOString().startsWith(date);
  if (match === null || !isDay) invalid('The birth date', 'is a day written YYYY-MM-DD');
  return `${match[3] ?? ''}${match[2] ?? ''}${match[1] ?? ''}`;
}

const NO_IDENTITY_CARD = '0'.repeat(15);

function identityCardField(rg: TestPersonData['rg']): string {
  if (rg === undefined) return NO_IDENTITY_CARD;
  const number = plainText('The RG', rg.number.replace(/[\s./-]/g, ''), 15).padStart(15, '0');
  const state = plainText("The RG's state", rg.state, 2);
  return number + plainText("The RG's issuer", rg.issuer, 10 - state.length) + state;
}

function voterField(voterId: TestPersonData['voterId']): string {
  if (voterId === undefined) return '0'.repeat(12 + 3 + 4);
  const { number, zone, section } = voterId;
  const state = plainText("The voter's state", voterId.state, 2);
  const place = plainText("The voter's municipality", voterId.municipality, 22 - state.length) + state;
  return digits('The voter id', number, 12) + digits('The zone', zone, 3) + digits('The section', section, 4) + place;
}

/** Birth date 8, CPF 11, NIS 11, RG 15, and only where there is an RG, its issuer and state. */
function personField(person: TestCompanyData['responsible']): string {
  const nis = digits('The NIS', person.nis, 11);
  return birthDateField(person.birthDate) + checkedCpf(person.cpf) + nis + identityCardField(person.rg);
}

/** A GeneralName of the kind otherName with an OCTET STRING, the first of DOC-ICP-04's permitted types. */
function otherName(oid: string, text: string): Buffer {
  return derContext(0, derOid(oid), derContext(0, derOctetString(Buffer.from(text, 'latin1'))));
}

function emailNames(email: string | undefined): readonly Buffer[] {
  if (email === undefined) return [];
  if (!/^[\x21-\x7e]+@[\x21-\x7e]+$/.test(email)) invalid('The e-mail address', 'has the form name@domain in ASCII');
  return [derPrimitiveContext(1, Buffer.from(email, 'latin1'))];
}

/** GeneralNames of a person: e-mail, `.3.1`, `.3.5` and `.3.6`. */
export function personNames(person: TestPersonData): readonly Buffer[] {
  return [
    ...emailNames(person.email),
    otherName(Oid.icpBrasilPerson, personField(person)),
    otherName(Oid.icpBrasilVoterId, voterField(person.voterId)),
    otherName(Oid.icpBrasilPersonCei, digits('The CEI', person.cei, 12)),
  ];
}

/** GeneralNames of a company, in the prescribed order: `.3.4`, `.3.2`, `.3.3` and `.3.7`. */
export function companyNames(company: TestCompanyData): readonly Buffer[] {
  const { responsible } = company;
  return [
    ...emailNames(company.email),
    otherName(Oid.icpBrasilResponsible, personField(responsible)),
    otherName(Oid.icpBrasilResponsibleName, plainText("The responsible person's name", responsible.name, 100)),
    otherName(Oid.icpBrasilCnpj, checkedCnpj(company.cnpj)),
    otherName(Oid.icpBrasilCompanyCei, digits('The CEI', company.cei, 12)),
  ];
}
