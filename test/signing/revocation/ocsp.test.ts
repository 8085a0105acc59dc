import { describe, expect, it } from 'vitest';
import {
  parseCertificate,
  readBasicResponse,
  unwrapOcspResponse,
  verifyOcspResponse,
  writeOcspRequest,
  type Certificate,
  type VerifiedAnswer,
} from '../../../src/signing/index.ts';
import {
  answerOcspRequest,
  createTestAuthority,
  issueTestResponder,
  issueTestServer,
  type TestIdentity,
  type TestOcspOptions,
} from '../../../src/test-authority/index.ts';

const nonce = Buffer.alloc(32, 7);
const keyKind = 'ec-p256';

const authority = await createTestAuthority({ keyKind });
const issuer = parseCertificate(authority.issuing.certificate);
const delegate = await issueTestResponder(authority, { keyKind });
const subject = await issueTestServer(authority, { keyKind, hosts: ['example.br'] });
const certificate = parseCertificate(subject.certificate);
const question = { certificate, issuer, nonce };

const good: TestOcspOptions['statusOf'] = () => ({ status: 'good' });

function respond(options: Partial<TestOcspOptions> & { readonly request?: Buffer } = {}): Buffer {
  const { request = writeOcspRequest(question), ...rest } = options;
  return answerOcspRequest(request, { issuer: issuer.der, responder: delegate, statusOf: good, ...rest });
}

const judge = (
  response: Buffer,
  expected: { readonly nonce?: Buffer; readonly known?: readonly Certificate[] } = { nonce },
): VerifiedAnswer =>
  verifyOcspResponse(readBasicResponse(unwrapOcspResponse(response)), { certificate, issuer, ...expected });

const namedLike = async (): Promise<TestIdentity> => {
  const other = await createTestAuthority({ keyKind });
  return issueTestResponder(other, { keyKind });
};
const expired = { notBefore: new Date('2020-01-01'), notAfter: new Date('2021-01-01') };

describe('verifyOcspResponse', () => {
  it.each([
    ['the issuer itself, by key', { responder: authority.issuing }],
    ['the issuer itself, by name', { responder: authority.issuing, responderId: 'byName' }],
    ['a delegate, by key', {}],
    ['a delegate, by name', { responderId: 'byName' }],
    ['a responder that does not repeat the nonce', { repeatNonce: false }],
    ['a responder without a next update', { nextUpdate: null }],
  ] as const)('accepts %s', (_, options) => {
    expect(judge(respond(options)).answer.status).toBe('good');
  });

  it('finds the certificate of a responder sending none among the known certificates', () => {
    const response = respond({ withCertificate: false });
    expect(() => judge(response)).toThrow(expect.objectContaining({ code: 'SIGNATURE_INVALID' }));
    expect(judge(response, { known: [parseCertificate(delegate.certificate)] }).answer.status).toBe('good');
  });

  it.each([
    ['a certificate of the issuer that is not for OCSP', () => Promise.resolve(subject)],
    ['a responder of another authority with the same name', namedLike],
    ['a responder whose certificate had expired', () => issueTestResponder(authority, { keyKind, ...expired })],
  ] as const)('refuses %s', async (_, make) => {
    const response = respond({ responder: await make() });
    expect(() => judge(response)).toThrow(expect.objectContaining({ code: 'SIGNATURE_INVALID' }));
  });

  it('refuses the answer to another request', () => {
    const request = writeOcspRequest({ ...question, nonce: Buffer.alloc(32, 8) });
    expect(() => judge(respond({ request }))).toThrow(expect.objectContaining({ code: 'SIGNATURE_INVALID' }));
  });

  it('refuses an answer about another certificate, or about the same number of another issuer', async () => {
    const other = await issueTestServer(authority, { keyKind, hosts: ['other.br'] });
    const request = writeOcspRequest({ certificate: parseCertificate(other.certificate), issuer });
    expect(() => judge(respond({ request }))).toThrow(expect.objectContaining({ code: 'REVOCATION_UNKNOWN' }));
    const stranger = parseCertificate((await createTestAuthority({ keyKind })).issuing.certificate);
    const elsewhere = writeOcspRequest({ certificate, issuer: stranger });
    expect(() => judge(respond({ request: elsewhere }))).toThrow(
      expect.objectContaining({ code: 'REVOCATION_UNKNOWN' }),
    );
  });

  it('tells the refusal of the responder in a sentence', () => {
    const damaged = Buffer.from('3000', 'hex');
    expect(() => judge(respond({ request: damaged }))).toThrow('The OCSP responder finds the request malformed.');
  });
});
