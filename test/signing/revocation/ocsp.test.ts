import { readFileSync } from 'node:fs';
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
import { openssl, pem } from '../../pki/openssl.ts';
import { keyPurposes, makeParty } from '../certificates/path/path-pki.ts';
import { makeScratchFolder } from '../cms/scratch-folder.ts';
import { expectOnlyOurErrors } from './mutations.ts';

const scratch = makeScratchFolder();
const folder = scratch.path('');
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

describe('OCSP against OpenSSL', () => {
  const ca = makeParty({ name: 'Issuer' });
  const ocsp = makeParty({
    name: 'Responder',
    issuer: ca,
    keyUsage: [0],
    extensions: [keyPurposes(['1.3.6.1.5.5.7.3.9'])],
  });
  const holders = ['V', 'R', 'absent'].map((state) => ({ state, ...makeParty({ name: state, issuer: ca }) }));

  async function ask(holder: Certificate, ownNonce: Buffer, options: readonly string[]): Promise<Buffer> {
    const line = ({ state, certificate: one }: (typeof holders)[number]): string => {
      const revoked = state === 'R' ? '251201000000Z,superseded' : '';
      return `${state}\t400101000000Z\t${revoked}\t${one.serialNumber.toString('hex').toUpperCase()}\tunknown\t/CN=x\n`;
    };
    scratch.write(
      'index.txt',
      holders
        .filter(({ state }) => state !== 'absent')
        .map(line)
        .join(''),
    );
    scratch.write('ca.pem', pem('CERTIFICATE', ca.certificate.der));
    scratch.write('ocsp.pem', pem('CERTIFICATE', ocsp.certificate.der));
    scratch.write('ocsp.key', ocsp.key.privateKey.export({ format: 'pem', type: 'pkcs8' }));
    scratch.write('request', writeOcspRequest({ certificate: holder, issuer: ca.certificate, nonce: ownNonce }));
    const files = ['-index', 'index.txt', '-CA', 'ca.pem', '-rsigner', 'ocsp.pem', '-rkey', 'ocsp.key'];
    await openssl(['ocsp', ...files, '-reqin', 'request', '-respout', 'response', '-ndays', '1', ...options], {
      folder,
    });
    return readFileSync(scratch.path('response'));
  }

  it.each([
    ['good', 0, []],
    ['revoked', 1, ['-resp_key_id']],
    ['unknown', 2, []],
  ] as const)('reads the answer %s to its own request', async (status, number, options) => {
    const holder = holders[number]?.certificate;
    if (holder === undefined) throw new Error('there are three holders');
    const response = readBasicResponse(unwrapOcspResponse(await ask(holder, nonce, options)));
    expect(response.nonce).toEqual(nonce);
    const expected = { certificate: holder, issuer: ca.certificate, nonce };
    const { answer, responder } = verifyOcspResponse(response, expected);
    expect(answer.status).toBe(status);
    expect(responder.fingerprint).toBe(ocsp.certificate.fingerprint);
    if (status === 'revoked') {
      expect(answer.revocation).toEqual({ time: new Date('2025-12-01'), reason: 'superseded' });
    }
  });
});

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

  it('finds the certificate of a responder that leaves it out among those that are known', () => {
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

  it('refuses an answer about another certificate, or about one with the same number of another issuer', async () => {
    const other = await issueTestServer(authority, { keyKind, hosts: ['other.br'] });
    const request = writeOcspRequest({ certificate: parseCertificate(other.certificate), issuer });
    expect(() => judge(respond({ request }))).toThrow(expect.objectContaining({ code: 'REVOCATION_UNKNOWN' }));
    const stranger = parseCertificate((await createTestAuthority({ keyKind })).issuing.certificate);
    const elsewhere = writeOcspRequest({ certificate, issuer: stranger });
    expect(() => judge(respond({ request: elsewhere }))).toThrow(
      expect.objectContaining({ code: 'REVOCATION_UNKNOWN' }),
    );
  });

  it('says in a sentence that the responder refused', () => {
    const damaged = Buffer.from('3000', 'hex');
    expect(() => judge(respond({ request: damaged }))).toThrow('The OCSP responder finds the request malformed.');
  });

  it('throws nothing but SigningError for mutated responses, and believes none that says otherwise', async () => {
    const response = respond();
    const read = (bytes: Buffer): VerifiedAnswer => judge(bytes);
    await expectOnlyOurErrors(response, read, ({ answer }) => answer.status === 'good');
  });
});
