import {
  maskTaxpayerNumber,
  readIcpBrasilIdentity,
  type Certificate,
  type IcpBrasilIdentity,
  type AliasedKey,
  normalizeTaxpayerNumber,
  parseCertificate,
  SigningError,
} from '../../signing/index.ts';

/** ICP-Brasil's common names are `NAME:NUMBER` (DOC-ICP-04 §7.1.4). */
const NAME_AND_NUMBER = /^(.+):([0-9A-Z]{12}\d{2}|\d{11})$/;

/** A name with its appended number masked; other names unchanged. */
export function maskNumberBehindName(value: string): string {
  const match = NAME_AND_NUMBER.exec(value);
  return match === null ? value : `${match[1] ?? ''}:${maskTaxpayerNumber(match[2] ?? '')}`;
}

/** The person's or company's name, without the number appended by ICP-Brasil. */
export function holderName(
  certificate: Certificate,
  identity: IcpBrasilIdentity | undefined = readIcpBrasilIdentity(certificate),
): string {
  return identity?.companyName ?? NAME_AND_NUMBER.exec(certificate.commonName)?.[1] ?? certificate.commonName;
}

/** CPF or CNPJ, masked; null where the certificate carries none. */
export function maskedTaxpayerNumber(identity: IcpBrasilIdentity | undefined): string | null {
  const number = identity?.kind === 'company' ? identity.cnpj : (identity?.cpf ?? identity?.cnpj);
  return number === undefined ? null : maskTaxpayerNumber(number);
}

/** True if the number is the holder's own: for an e-CNPJ the CNPJ, not the CPF of the responsible person. */
export function isHolder({ certificate }: Pick<AliasedKey, 'certificate'>, username: string): boolean {
  const identity = readIcpBrasilIdentity(parseCertificate(certificate));
  const number = identity?.cnpj ?? identity?.cpf;
  return number !== undefined && normalizeTaxpayerNumber(number) === username;
}

/** True if the ICP-Brasil other names of a key's certificate contain this CPF or CNPJ, given without punctuation. */
export function namesTaxpayer({ certificate }: Pick<AliasedKey, 'certificate'>, username: string): boolean {
  try {
    const identity = readIcpBrasilIdentity(parseCertificate(certificate));
    const numbers = [identity?.cpf, identity?.cnpj];
    return numbers.some((number) => number !== undefined && normalizeTaxpayerNumber(number) === username);
  } catch (error) {
    // An unreadable certificate contains no number.
    if (error instanceof SigningError) return false;
    throw error;
  }
}
