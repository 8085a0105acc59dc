import { createHash, verify, X509Certificate } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { getSigningCertificate, sign, status } from '../../src/client/web-eid.ts';
import { LacunaWebPKI } from '../../src/client/web-pki.ts';
import { createTestAuthority, issueTestPerson, writePkcs12, type TestKeyKind } from '../../src/test-authority/index.ts';
import { untilDefined } from '../setup/waits.ts';
import { startRealInstance, type RealInstance } from '../interface/real-instance.ts';

const document = Buffer.from('a document of a page');
const hashOf = (algorithm = 'sha256', content = document): string =>
  createHash(algorithm).update(content).digest('base64');

/** An instance whose selected user has one certificate. */
async function instanceWith(keyKind: TestKeyKind, approve: 'all' | 'ask' = 'all'): Promise<RealInstance> {
  const instance = await startRealInstance({ approve });
  const calls = instance.sinete.handlers['user-interface'];
  const person = await issueTestPerson(await createTestAuthority(), { name: 'ANA LIMA', cpf: '11144477735', keyKind });
  await calls['certificates.import']({ file: (await writePkcs12(person, 'x')).toString('base64'), password: 'x' });
  const [recovery = ''] = await instance.enrol('ANA LIMA', '11144477735');
  await calls['assistant.add']({ username: '11144477735', code: recovery });
  return instance;
}

describe('a page written for Web PKI', () => {
  let instance: RealInstance;
  const pki = new LacunaWebPKI();

  beforeAll(async () => {
    instance = await instanceWith('rsa-2048');
    await pki.init({ ready: () => undefined, find: { ports: [instance.port] } });
  });
  afterAll(async () => instance.stop());

  it('lists and reads certificates, and signs hashes, data and batches', async () => {
    const [certificate] = await pki.listCertificates();
    const thumbprint = certificate!.thumbprint;
    expect(certificate!.subjectName).toContain('ANA LIMA');
    const { publicKey, raw } = new X509Certificate(Buffer.from(await pki.readCertificate({ thumbprint }), 'base64'));
    expect(createHash('sha256').update(raw).digest('base64')).toBe(thumbprint);
    const isGenuine = (signature: string, digest = 'sha256', content = document): boolean =>
      verify(digest, content, publicKey, Buffer.from(signature, 'base64'));
    expect(isGenuine(await pki.signHash({ thumbprint, hash: hashOf(), digestAlgorithm: 'SHA-256' }))).toBe(true);
    const data = document.toString('base64');
    const digestAlgorithm = '2.16.840.1.101.3.4.2.3';
    expect(isGenuine(await pki.signData({ thumbprint, data, digestAlgorithm }), 'sha512')).toBe(true);
    const contents = ['one', 'two', 'three'].map((text) => Buffer.from(text));
    const batch = contents.map((content) => hashOf('sha256', content));
    const { signatures } = await pki.signHashBatch({
      certificateThumbprint: thumbprint,
      batch,
      digestAlgorithm: 'sha256',
    });
    expect(signatures.map((one, index) => isGenuine(one, 'sha256', contents[index]))).toEqual([true, true, true]);
  });

  it('hears of success and of failures by its callbacks, with the codes that it knows', async () => {
    const subjects = await new Promise<string[]>((resolve) => {
      pki.listCertificates().success((list) => resolve(list.map(({ subjectName }) => subjectName)));
    });
    expect(subjects).toHaveLength(1);
    const failed = await new Promise((resolve) => {
      pki.signHash({ thumbprint: 'nobody', hash: hashOf(), digestAlgorithm: 'SHA-256' }).fail(resolve);
    });
    expect(failed).toMatchObject({ code: 'certificate_not_found' });
    const unsafe = new Promise((resolve) => {
      pki.signHash({ thumbprint: 'nobody', hash: hashOf('sha1'), digestAlgorithm: 'SHA-1' }).fail(resolve);
    });
    expect(await unsafe).toMatchObject({ code: 'command_invalid_parameter' });
  });

  it('is told that nothing is installed', async () => {
    const gone = await startRealInstance();
    await gone.stop();
    const told = await new Promise((resolve) => {
      const page = new LacunaWebPKI();
      page
        .init({ ready: () => resolve('ready'), notInstalled: (state) => resolve(state), find: { ports: [gone.port] } })
        .fail(() => undefined);
    });
    expect(told).toBe(1);
  });
});

describe('a page written for Web eID', () => {
  it.each([
    ['rsa-2048', 'RSA'],
    ['ec-p256', 'ECC'],
    ['ec-p384', 'ECC'],
  ] as const)('signs with a key of the kind %s, ECDSA as R‖S', async (keyKind, cryptoAlgorithm) => {
    const instance = await instanceWith(keyKind);
    const find = { ports: [instance.port] };
    expect((await status({ find })).nativeApp).toMatch(/^\d/);
    const { certificate, supportedSignatureAlgorithms } = await getSigningCertificate({ find });
    expect(supportedSignatureAlgorithms[0]).toMatchObject({ cryptoAlgorithm });
    const { publicKey } = new X509Certificate(Buffer.from(certificate, 'base64'));
    for (const hashFunction of ['SHA-256', 'SHA-384', 'SHA-512']) {
      const digest = hashFunction.toLowerCase().replace('-', '');
      const { signature, signatureAlgorithm } = await sign(certificate, hashOf(digest), hashFunction, { find });
      expect(signatureAlgorithm).toMatchObject({ cryptoAlgorithm, hashFunction });
      const key = { key: publicKey, dsaEncoding: 'ieee-p1363' } as const;
      expect(verify(digest, document, key, Buffer.from(signature, 'base64'))).toBe(true);
    }
    await instance.stop();
  });

  it('is told that the user refused, and that the hash is of another function', async () => {
    const instance = await instanceWith('ec-p256', 'ask');
    const calls = instance.sinete.handlers['user-interface'];
    const find = { ports: [instance.port] };
    const { certificate } = await getSigningCertificate({ find });
    const signing = sign(certificate, hashOf(), 'SHA-256', { find });
    const tcn = await untilDefined(async () => (await calls['home.read']({})).waiting[0]?.tcn, 'a question');
    await calls['approvals.decide']({ tcn, decision: 'refuse' });
    await expect(signing).rejects.toMatchObject({ code: 'ERR_WEBEID_USER_CANCELLED' });
    const wrong = sign(certificate, hashOf(), 'SHA-512', { find });
    await expect(wrong).rejects.toMatchObject({ code: 'ERR_WEBEID_NATIVE_INVALID_ARGUMENT' });
    await instance.stop();
  });
});
