import { createPrivateKey, hash } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readCounterSigning, readSignerChoice } from '../../src/app/cli/signing/counter-sign.ts';
import { readSignedData } from '../../src/signing/signed-data/signed-data.ts';
import {
  addSigner,
  prepareCmsSigner,
  softwareSigner,
  verifyCms,
  type CmsSigner,
  type CmsVerification,
} from '../../src/signing/index.ts';
import { writePkcs12, type TestIdentity } from '../../src/test-authority/index.ts';
import { inspectUnsigned } from '../oracles/inspect-unsigned.ts';
import { authorityWith, JOAO_CPF, personWith } from '../pki/identities.ts';
import { openssl, pem } from '../pki/openssl.ts';
import { makeWorkplace, runSinete, type Workplace } from './run-sinete.ts';

/** Signatures made by others, signed with the command line; Bouncy Castle and openssl judge. */

/** Processes of the program and of Java, on a possibly busy machine. */
const PATIENCE = 300_000;
const content = Buffer.from('Vale o escrito.\n');
const signingTime = new Date();

let place: Workplace;
const fileOf = (name: string): string => join(place.folder, name);

function signerOf({ privateKey, certificate, chain }: TestIdentity): CmsSigner {
  const key = createPrivateKey({ key: privateKey, format: 'der', type: 'pkcs8' });
  return prepareCmsSigner(softwareSigner(key, certificate, chain), { digest: 'sha256', profile: 'cades' });
}

beforeAll(async () => {
  place = await makeWorkplace();
  const [maria, joao, ana] = await Promise.all([
    personWith(),
    personWith({ name: 'JOAO DE TESTE', cpf: JOAO_CPF, keyKind: 'rsa-2048' }),
    personWith({ name: 'ANA LIMA' }),
  ]);
  const [first, second] = [signerOf(maria), signerOf(joao)];
  const detached = await first.signDigest(hash('sha256', content, 'buffer'), signingTime);
  const attached = await first.signContent(content, signingTime);
  await Promise.all([
    writeFile(fileOf('note.txt'), content),
    writeFile(fileOf('note.txt.p7s'), detached),
    writeFile(fileOf('one.p7m'), attached),
    writeFile(fileOf('two.p7m'), await addSigner(attached, second, { signingTime })),
    writeFile(fileOf('ana.p12'), await writePkcs12(ana, 'segredo')),
    writeFile(fileOf('password'), 'segredo\n', { mode: 0o600 }),
    writeFile(fileOf('root.pem'), pem('CERTIFICATE', (await authorityWith()).root.certificate)),
  ]);
  const added = await runSinete(place, ['certificates', 'add', 'ana.p12', '--password-file', 'password']);
  expect(added.code, added.stderr).toBe(0);
}, PATIENCE);
afterAll(() => place.remove());

/** Whether openssl still takes the signature, up to the root. */
const holds = async (name: string, ...more: readonly string[]): Promise<string> =>
  openssl(
    [
      'cms',
      '-verify',
      '-binary',
      '-cades',
      '-purpose',
      'any',
      '-inform',
      'DER',
      '-in',
      name,
      '-CAfile',
      'root.pem',
      ...more,
    ],
    place,
  );

/** The signature in slices and as verified, its signers in the same order. */
async function readBoth(name: string): Promise<readonly [ReturnType<typeof readSignedData>, CmsVerification]> {
  const bytes = await readFile(fileOf(name));
  return [readSignedData(bytes), await verifyCms(bytes)];
}

