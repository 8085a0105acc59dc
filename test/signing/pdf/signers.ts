/** A key and certificate made for a single run, and the questions of tests about a signed PDF. */
import { generateKeyPairSync } from 'node:crypto';
import { prepareCmsSigner } from '../../../src/signing/cms/index.ts';
import type { CmsSigner } from '../../../src/signing/cms/index.ts';
import { softwareSigner } from '../../../src/signing/keys/software-signer.ts';
import { makeTestIdentity } from '../cms/test-identities.ts';

/** A signer for PAdES, and another for plain CMS; both with the same throw-away RSA key. */
export function makePdfSigners(): { readonly pades: CmsSigner; readonly cms: CmsSigner } {
  const key = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const { certificate } = makeTestIdentity({ name: 'Signer of PDFs', key });
  const signer = softwareSigner(key.privateKey, certificate, []);
  return {
    pades: prepareCmsSigner(signer, { digest: 'sha256', profile: 'cades', omitSigningTime: true }),
    cms: prepareCmsSigner(signer, { digest: 'sha256', profile: 'cms' }),
  };
}
