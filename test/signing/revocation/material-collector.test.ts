import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  CrlIndex,
  createMaterialCollector,
  createMemoryRevocationCache,
  createPathCompleter,
  parseCertificate,
  readBasicResponse,
  verifyOcspResponse,
  type Certificate,
  type HttpClient,
  type MaterialCollector,
  type MaterialCollectorOptions,
} from '../../../src/signing/index.ts';
import {
  createTestAuthority,
  issueTestServer,
  startTestServices,
  testServiceUrls,
  type TestIdentity,
  type TestServices,
} from '../../../src/test-authority/index.ts';
import { dropUndefined } from '../../../src/values/drop-undefined.ts';

const keyKind = 'ec-p256';

/** Exchanges over the loopback address, in the way of a network layer. */
const http: HttpClient = {
  async send({ method, url, contentType, body }) {
    const headers = dropUndefined({ 'content-type': contentType });
    const content = dropUndefined({ body: body === undefined ? undefined : Buffer.from(body) });
    const response = await fetch(url, { method, headers, ...content });
    const type = response.headers.get('content-type') ?? undefined;
    return { status: response.status, contentType: type, body: Buffer.from(await response.arrayBuffer()) };
  },
};

let services: TestServices;
let holder: TestIdentity;
let certificate: Certificate;
let root: Certificate;

beforeAll(async () => {
  const make = (origin: string) => createTestAuthority({ keyKind, urls: testServiceUrls(origin) });
  services = await startTestServices({ port: 0, authority: make });
  holder = await issueTestServer(services.authority, { keyKind, hosts: ['example.br'] });
  certificate = parseCertificate(holder.certificate);
  root = parseCertificate(services.authority.root.certificate);
});

afterAll(() => services.close());

const collector = (options: Partial<MaterialCollectorOptions> = {}): MaterialCollector =>
  createMaterialCollector({
    http,
    cache: createMemoryRevocationCache(),
    anchors: [root],
    intermediates: [],
    ...options,
  });

describe('MaterialCollector.collect, against the test services', () => {
  it('fetches the missing issuer and gathers evidence for every certificate below the anchor', async () => {
    const material = await collector().collect(certificate, [], new Date());
    const issuer = parseCertificate(services.authority.issuing.certificate);
    const fingerprints = material.certificates.map(({ fingerprint }) => fingerprint);
    expect(fingerprints.slice(0, 3)).toEqual([certificate, issuer, root].map(({ fingerprint }) => fingerprint));
    expect(new Set(fingerprints).size).toBe(fingerprints.length);
    expect(material.ocspResponses.length + material.crls.length).toBeGreaterThanOrEqual(2);
    for (const [subject, above] of [
      [certificate, issuer],
      [issuer, root],
    ] as const) {
      const expected = { certificate: subject, issuer: above, known: material.certificates };
      const byOcsp = material.ocspResponses.some((der) => {
        try {
          return verifyOcspResponse(readBasicResponse(der), expected).answer.status === 'good';
        } catch {
          return false;
        }
      });
      const lists = await Promise.all(material.crls.map((der) => CrlIndex.build(der, above).catch(() => undefined)));
      expect(byOcsp || lists.some((list) => list !== undefined && list.find(subject.serialNumber) === undefined)).toBe(
        true,
      );
    }
  });

  it('rejects with CERTIFICATE_REVOKED for a revoked certificate', async () => {
    const other = await issueTestServer(services.authority, { keyKind, hosts: ['revoked.br'] });
    const time = new Date('2026-01-01');
    services.revoke(other.certificate, { reason: 'keyCompromise', at: time });
    const collected = collector().collect(parseCertificate(other.certificate), [], new Date());
    await expect(collected).rejects.toMatchObject({ code: 'CERTIFICATE_REVOKED' });
  });

  it('rejects with REVOCATION_UNKNOWN when nobody answers, and names each silent server', async () => {
    const known = holder.chain.map(parseCertificate);
    const collected = collector({
      http: { send: () => Promise.resolve({ status: 503, contentType: undefined, body: Buffer.alloc(0) }) },
    });
    await expect(collected.collect(certificate, known, new Date())).rejects.toMatchObject({
      code: 'REVOCATION_UNKNOWN',
      message: expect.stringContaining('answered with status 503') as unknown,
    });
  });

  it('rejects with CHAIN_INCOMPLETE without the anchor, and without a way to the issuer', async () => {
    const stranger = parseCertificate((await createTestAuthority({ keyKind })).root.certificate);
    const elsewhere = collector({ anchors: [stranger] }).collect(certificate, [], new Date());
    await expect(elsewhere).rejects.toMatchObject({ code: 'CHAIN_INCOMPLETE' });
    const offline = { anchors: [root], intermediates: [] };
    const alone = createMaterialCollector(offline).collect(certificate, [], new Date());
    await expect(alone).rejects.toMatchObject({ code: 'CHAIN_INCOMPLETE' });
  });

  it('rejects with CANCELLED when cancelled before the beginning', async () => {
    const collected = collector().collect(certificate, [], new Date(), AbortSignal.abort());
    await expect(collected).rejects.toMatchObject({ code: 'CANCELLED' });
  });
});

describe('createPathCompleter', () => {
  it('completes a path from the addresses in the certificates, and asks each only once', async () => {
    let exchanges = 0;
    const counting: HttpClient = { send: (request) => (exchanges++, http.send(request)) };
    const complete = createPathCompleter({ http: counting, cache: createMemoryRevocationCache() });
    const request = { certificate, intermediates: [], anchors: [root], at: new Date() };
    const results = await Promise.all([complete(request), complete(request)]);
    expect(results.map(({ outcome }) => outcome)).toEqual(['valid', 'valid']);
    expect(exchanges).toBe(1);
  });
});
