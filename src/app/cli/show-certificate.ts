import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { CertificateInspection } from '../../ui-contract/ui-contract.ts';
import { AppError } from '../app-error.ts';
import { answeredAsJson, printLine, printLines } from './print.ts';
import { callCore, type CommonOptions } from './with-client.ts';

/** True if a word looks like the name of a file of certificates. */
export const looksLikeFile = (word: string): boolean => /\.(cer|crt|der|pem|p7b|p7c)$/i.test(word);

/** Whether a word names a file of certificates rather than an alias. */
export const isCertificateFile = (word: string): boolean => looksLikeFile(word) && existsSync(word);

/** Shows each certificate of a file with its state. */
export async function showFile(path: string, options: CommonOptions): Promise<void> {
  const bytes = await readFile(path).catch((cause: unknown) => {
    throw new AppError(2, `The file ${path} cannot be read.`, { cause });
  });
  const file = bytes.toString('base64');
  const inspected = await callCore(options, 'certificates.inspect', { file });
  if (answeredAsJson(options, { certificates: inspected })) return;
  for (const [index, inspection] of inspected.entries()) {
    if (index > 0) printLine();
    printFields(inspection);
    printStatus(inspection);
  }
}

/** Prints validity, revocation and trust, each with its reason. */
export function printStatus({ detail, chain }: CertificateInspection): void {
  const { date, crl, trust } = detail;
  const lines = ([date, crl, trust] as const).map(({ status, code, message }) => {
    return `${status ? '✔' : '✘'} ${message} (${code})`;
  });
  printLine();
  printLines(lines);
  for (const [depth, { name, notAfter }] of chain.toReversed().entries()) {
    printLine(`${'  '.repeat(depth)}${depth === 0 ? '' : '└ '}${name} (until ${notAfter.slice(0, 10)})`);
  }
}

function printFields({ certificate }: CertificateInspection): void {
  const { subject, policy, issuer, publicKey, validity } = certificate;
  const rows: readonly (readonly [string, string | null])[] = [
    ['Subject', certificate.dn],
    ['Issuer', issuer.dn],
    ['Valid', `${validity.notBefore} to ${validity.notAfter}`],
    ['Authority', certificate.basicConstraints.cA ? 'yes' : null],
    ['Policy', [policy.oid, policy.type, policy.name].filter((part) => part !== null).join(', ')],
    ['Practice', policy.dpc],
    ['Key', `${publicKey.algorithm} ${publicKey.bits ?? ''}`.trim()],
    ['Key usage', [...certificate.keyUsage, ...certificate.extKeyUsage].join(', ')],
    ['Signed with', certificate.algorithm],
    ['Serial number', certificate.serialNumberHex],
    ['SHA-1', certificate.fingerprint],
    ['SHA-256', certificate.fingerprint_sha256],
    ['CRL', issuer.crl.join(' ')],
    ['Issuer at', issuer.aia],
    ['CPF', subject.cpf],
    ['CNPJ', subject.cnpj],
    ['E-mail', subject.email],
    ['Born', subject.dataNascimento],
  ];
  const shown = rows.flatMap(([label, value]) =>
    value === null || value === '' ? [] : [`${label.padEnd(14)} ${value}`],
  );
  printLines(shown);
}
