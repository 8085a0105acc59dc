/** PKCS#12 files made by foreign programs. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestIdentity } from '../../src/test-authority/index.ts';
import { openssl, pem } from './openssl.ts';

/** Runs `action` in a fresh folder, removed afterwards. */
export async function inFreshFolder<Result>(action: (folder: string) => Promise<Result>): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'sinete-test-'));
  try {
    return await action(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The file made by `openssl pkcs12 -export` of an identity, with these further parameters. */
export function opensslPkcs12(
  identity: TestIdentity,
  password: string,
  parameters: readonly string[] = [],
): Promise<Buffer> {
  return inFreshFolder(async (folder) => {
    await writeFile(join(folder, 'key.pem'), pem('PRIVATE KEY', identity.privateKey));
    await writeFile(join(folder, 'certificate.pem'), pem('CERTIFICATE', identity.certificate));
    await writeFile(join(folder, 'chain.pem'), identity.chain.map((der) => pem('CERTIFICATE', der)).join(''));
    const files = ['-inkey', 'key.pem', '-in', 'certificate.pem', '-certfile', 'chain.pem', '-out', 'file.p12'];
    const environment = { SINETE_TEST_PASSWORD: password };
    const fixed = ['pkcs12', '-export', ...files, '-passout', 'env:SINETE_TEST_PASSWORD'];
    await openssl([...fixed, ...parameters], { folder, environment });
    return readFile(join(folder, 'file.p12'));
  });
}

/** The EncryptedPrivateKeyInfo made by `openssl pkcs8 -topk8` of a key, with these further parameters. */
export function opensslPkcs8(privateKey: Buffer, password: string, parameters: readonly string[]): Promise<Buffer> {
  return inFreshFolder(async (folder) => {
    await writeFile(join(folder, 'key.pem'), pem('PRIVATE KEY', privateKey));
    const files = ['-in', 'key.pem', '-outform', 'DER', '-out', 'key.der'];
    const environment = { SINETE_TEST_PASSWORD: password };
    const fixed = ['pkcs8', '-topk8', ...files, '-passout', 'env:SINETE_TEST_PASSWORD'];
    await openssl([...fixed, ...parameters], { folder, environment });
    return readFile(join(folder, 'key.der'));
  });
}
