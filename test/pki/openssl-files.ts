/** Identities as the files openssl reads. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestIdentity } from '../../src/test-authority/index.ts';
import { pem } from './openssl.ts';

/** Writes `name.pem` (certificate), `name.key` and `name-chain.pem` (issuers, the root included) into the folder. */
export async function writeIdentity(folder: string, name: string, identity: TestIdentity): Promise<void> {
  const { certificate, privateKey, chain } = identity;
  await writeFile(join(folder, `${name}.pem`), pem('CERTIFICATE', certificate));
  await writeFile(join(folder, `${name}.key`), pem('PRIVATE KEY', privateKey));
  await writeFile(join(folder, `${name}-chain.pem`), chain.map((der) => pem('CERTIFICATE', der)).join(''));
}
