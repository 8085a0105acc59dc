/** Reads the holder's data from the ICP-Brasil other names of the subject alternative name (DOC-ICP-04 §7.1.2.3). */
import { Oid } from '../der/oids.ts';
import { type DerElement, Tag, contextTag, primitiveContextTag, readDer, readOid, readString } from '../der/reader.ts';
import { SigningError } from '../errors.ts';
import type { Certificate, IcpBrasilIdentity } from './certificate.ts';
import { isValidCnpj, normalizeTaxpayerNumber } from '../../text/taxpayer-number.ts';

type Mutable<T> = { -readonly [K in keyof T]: T[K] };
type Identity = Mutable<IcpBrasilIdentity>;

const STATES: ReadonlySet<string> = new Set(
  'AC AL AM AP BA CE DF ES GO MA MG MS MT PA PB PE PI PR RJ RN RO RR RS SC SE SP TO'.split(' '),
);

/** The OCTET STRING or character string inside any number of explicit tags: issuers differ in the wrapping. */
function readOtherNameText(value: DerElement): string {
  let inner = value;
  while (inner.constructed) inner = inner.child(0, 'the value of an other name');
  if (inner.tag !== Tag.octetString) return readString(inner, 'the value of an other name');
  const text = inner.content.toString('utf8');
  return text.includes('\u{fffd}') ? inner.content.toString('latin1') : text;
}

/** Texts of the other names by type; the first of each type counts. */
function readOtherNames(names: DerElement): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  for (const name of names.children) {
    if (name.tag !== contextTag(0)) continue;
    const type = readOid(name.child(0, 'the type of an other name'), 'the type of an other name');
    if (!type.startsWith('2.16.76.1.3.') || texts.has(type)) continue;
    texts.set(type, readOtherNameText(name.child(1, 'the value of an other name')));
  }
  return texts;
}

/** The field's text; undefined when the field is cut off, blank, or filled with zeros because the number is absent. */
function fixedField(text: string, start: number, width: number): string | undefined {
  const field = text.slice(start, start + width);
  return field.length < width || /^[0\s]*$/.test(field) ? undefined : field.trim();
}

/** `ddmmyyyy` as `yyyy-mm-dd`, for a day of the calendar. */
function birthDate(text: string): string | undefined {
  const match = /^(\d{2})(\d{2})(\d{4})/.exec(text);
  if (match === null) return undefined;
  const [, day = '', month = '', year = ''] = match;
  const date = new Date(`${year}-${month}-${day}T00:00:00Z`);
  return date.getUTCDate() === Number(day) && Number(year) > 0 ? `${year}-${month}-${day}` : undefined;
}

/**
 * Splits `SSPSP` into issuer `SSP` and state `SP`. The text has no padding and is read to its end. An issuer has at
 * least two letters, so `SSP` alone is an issuer without a state.
 */
function splitState(text: string): { readonly place?: string; readonly state?: string } {
  const trimmed = text.trim();
  const state = trimmed.slice(-2).toUpperCase();
  const place = trimmed.slice(0, -2).trim();
  if (!STATES.has(state) || place.length === 1) return trimmed === '' ? {} : { place: trimmed };
  return place === '' ? { state } : { place, state };
}

/** Layout of `.3.1` and `.3.4`: birth date 8, CPF 11, NIS 11, RG 15, then its issuer and state to the end. */
function addPerson(identity: Identity, text: string): void {
  const born = birthDate(text);
  const cpf = fixedField(text, 8, 11);
  const nis = fixedField(text, 19, 11);
  const rg = fixedField(text, 30, 15);
  if (born !== undefined) identity.birthDate = born;
  if (cpf !== undefined) identity.cpf = cpf;
  if (nis !== undefined) identity.nis = nis;
  if (rg === undefined) return;
  const { place, state } = splitState(text.slice(45));
  identity.rg = {
    number: rg.replace(/^0+/, ''),
    issuer: place,
    state,
  };
}

