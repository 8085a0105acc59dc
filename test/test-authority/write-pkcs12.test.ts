import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readPkcs12 } from '../../src/signing/index.ts';
import { writePkcs12 } from '../../src/test-authority/index.ts';
import { personWith } from '../pki/identities.ts';
import { openssl } from '../pki/openssl.ts';
import { inFreshFolder } from '../pki/pkcs12-files.ts';

const PASSWORDS = [
  ['ASCII', 'senha'],
  ['accents', 'sẽnhaçã€'],
  ['beyond the basic plane', 'chave🔑'],
  ['empty', ''],
] as const;

describe('writePkcs12', () => {
  it.each(PASSWORDS)('makes a file opened by openssl and by us: %s', async (_name, password) => {
    const identity = await personWith();
    const file = await writePkcs12(identity, password, { friendlyName: 'José', iterations: 2048 });
    const { keys } = await readPkcs12(file, password);
    expect(keys).toHaveLength(1);
    expect(keys[0]).toMatchObject({ label: 'José', certificate: identity.certificate, chain: identity.chain });
    await inFreshFolder(async (folder) => {
      await writeFile(join(folder, 'file.p12'), file);
      const environment = { SINETE_TEST_PASSWORD: password };
      const parameters = ['pkcs12', '-in', 'file.p12', '-passin', 'env:SINETE_TEST_PASSWORD', '-noenc'];
      const text = await openssl(parameters, { folder, environment });
      expect(text.match(/BEGIN CERTIFICATE/g)).toHaveLength(3);
      expect(text).toContain('BEGIN PRIVATE KEY');
      const wrong = openssl(parameters, { folder, environment: { SINETE_TEST_PASSWORD: 'outra' } });
      await expect(wrong).rejects.toThrow(/Mac verify error/);
    });
  });
});
