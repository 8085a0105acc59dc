import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { parseCertificate } from '../../src/signing/index.ts';
import { concernsAuthority } from '../../src/test-authority/answer-ocsp.ts';
import {
  answerOcspRequest,
  issueTestResponder,
  type TestCertificateStatus,
  type TestIdentity,
  type TestKeyKind,
  type TestOcspOptions,
} from '../../src/test-authority/index.ts';
import { authorityWith, personWith } from '../pki/identities.ts';
import { startLoopbackServer } from '../network/loopback-server.ts';
import { pem } from '../pki/openssl.ts';
import { runProgram } from '../oracles/run-program.ts';
import { inFreshFolder } from '../pki/pkcs12-files.ts';

const GOOD: TestCertificateStatus = { status: 'good' };
const REVOKED: TestCertificateStatus = {
  status: 'revoked',
  at: new Date('2026-03-04T05:06:07Z'),
  reason: 'keyCompromise',
};

type Question = Omit<Partial<TestOcspOptions>, 'responder'> & {
  readonly responder: TestIdentity;
  readonly requestParameters?: readonly string[];
};

/**
 * The output of openssl after an OCSP request about `person` over HTTP. openssl checks the signature, its path and the
 * nonce.
 */
async function askWithOpenssl(person: TestIdentity, { requestParameters = [], ...options }: Question): Promise<string> {
  const [issuer, ...above] = person.chain;
  const server = await startLoopbackServer((request, response) => {
    void buffer(request).then((body) => {
      const answer = answerOcspRequest(body, { issuer: issuer!, statusOf: () => GOOD, ...options });
      response.writeHead(200, { 'content-type': 'application/ocsp-response' }).end(answer);
    });
  });
  try {
    return await inFreshFolder(async (folder) => {
      const file = (name: string): string => join(folder, name);
      await writeFile(file('person.pem'), pem('CERTIFICATE', person.certificate));
      await writeFile(file('issuer.pem'), pem('CERTIFICATE', issuer!));
      await writeFile(file('roots.pem'), above.map((der) => pem('CERTIFICATE', der)).join(''));
      const question = ['ocsp', ...requestParameters, '-issuer', file('issuer.pem'), '-cert', file('person.pem')];
      const trust = ['-CAfile', file('roots.pem'), '-verify_other', file('issuer.pem')];
      const { output, errors } = await runProgram('openssl', [...question, ...trust, '-url', server.origin, '-text']);
      return `${output}\n${errors}`;
    });
  } finally {
    await server.close();
  }
}

describe('answerOcspRequest', () => {
  it.each<TestKeyKind>(['rsa-2048', 'ec-p256', 'ec-p384', 'ed25519'])(
    'with %s keys gives delegated answers verified by openssl',
    async (keyKind) => {
      const person = await personWith();
      const responder = await issueTestResponder(await authorityWith(), { keyKind });
      const said = await askWithOpenssl(person, { responder });
      expect(said).toContain('Response verify OK');
      expect(said).toContain('Cert Status: good');
    },
  );

  it('is accepted when the CA answers itself, named by its name', async () => {
    const person = await personWith();
    const { issuing } = await authorityWith();
    const said = await askWithOpenssl(person, { responder: issuing, responderId: 'byName', withCertificate: false });
    expect(said).toContain('Response verify OK');
    expect(said).toContain('Responder Id: C = BR');
  });

  it.each([
    ['good', GOOD, /Cert Status: good/],
    ['revoked, with time and reason', REVOKED, /Cert Status: revoked\n.*Mar {2}4 05:06:07 2026 GMT\n.*keyCompromise/],
    ['unknown', { status: 'unknown' } as const, /Cert Status: unknown/],
  ])('calls a certificate %s', async (_what, status, shown) => {
    const responder = await issueTestResponder(await authorityWith(), { keyKind: 'ec-p256' });
    const person = await personWith();
    let asked: Buffer | undefined;
    const said = await askWithOpenssl(person, {
      responder,
      statusOf: (serialNumber) => {
        asked = serialNumber;
        return status;
      },
    });
    expect(said).toMatch(shown);
    expect(asked).toEqual(parseCertificate(person.certificate).serialNumber);
  });

  it('knows identifiers by SHA-1 and by SHA-256', async () => {
    const responder = await issueTestResponder(await authorityWith(), { keyKind: 'ec-p256' });
    for (const digest of ['-sha1', '-sha256']) {
      const said = await askWithOpenssl(await personWith(), { responder, requestParameters: [digest] });
      expect(said).toContain('Cert Status: good');
      expect(said).toContain(`Hash Algorithm: ${digest.slice(1)}`);
    }
  });

  it('repeats the nonce unless told not to', async () => {
    const responder = await issueTestResponder(await authorityWith(), { keyKind: 'ec-p256' });
    const person = await personWith();
    expect(await askWithOpenssl(person, { responder })).not.toContain('WARNING: no nonce in response');
    expect(await askWithOpenssl(person, { responder, repeatNonce: false })).toContain('no nonce in response');
    expect(await askWithOpenssl(person, { responder, requestParameters: ['-no_nonce'] })).not.toContain('Nonce');
  });

  it('says when its answer was made, and until when it holds', async () => {
    const responder = await issueTestResponder(await authorityWith(), { keyKind: 'ec-p256' });
    const now = new Date('2026-05-06T07:08:09.999Z');
    const said = await askWithOpenssl(await personWith(), { responder, now });
    expect(said).toContain('Produced At: May  6 07:08:09 2026 GMT');
    expect(said).toContain('Next Update: May  6 08:08:09 2026 GMT');
    expect(await askWithOpenssl(await personWith(), { responder, now, nextUpdate: null })).not.toContain('Next Update');
  });

  it('knows nothing of certificates of other authorities', async () => {
    const other = await authorityWith('rsa-2048');
    const responder = await issueTestResponder(other, { keyKind: 'ec-p256' });
    const said = await askWithOpenssl(await personWith(), { responder, issuer: other.issuing.certificate });
    expect(said).toContain('Cert Status: unknown');
  });

  it('answers what is no request with malformedRequest', async () => {
    const { issuing } = await authorityWith();
    const options = { issuer: issuing.certificate, responder: issuing, statusOf: () => GOOD };
    for (const hex of ['', '3000', '30023000', '68656c6c6f']) {
      const request = Buffer.from(hex, 'hex');
      expect(answerOcspRequest(request, options)).toEqual(Buffer.from('30030a0101', 'hex'));
      expect(concernsAuthority(request, issuing.certificate)).toBe(false);
    }
  });
});
