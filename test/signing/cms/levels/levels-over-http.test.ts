/** Levels with the real timestamper and the real collector, against the test services. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createHttpClient } from '../../../../src/network/index.ts';
import {
  createMaterialCollector,
  createMemoryRevocationCache,
  createTimestamper,
  parseCertificate,
  raiseCms,
  verifyCms,
  type LevelServices,
} from '../../../../src/signing/index.ts';
import { readSignedData } from '../../../../src/signing/signed-data/signed-data.ts';
import {
  createTestAuthority,
  issueTestPerson,
  startTestServices,
  testServiceUrls,
  type TestIdentity,
  type TestServices,
} from '../../../../src/test-authority/index.ts';
import { verifyWithOpenssl } from '../../../oracles/openssl.ts';
import { MARIA_CPF } from '../../../pki/identities.ts';
import { makeScratchFolder } from '../scratch-folder.ts';
import { toPem } from '../test-identities.ts';
import { cadesSigner, content, signingTime } from './level-fixtures.ts';

const scratch = makeScratchFolder();
let services: TestServices;
let maria: TestIdentity;
let level: LevelServices;
let http: ReturnType<typeof createHttpClient>;
let trusted: string;

beforeAll(async () => {
  const authority = (origin: string) => createTestAuthority({ keyKind: 'ec-p256', urls: testServiceUrls(origin) });
  services = await startTestServices({ port: 0, authority });
  maria = await issueTestPerson(services.authority, { keyKind: 'ec-p256', name: 'MARIA DE TESTE', cpf: MARIA_CPF });
  trusted = scratch.write('root.pem', toPem(services.authority.root.certificate));
  http = createHttpClient({ allow: [services.origin.slice('http://'.length)] });
  const now = () => new Date();
  level = {
    timestamper: createTimestamper({
      authorities: [
        { id: 'test', url: services.timestampUrl, digest: 'sha256', authentication: { kind: 'none' }, timeout: 10_000 },
      ],
      http,
      now,
    }),
    collector: createMaterialCollector({
      http,
      cache: createMemoryRevocationCache(),
      anchors: [parseCertificate(services.authority.root.certificate)],
      intermediates: [],
    }),
  };
});

afterAll(async () => {
  await http.close();
  await services.close();
});

describe('levels with everything fetched', () => {
  it.each(['B-T', 'B-LT', 'B-LTA', 'AD-RT', 'AD-RV', 'AD-RC', 'AD-RA'] as const)('reaches %s', async (name) => {
    const cms = await cadesSigner(maria, { level: name, ...level }).signContent(content, signingTime);
    const signature = scratch.write(name, cms);
    expect(await verifyWithOpenssl({ signature, trusted, cades: true })).toMatchObject({ valid: true });
    expect(await verifyCms(cms)).toMatchObject({ intact: true });
    expect(readSignedData(cms).signers[0]!.unsignedAttributes.length).toBeGreaterThan(0);
  });

  it('does not raise the signature of a revoked certificate', async () => {
    const joao = await issueTestPerson(services.authority, {
      keyKind: 'ec-p256',
      name: 'JOAO DE TESTE',
      cpf: MARIA_CPF,
    });
    const cms = await cadesSigner(joao).signContent(content, signingTime);
    services.revoke(joao.certificate, { reason: 'keyCompromise' });
    await expect(raiseCms(cms, { level: 'B-LT', ...level })).rejects.toMatchObject({ code: 'CERTIFICATE_REVOKED' });
  });
});
