import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseCertificate } from '../../../../src/signing/index.ts';
import { readPkcs12 } from '../../../../src/signing/keys/read-pkcs12.ts';
import { runJava, type JavaProgram } from '../../../oracles/java.ts';
import { runTool } from '../../../oracles/run-program.ts';
import { personWith } from '../../../pki/identities.ts';
import { pem } from '../../../pki/openssl.ts';
import { inFreshFolder } from '../../../pki/pkcs12-files.ts';

const PASSWORD = 'senha123';
const STORE_WRITER: JavaProgram = {
  main: 'WriteBouncyCastleStore',
  sources: [new URL('../../../pki/WriteBouncyCastleStore.java', import.meta.url)],
  libraries: ['bcprov', 'bcutil'],
};
const environment = { SINETE_TEST_PASSWORD: PASSWORD };

/** A store with a single self-signed key per name, written by Java's own `keytool` . */
function keytoolFile(names: readonly string[], parameters: readonly string[]): Promise<Buffer> {
  return inFreshFolder(async (folder) => {
    for (const name of names) {
      const fixed = ['-genkeypair', '-keystore', 'file.p12', '-storetype', 'PKCS12', '-keyalg', 'EC'];
      const entry = ['-alias', name, '-dname', `CN=${name}`, '-storepass:env', 'SINETE_TEST_PASSWORD'];
      await runTool('keytool', [...parameters, ...fixed, ...entry], { folder, environment });
    }
    return readFile(join(folder, 'file.p12'));
  });
}

describe('readPkcs12 of files made by Java', () => {
  it.each([
    ['with its usual ciphers', []],
    ['with its old ciphers', ['-J-Dkeystore.pkcs12.legacy']],
  ])('reads two keys of keytool %s', async (_name, parameters) => {
    const file = await keytoolFile(['maria', 'joao'], parameters);
    const { keys } = await readPkcs12(file, PASSWORD);
    expect(keys.map(({ label }) => label).sort()).toEqual(['joao', 'maria']);
    for (const key of keys) expect(parseCertificate(key.certificate).commonName).toBe(key.label);
    await expect(readPkcs12(file, 'outra')).rejects.toMatchObject({ code: 'PASSWORD_INCORRECT' });
  });

  it("reads Bouncy Castle's BER", async () => {
    const maria = await personWith();
    const file = await inFreshFolder(async (folder) => {
      const certificates = [maria.certificate, ...maria.chain].map((der) => pem('CERTIFICATE', der)).join('');
      await writeFile(join(folder, 'key.der'), maria.privateKey);
      await writeFile(join(folder, 'certificates.pem'), certificates);
      await runJava(STORE_WRITER, [], { folder, environment });
      return readFile(join(folder, 'file.p12'));
    });
    expect(file.subarray(0, 2), 'the outermost length is indefinite').toEqual(Buffer.of(0x30, 0x80));
    const { keys } = await readPkcs12(file, PASSWORD);
    expect(keys).toHaveLength(1);
    expect(keys[0]!.label).toBe('Maria');
    expect(keys[0]!.certificate).toEqual(maria.certificate);
    expect(keys[0]!.chain).toEqual(maria.chain);
  });
});