describe('sign --countersign', () => {
  it(
    'signs the only signature of each file, attached and detached, into files beside each',
    async () => {
      const words = ['sign', 'one.p7m', 'note.txt.p7s', '--countersign', '--approve-here', '--json'];
      const signed = await runSinete(place, words);
      expect(signed.code, signed.stderr + signed.stdout).toBe(0);
      expect(JSON.parse(signed.stdout)).toMatchObject([
        { status: 'SIGNED', result: fileOf('one-countersigned.p7m') },
        { status: 'SIGNED', result: fileOf('note.txt-countersigned.p7s') },
      ]);
      const results = ['one-countersigned.p7m', 'note.txt-countersigned.p7s'];
      const inspected = await inspectUnsigned(results.map(fileOf));
      expect(inspected.map((signers) => signers.map(({ counters }) => counters))).toEqual([[[true]], [[true]]]);
      expect(await holds('one-countersigned.p7m')).toBe(content.toString());
      expect(await holds('note.txt-countersigned.p7s', '-content', fileOf('note.txt'))).toBe(content.toString());
    },
    PATIENCE,
  );

  it(
    'signs each of several signatures, or the named signature, and asks for the signer otherwise',
    async () => {
      const words = ['sign', 'two.p7m', '--countersign', '--approve-here'];
      const asked = await runSinete(place, words);
      expect(asked.code).toBe(2);
      expect(asked.stderr).toContain('--signer');
      expect(asked.stderr).toMatch(/MARIA DE TESTE/);
      expect(asked.stderr).toMatch(/JOAO DE TESTE/);

      const all = await runSinete(place, [...words, '--signer', 'all', '--type', 'cms']);
      expect(all.code, all.stderr + all.stdout).toBe(0);
      const { signers } = await verifyCms(await readFile(fileOf('two.p7m')));
      const joao = signers.findIndex(({ certificate }) => certificate?.commonName.startsWith('JOAO'));
      await rename(fileOf('two-countersigned.p7m'), fileOf('all.p7m'));
      const one = await runSinete(place, [...words, '--signer', String(joao + 1)]);
      expect(one.code, one.stderr + one.stdout).toBe(0);

      const inspected = await inspectUnsigned([fileOf('all.p7m'), fileOf('two-countersigned.p7m')]);
      const counters = inspected.map((found) => found.map((signer) => signer.counters).toSorted());
      expect(counters).toEqual([
        [[true], [true]],
        [[], [true]],
      ]);
      const [bytes, { signers: after }] = await readBoth('two-countersigned.p7m');
      const signed = bytes.signers.findIndex(({ unsignedAttributes }) => unsignedAttributes.length > 0);
      expect(after[signed]?.certificate?.commonName).toContain('JOAO');
      for (const name of ['all.p7m', 'two-countersigned.p7m']) expect(await holds(name)).toBe(content.toString());
    },
    PATIENCE,
  );
});

describe('the signature to counter-sign', () => {
  const refusal = (name: string, signer?: number | 'all'): Promise<unknown> =>
    readCounterSigning([fileOf(name)], { signer }).catch((error: unknown) => error);

  it('is no broken signature, attached or beside its document', async () => {
    const broken = await readFile(fileOf('one.p7m'));
    broken[broken.indexOf('Vale')] = 0x76;
    await writeFile(fileOf('broken.p7m'), broken);
    expect(await refusal('broken.p7m')).toMatchObject({ exitCode: 2, message: /broken signature/ });
    await writeFile(fileOf('other.txt.p7s'), await readFile(fileOf('note.txt.p7s')));
    await writeFile(fileOf('other.txt'), 'Outro.');
    expect(await refusal('other.txt.p7s')).toMatchObject({ exitCode: 2, message: /broken signature/ });
  });

  it('is an existing signature', async () => {
    expect(await refusal('two.p7m', 3)).toMatchObject({ exitCode: 2, message: /no such signer/ });
    expect(await refusal('note.txt')).toMatchObject({ exitCode: 2, message: /no CMS signature/ });
    expect(await refusal('none.p7m')).toMatchObject({ exitCode: 2, message: /cannot be read/ });
  });

  it('is named by its place or as all', () => {
    expect(['1', '12', 'all'].map(readSignerChoice)).toEqual([1, 12, 'all']);
    for (const text of ['0', '-1', 'both', '']) expect(() => readSignerChoice(text)).toThrow(/no signer/);
  });
});
