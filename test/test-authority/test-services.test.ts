import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createHttpClient } from '../../src/network/index.ts';
import { parseCertificate, writeOcspRequest } from '../../src/signing/index.ts';
import { readCrlHead } from '../../src/signing/revocation/crl/crl-head.ts';
import { readBasicResponse, unwrapOcspResponse } from '../../src/signing/revocation/ocsp/read-ocsp-response.ts';
import { verifyOcspResponse } from '../../src/signing/revocation/ocsp/verify-ocsp-response.ts';
import { RevocationOid } from '../../src/signing/revocation/revocation-sources.ts';
import {
  TestAuthorityError,
  createTestAuthority,
  issueTestPerson,
  startTestServices,
  testServiceUrls,
  type TestIdentity,
  type TestRevokedCertificate,
  type TestServices,
} from '../../src/test-authority/index.ts';
import { runProgram } from '../oracles/run-program.ts';
import { MARIA_CPF, authorityWith, personWith } from '../pki/identities.ts';
import { openssl, pem } from '../pki/openssl.ts';
import { writeIdentity } from '../pki/openssl-files.ts';
import { inFreshFolder } from '../pki/pkcs12-files.ts';

let services: TestServices;
beforeAll(async () => {
  services = await startTestServices({
    port: 0,
    authority: (origin) =>
      createTestAuthority({ keyKind: 'ec-p256', intermediate: true, urls: testServiceUrls(origin, true) }),
  });
});
afterAll(() => services.close());

const person = (): Promise<TestIdentity> =>
  issueTestPerson(services.authority, { keyKind: 'ec-p256', name: 'MARIA DE TESTE', cpf: MARIA_CPF });

const fetched = async (path: string): Promise<Buffer> => {
  const response = await fetch(`${services.origin}${path}`);
  expect(response.status, path).toBe(200);
  return Buffer.from(await response.arrayBuffer());
};

/** The output of openssl for a certificate, with the present revocation lists. */
async function verifyWithLists(identity: TestIdentity): Promise<string> {
  const lists = await Promise.all(['root', 'intermediate', 'issuing'].map((name) => fetched(`/crl/${name}.crl`)));
  return inFreshFolder(async (folder) => {
    const file = (name: string): string => join(folder, name);
    await writeIdentity(folder, 'subject', identity);
    await writeFile(file('root.pem'), pem('CERTIFICATE', identity.chain.at(-1)!));
    await writeFile(file('lists.pem'), lists.map((list) => pem('X509 CRL', list)).join(''));
    const rules = ['-x509_strict', '-crl_check_all', '-CRLfile', file('lists.pem')];
    const files = ['-CAfile', file('root.pem'), '-untrusted', file('subject-chain.pem'), file('subject.pem')];
    const { output, errors } = await runProgram('openssl', ['verify', ...rules, ...files]);
    return output + errors;
  });
}

/** The responder's answer to openssl about a certificate. */
async function askResponder(certificate: Buffer, chain: readonly Buffer[]): Promise<string> {
  return inFreshFolder(async (folder) => {
    const file = (name: string): string => join(folder, name);
    await writeFile(file('subject.pem'), pem('CERTIFICATE', certificate));
    await writeFile(file('issuer.pem'), pem('CERTIFICATE', chain[0]!));
    await writeFile(file('chain.pem'), chain.map((der) => pem('CERTIFICATE', der)).join(''));
    const asked = ['ocsp', '-issuer', file('issuer.pem'), '-cert', file('subject.pem')];
    const trust = ['-CAfile', file('chain.pem'), '-url', `${services.origin}/ocsp`];
    const { output, errors } = await runProgram('openssl', [...asked, ...trust]);
    return output + errors;
  });
}

