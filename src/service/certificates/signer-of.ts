import {
  maskTaxpayerNumber,
  normalizeTaxpayerNumber,
  parseCertificate,
  readIcpBrasilIdentity,
  SigningError,
} from '../../signing/index.ts';
import { byCertificate } from './by-certificate.ts';
import { holderName } from './holder-name.ts';

/** The person or company of a certificate, as stored in History. */
export interface Signer {
  readonly name: string;
  /** CPF or CNPJ, masked; null where the certificate carries none. */
  readonly number: string | null;
  /** The text that searches are compared with: the name without accents, and the numbers without punctuation. */
  readonly words: string;
}

/** The signer of a DER certificate; undefined for a certificate that cannot be read. */
export const signerOf = byCertificate((certificate): Signer | undefined => {
  try {
    const parsed = parseCertificate(certificate);
    const identity = readIcpBrasilIdentity(parsed);
    const name = holderName(parsed, identity);
    const numbers = [identity?.cnpj, identity?.cpf].flatMap((number) =>
      number === undefined ? [] : [normalizeTaxpayerNumber(number)],
    );
    const [own] = numbers;
    return {
      name,
      number: own === undefined ? null : maskTaxpayerNumber(own),
      words: withoutAccents([name, identity?.responsibleName ?? '', ...numbers].join(' ')),
    };
  } catch (error) {
    if (error instanceof SigningError) return undefined;
    throw error;
  }
});

/** Minimum number of digits of a searched number: shorter numbers are probably years or numbers of files. */
const FEWEST_DIGITS = 6;

/**
 * A word of a search in the form of `words`: lower case without accents, a CPF or CNPJ without punctuation; undefined
 * for a word that cannot identify a signer.
 */
export function wordForSigner(word: string): string | undefined {
  const plain = withoutAccents(word);
  const number = /^(?:[\d./-]+|[\da-z]{2}\.[\da-z]{3}\.[\da-z]{3}\/[\da-z]{4}-\d{2})$/.test(plain);
  if (!number) return plain;
  const digits = plain.replaceAll(/[./-]/g, '');
  return digits.length < FEWEST_DIGITS ? undefined : digits;
}

const withoutAccents = (text: string): string => text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();
