import { createHash, verify, X509Certificate } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Sinete } from '../../src/client/index.ts';
import { verifyCms } from '../../src/signing/index.ts';
import { startRealInstance, type RealInstance } from '../interface/real-instance.ts';

describe('the client signs hashes', () => {
  let instance: RealInstance;
  let sinete: Sinete;
  const document = Buffer.from('a document that stays with the program');
  const hash = createHash('sha256').update(document).digest();

  beforeAll(async () => {
    instance = await startRealInstance({ approve: 'all' });
    const calls = instance.sinete.handlers['user-interface'];
    await calls['certificates.makeTestIdentity']({ name: 'ANA LIMA', cpf: '11144477735' });
    const [recovery = ''] = await instance.enrol('ANA LIMA', '11144477735');
    await calls['assistant.add']({ username: '11144477735', code: recovery });
    sinete = await Sinete.at(instance.url);
  });
  afterAll(async () => instance.stop());

  it('with the bare signature, by the certificate that it lists', async () => {
    const [certificate] = await sinete.listCertificates();
    expect(certificate).toMatchObject({ subjectName: expect.stringContaining('ANA LIMA') as string, present: true });
    expect(certificate!.validTo.getTime()).toBeGreaterThan(Date.now());
    const der = await sinete.readCertificate(certificate!.thumbprint);
    expect(Buffer.from(await sinete.readCertificate(certificate!.alias))).toEqual(Buffer.from(der));
    const { publicKey } = new X509Certificate(der);
    const signature = await sinete.signHash(hash, { certificate: certificate!.alias });
    expect(verify('sha256', document, publicKey, signature)).toBe(true);
    const ofData = await sinete.signData(document, { certificate: certificate!.alias, hashAlgorithm: 'SHA512' });
    expect(verify('sha512', document, publicKey, ofData)).toBe(true);
  });

  it('with a signature file', async () => {
    const signature = await sinete.signHash({ hash, name: 'contract.pdf' }, { format: 'CAdES-detached' });
    expect((await verifyCms(signature, document)).intact).toBe(true);
  });

  it('by the thousand, in order', async () => {
    const contents = Array.from({ length: 1200 }, (_one, index) => Buffer.from(`document ${index}`));
    const hashes = contents.map((content) => createHash('sha256').update(content).digest());
    const signed = await sinete.signHashes(hashes, { format: 'CMS-detached' });
    expect(signed).toHaveLength(1200);
    for (const place of [0, 1000, 1199]) {
      const one = signed[place]!;
      expect(one.status).toBe('SIGNED');
      if (one.status === 'SIGNED') expect((await verifyCms(one.signature, contents[place])).intact).toBe(true);
    }
  });

  it('and tells the field of a wrong hash', async () => {
    await expect(sinete.signHash(hash.subarray(1))).rejects.toMatchObject({
      code: 'INPUT_INVALID',
      problem: { errors: [{ field: 'hashes[0].hash' }] },
    });
    await expect(sinete.signHashes([])).rejects.toMatchObject({ code: 'INPUT_INVALID' });
    await expect(sinete.readCertificate('nobody')).rejects.toMatchObject({ code: 'INPUT_INVALID' });
  });
});