/** Layout of `.3.5`: number 12, zone 3, section 4, then municipality and state to the end. */
function addVoterId(identity: Identity, text: string): void {
  const number = fixedField(text, 0, 12);
  if (number === undefined) return;
  const zone = fixedField(text, 12, 3);
  const section = fixedField(text, 15, 4);
  const { place, state } = splitState(text.slice(19));
  identity.voterId = {
    number,
    zone,
    section,
    municipality: place,
    state,
  };
}

function addText(
  identity: Identity,
  key: 'cnpj' | 'cei' | 'companyName' | 'responsibleName',
  text: string | undefined,
): void {
  const value = text?.trim() ?? '';
  if (!/^0*$/.test(value)) identity[key] = value;
}

function readKind(texts: ReadonlyMap<string, string>): IcpBrasilIdentity['kind'] | undefined {
  if (texts.has(Oid.icpBrasilCompanyName)) return 'equipment';
  if (texts.has(Oid.icpBrasilCnpj) || texts.has(Oid.icpBrasilResponsible)) return 'company';
  return texts.has(Oid.icpBrasilPerson) ? 'person' : undefined;
}

/** The holder's name without the number appended by certification authorities: `NAME:12345678000195`. */
const nameWithoutNumber = (commonName: string): string => commonName.replace(/:[0-9A-Z]{11,14}$/, '');

function isSeal(certificate: Certificate): boolean {
  const policies = certificate.extensions.get(Oid.certificatePolicies);
  if (policies === undefined) return false;
  return readDer(policies.value).children.some((policy) => {
    const oid = readOid(policy.child(0, 'a certificate policy'), 'a certificate policy');
    return oid.startsWith(`${Oid.icpBrasilSealSoftware}.`) || oid.startsWith(`${Oid.icpBrasilSealHardware}.`);
  });
}

/** An electronic seal names its company in the subject's serialNumber and has no responsible person. */
function readSealIdentity(certificate: Certificate): Identity | undefined {
  const number = certificate.subjectAttributes.findLast(({ oid }) => oid === Oid.serialNumber)?.value ?? '';
  if (!isValidCnpj(number) || !isSeal(certificate)) return undefined;
  return {
    kind: 'company',
    cnpj: normalizeTaxpayerNumber(number),
    companyName: nameWithoutNumber(certificate.commonName),
  };
}

function readIdentity(certificate: Certificate): IcpBrasilIdentity | undefined {
  const extension = certificate.extensions.get(Oid.subjectAlternativeName);
  const names = extension && readDer(extension.value);
  const texts = names === undefined ? new Map<string, string>() : readOtherNames(names);
  const kind = readKind(texts);
  const identity: Identity | undefined = kind === undefined ? readSealIdentity(certificate) : { kind };
  if (identity === undefined) return undefined;
  addPerson(identity, texts.get(kind === 'person' ? Oid.icpBrasilPerson : Oid.icpBrasilResponsible) ?? '');
  addVoterId(identity, texts.get(Oid.icpBrasilVoterId) ?? '');
  addText(identity, 'cei', texts.get(kind === 'person' ? Oid.icpBrasilPersonCei : Oid.icpBrasilCompanyCei));
  if (kind === 'company') addText(identity, 'companyName', nameWithoutNumber(certificate.commonName));
  addText(identity, 'companyName', texts.get(Oid.icpBrasilCompanyName));
  addText(identity, 'cnpj', texts.get(Oid.icpBrasilCnpj)?.toUpperCase());
  addText(identity, 'responsibleName', texts.get(Oid.icpBrasilResponsibleName));
  const email = names?.find(primitiveContextTag(1))?.content.toString('latin1').trim() ?? '';
  if (email !== '') identity.email = email;
  return identity;
}

/**
 * The holder's data in the certificate's ICP-Brasil other names; undefined without such names, or when the extension is
 * damaged. Numbers are unchanged; check digits are not verified.
 */
export function readIcpBrasilIdentity(certificate: Certificate): IcpBrasilIdentity | undefined {
  try {
    return readIdentity(certificate);
  } catch (error) {
    if (error instanceof SigningError) return undefined;
    throw error;
  }
}