describe('startTestServices', () => {
  it('gives time stamps verified by openssl', async () => {
    await inFreshFolder(async (folder) => {
      await writeFile(join(folder, 'data'), 'what is stamped');
      await writeIdentity(folder, 'tsa', services.timestampAuthority);
      await openssl(['ts', '-query', '-data', 'data', '-sha256', '-cert', '-out', 'query.tsq'], { folder });
      const post = ['-sS', '-f', '--data-binary', `@${join(folder, 'query.tsq')}`, '-o', join(folder, 'response.tsr')];
      const type = ['-H', 'Content-Type: application/timestamp-query'];
      expect(await runProgram('curl', [...post, ...type, services.timestampUrl])).toMatchObject({ code: 0 });
      const files = ['-in', 'response.tsr', '-queryfile', 'query.tsq', '-CAfile', 'tsa-chain.pem'];
      expect(await openssl(['ts', '-verify', ...files], { folder })).toContain('Verification: OK');
    });
  });

  it('gives lists and OCSP answers changing with a revocation, and back', async () => {
    const maria = await person();
    expect(await verifyWithLists(maria)).toContain('subject.pem: OK');
    expect(await askResponder(maria.certificate, maria.chain)).toMatch(
      /Response verify OK[^]*good|good[^]*Response verify OK/,
    );
    services.revoke(maria.certificate, { reason: 'certificateHold' });
    expect(await verifyWithLists(maria)).toContain('certificate revoked');
    expect(await askResponder(maria.certificate, maria.chain)).toContain('revoked');
    services.restore(maria.certificate);
    expect(await verifyWithLists(maria)).toContain('subject.pem: OK');
  });

  it('answers for every CA, a revoked CA included', async () => {
    const { issuing, intermediate } = services.authority;
    for (const authority of [issuing, intermediate!]) {
      const said = await askResponder(authority.certificate, authority.chain);
      expect(said).toContain('Response verify OK');
      expect(said).toContain('good');
    }
    services.revoke(issuing.certificate, { reason: 'caCompromise', at: new Date('2026-01-02T03:04:05Z') });
    expect(await askResponder(issuing.certificate, issuing.chain)).toContain('Jan  2 03:04:05 2026 GMT');
    expect(await verifyWithLists(await person())).toContain('certificate revoked');
    services.restore(issuing.certificate);
  });

  it('has a clock, lifetimes and years of its own, and tells the revocations by other programs', async () => {
    const at = new Date('2036-03-01T12:00:00Z');
    const revoked: TestRevokedCertificate[] = [];
    const later = await startTestServices({
      port: 0,
      authority: (origin) => createTestAuthority({ keyKind: 'ec-p256', urls: testServiceUrls(origin), years: 20 }),
      now: () => at,
      terms: { ocspLifetime: 60_000, crlLifetime: 120_000, years: 3 },
      readRevocations: () => Promise.resolve(revoked),
    });
    try {
      const { notAfter } = parseCertificate(later.timestampAuthority.certificate);
      expect(notAfter.getUTCFullYear()).toBe(2039);
      const subject = await issueTestPerson(later.authority, { keyKind: 'ec-p256', name: 'ANA', cpf: MARIA_CPF });
      const certificate = parseCertificate(subject.certificate);
      const issuer = parseCertificate(later.authority.issuing.certificate);
      const ask = async () => {
        const body = new Uint8Array(writeOcspRequest({ certificate, issuer }));
        const headers = { 'content-type': 'application/ocsp-request' };
        const answer = await fetch(`${later.origin}/ocsp`, { method: 'POST', body, headers });
        const response = readBasicResponse(unwrapOcspResponse(Buffer.from(await answer.arrayBuffer())));
        return verifyOcspResponse(response, { certificate, issuer });
      };
      const { answer, responder } = await ask();
      expect(answer).toMatchObject({ status: 'good', thisUpdate: at, nextUpdate: new Date(at.getTime() + 60_000) });
      expect(responder.extensions.has(RevocationOid.ocspNoCheck)).toBe(true);
      revoked.push({ certificate: subject.certificate, at, reason: 'keyCompromise' });
      expect((await ask()).answer.revocation).toEqual({ time: at, reason: 'keyCompromise' });
      const list = await fetch(`${later.origin}/crl/issuing.crl`);
      const bytes = Buffer.from(await list.arrayBuffer());
      const { nextUpdate } = readCrlHead(bytes, bytes.length);
      expect(nextUpdate).toEqual(new Date(at.getTime() + 120_000));
    } finally {
      await later.close();
    }
  });

  it('is where its certificates point to, from the person up to the root', async () => {
    const maria = await person();
    const http = createHttpClient({ allow: [services.origin.slice('http://'.length)] });
    for (const [index, certificate] of [maria.certificate, ...maria.chain.slice(0, -1)].entries()) {
      const text = [...parseCertificate(certificate).extensions.values()].map(({ value }) => value.toString('latin1'));
      const urls = text.join('\n').match(/http:\/\/127\.0\.0\.1:\d+\/[a-z./]*(?:crl|crt|ocsp)/g) ?? [];
      expect(urls.filter((url) => url.endsWith('.crl'))).toHaveLength(2);
      expect(urls.some((url) => url.endsWith('/ocsp'))).toBe(true);
      const issuerUrl = urls.find((url) => url.endsWith('.crt'))!;
      const answer = await http.send({ method: 'GET', url: issuerUrl, timeout: 5_000, maxBytes: 10_000 });
      expect(answer).toMatchObject({ status: 200, contentType: 'application/pkix-cert', body: maria.chain[index]! });
    }
    await http.close();
  });

  it('answers OCSP by GET, and refuses other requests', async () => {
    const send = (path: string, init?: RequestInit): Promise<Response> => fetch(`${services.origin}${path}`, init);
    expect(await (await send('/')).text()).toContain('SEM VALOR LEGAL');
    const answer = await send(`/ocsp/${encodeURIComponent('MAA=')}`);
    expect(answer.headers.get('content-type')).toBe('application/ocsp-response');
    expect((await send('/ocsp/%')).status).toBe(400);
    expect((await send('/elsewhere')).status).toBe(404);
    expect((await send('/crl/other.crl')).status).toBe(404);
    expect((await send('/tsa', { method: 'PUT' })).status).toBe(405);
    expect((await send('/tsa', { method: 'POST', body: 'x' })).status).toBe(415);
    const large = {
      method: 'POST',
      body: Buffer.alloc(70_000),
      headers: { 'content-type': 'application/ocsp-request' },
    };
    expect((await send('/ocsp', large)).status).toBe(413);
  });

  it('takes an existing authority, revokes only its certificates, and tells of a taken port', async () => {
    const authority = await authorityWith();
    const second = await startTestServices({ authority, port: 0 });
    const maria = await personWith();
    second.revoke(maria.certificate);
    expect(() => services.revoke(maria.certificate)).toThrow(TestAuthorityError);
    expect(second.urls).toEqual(testServiceUrls(second.origin));
    const port = Number(new URL(second.origin).port);
    await expect(startTestServices({ authority, port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
    await second.close();
    await expect(fetch(second.origin)).rejects.toThrow();
  });
});
