import type { DigestAlgorithm } from '../../service/transactions/index.ts';
import { AppError } from '../app-error.ts';

/** Reads the name of a hash, with or without a hyphen. */
export function readHash(text: string): DigestAlgorithm {
  const name = text.toLowerCase().replaceAll('-', '');
  if (name === 'sha256' || name === 'sha384' || name === 'sha512') return name;
  throw new AppError(2, `"${text}" is not a hash that is used here: use SHA256, SHA384 or SHA512.`);
}
