import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseCertificate, readIcpBrasilIdentity } from '../../src/signing/index.ts';
import type { TestIdentity } from '../../src/test-authority/index.ts';
import { runProgram } from '../oracles/run-program.ts';
import { COMPANY_CNPJ } from '../pki/identities.ts';
import { crlsOf, icpBrasilPki, type Defect, type PkiBranch } from '../pki/icp-brasil-pki.ts';
import { pem } from '../pki/openssl.ts';
import { writeIdentity } from '../pki/openssl-files.ts';
import { inFreshFolder } from '../pki/pkcs12-files.ts';

/** The output of `openssl verify` for a purpose, with the revocation lists of the branch. */
function verifyWithOpenssl(identity: TestIdentity, branch: PkiBranch, purpose: string): Promise<string> {
  return inFreshFolder(async (folder) => {
    const file = (name: string): string => join(folder, name);
    await writeIdentity(folder, 'subject', identity);
    await writeFile(file('root.pem'), pem('CERTIFICATE', branch.authority.root.certificate));
    await writeFile(
      file('lists.pem'),
      crlsOf(branch)
        .map((list) => pem('X509 CRL', list))
        .join(''),
    );
    const rules = ['-x509_strict', '-purpose', purpose, '-crl_check_all', '-CRLfile', file('lists.pem')];
    const files = ['-CAfile', file('root.pem'), '-untrusted', file('subject-chain.pem'), file('subject.pem')];
    const { output, errors } = await runProgram('openssl', ['verify', ...rules, ...files]);
    return output + errors;
  });
}

describe('the PKI of the tests', () => {
  it.each(['v5', 'v12'] as const)('below root %s has good certificates accepted by openssl', async (generation) => {
    const branch = (await icpBrasilPki())[generation];
    const good = [
      [branch.person, 'smimesign'],
      [branch.company, 'smimesign'],
      [branch.alphanumericCompany, 'smimesign'],
      [branch.server, 'sslserver'],
      [branch.timestampAuthority, 'timestampsign'],
      [branch.responder, 'ocsphelper'],
    ] as const;
    for (const [identity, purpose] of good) {
      expect(await verifyWithOpenssl(identity, branch, purpose)).toContain('subject.pem: OK');
      expect(identity.chain).toHaveLength(3);
      expect(parseCertificate(identity.chain[2]!).commonName).toBe(`AC Raiz de Teste ${generation} SEM VALOR LEGAL`);
    }
  });

  it.each<[Defect, string]>([
    ['expired', 'certificate has expired'],
    ['notYetValid', 'certificate is not yet valid'],
    ['revoked', 'certificate revoked'],
    ['wrongUsage', 'unsuitable certificate purpose'],
    ['wrongSigner', 'certificate signature failure'],
  ])('has a certificate refused by openssl: %s', async (defect, reason) => {
    const { v5 } = await icpBrasilPki();
    expect(await verifyWithOpenssl(v5.defective[defect], v5, 'smimesign')).toContain(reason);
  });

  it('has a company with letters in its number', async () => {
    const { v12 } = await icpBrasilPki();
    const certificate = parseCertificate(v12.alphanumericCompany.certificate);
    expect(readIcpBrasilIdentity(certificate)).toMatchObject({ cnpj: COMPANY_CNPJ });
  });
});
