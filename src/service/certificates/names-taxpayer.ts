import {
  type AliasedKey,
  normalizeTaxpayerNumber,
  parseCertificate,
  readIcpBrasilIdentity,
  SigningError,
} from '../../signing/index.ts';

/** Whether the ICP-Brasil other names of a key's certificate carry this CPF or CNPJ, given without punctuation. */
export function namesTaxpayer({ certificate }: Pick<AliasedKey, 'certificate'>, username: string): boolean {
  try {
    const identity = readIcpBrasilIdentity(parseCertificate(certificate));
    const numbers = [identity?.cpf, identity?.cnpj];
    return numbers.some((number) => number !== undefined && normalizeTaxpayerNumber(number) === username);
  } catch (error) {
    // An unreadable certificate names nobody.
    if (error instanceof SigningError) return false;
    throw error;
  }
}
