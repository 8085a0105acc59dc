/** A test authority with its services, and the tools for the levels of PDF signatures. */
import { createPrivateKey } from 'node:crypto';
import { parseCertificate } from '../../../src/signing/certificates/parse-certificate.ts';
import { prepareCmsSigner } from '../../../src/signing/cms/sign-cms.ts';
import type { CmsSigner } from '../../../src/signing/cms/cms-signer.ts';
import type { HttpClient } from '../../../src/signing/http-client.ts';
import { softwareSigner } from '../../../src/signing/keys/software-signer.ts';
import { createMaterialCollector } from '../../../src/signing/revocation/material-collector.ts';
import type { MaterialCollector } from '../../../src/signing/revocation/revocation-result.ts';
import { createTimestamper } from '../../../src/signing/timestamps/timestamper.ts';
import type { Timestamper } from '../../../src/signing/timestamps/timestamp-token.ts';
import {
  createTestAuthority,
  issueTestPerson,
  startTestServices,
  testServiceUrls,
  type TestIdentity,
  type TestServices,
} from '../../../src/test-authority/index.ts';

const http: HttpClient = {
  async send({ method, url, body, contentType }) {
    const response = await fetch(url, {
      method,
      body: body === undefined ? undefined : new Uint8Array(body),
      headers: contentType === undefined ? undefined : { 'content-type': contentType },
    });
    return {
      status: response.status,
      contentType: response.headers.get('content-type') ?? undefined,
      body: Buffer.from(await response.arrayBuffer()),
    };
  },
};

/** Everything needed for a level, from a single authority on this computer. */
export interface LongTermAuthority {
  readonly services: TestServices;
  readonly person: TestIdentity;
  /** Signs by the rules of PAdES, without time stamps. */
  readonly signer: CmsSigner;
  readonly timestamper: Timestamper;
  readonly collector: MaterialCollector;
  close(): Promise<void>;
}

/** Starts the services on a free port and issues a certificate to a person. */
export async function openLongTermAuthority(): Promise<LongTermAuthority> {
  const services = await startTestServices({
    port: 0,
    authority: (origin) => createTestAuthority({ urls: testServiceUrls(origin) }),
  });
  const person = await issueTestPerson(services.authority, { name: 'MARIA DE TESTE', cpf: '52998224725' });
  const key = createPrivateKey({ key: person.privateKey, format: 'der', type: 'pkcs8' });
  const signer = softwareSigner(key, person.certificate, person.chain);
  const now = (): Date => new Date();
  return {
    services,
    person,
    signer: prepareCmsSigner(signer, { digest: 'sha256', profile: 'cades', omitSigningTime: true }),
    timestamper: createTimestamper({
      authorities: [
        {
          id: 'test',
          url: services.timestampUrl,
          digest: 'sha256',
          authentication: { kind: 'none' },
          timeout: 10_000,
        },
      ],
      http,
      now,
    }),
    collector: createMaterialCollector({
      anchors: [parseCertificate(services.authority.root.certificate)],
      intermediates: [],
      http,
      now,
    }),
    close: () => services.close(),
  };
}
