/** OCSP with OpenSSL as the responder, and damaged responses. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  readBasicResponse,
  unwrapOcspResponse,
  verifyOcspResponse,
  writeOcspRequest,
  type Certificate,
} from '../../../src/signing/index.ts';
import { openssl, pem } from '../../pki/openssl.ts';
import { keyPurposes, makeParty } from '../certificates/path/path-pki.ts';
import { makeScratchFolder } from '../cms/scratch-folder.ts';
import { expectOnlyOurErrors } from './mutations.ts';

const scratch = makeScratchFolder();
const folder = scratch.path('');
const nonce = Buffer.alloc(32, 7);

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

  it('throws nothing but SigningError for mutated responses, and believes no false status', async () => {
    const [holder] = holders;
    if (holder === undefined) throw new Error('there are three holders');
    const response = await ask(holder.certificate, nonce, []);
    const expected = { certificate: holder.certificate, issuer: ca.certificate, nonce };
    const read = (bytes: Buffer) => verifyOcspResponse(readBasicResponse(unwrapOcspResponse(bytes)), expected);
    await expectOnlyOurErrors(response, read, ({ answer }) => answer.status === 'good');
  });
});
