import { createPrivateKey } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  SigningError,
  derContext,
  derOid,
  derSequence,
  parseCertificate,
  prepareCmsSigner,
  readTimestampToken,
  softwareSigner,
  verifyTimestampToken,
  type TimestampToken,
} from '../../../src/signing/index.ts';
import { readTimestampResponse, writeTimestampRequest } from '../../../src/signing/timestamps/timestamp-response.ts';
import { answerTimestampRequest } from '../../../src/test-authority/index.ts';
import { icpBrasilPki, type PkiBranch } from '../../pki/icp-brasil-pki.ts';
import { IMPRINT, now } from './timestamp-fixtures.ts';

const imprint = { algorithm: 'sha256', value: IMPRINT } as const;

let branch: PkiBranch;
let token: TimestampToken;
let bareToken: Buffer;
beforeAll(async () => {
  branch = (await icpBrasilPki()).v12;
  const request = writeTimestampRequest({ digest: 'sha256', imprint: IMPRINT, policy: undefined, nonce: Buffer.of(9) });
  token = readTimestampToken(readTimestampResponse(answerTimestampRequest(branch.timestampAuthority, request)));
  // The last byte of the request is certReq.
  request[request.length - 1] = 0;
  bareToken = readTimestampResponse(answerTimestampRequest(branch.timestampAuthority, request));
});

describe('verifyTimestampToken', () => {
  it('finds a good token valid, and names its signer', async () => {
    const verified = await verifyTimestampToken(token, { imprint, at: now() });
    expect(verified).toMatchObject({ outcome: 'valid', digestAlgorithm: 'sha256' });
    expect(verified.certificate?.der).toEqual(branch.timestampAuthority.certificate);
    expect(verified.problem).toBeUndefined();
  });

  it('cannot tell without the authority’s certificate, and can with the certificate', async () => {
    const bare = readTimestampToken(bareToken);
    expect(await verifyTimestampToken(bare, { imprint, at: now() })).toMatchObject({
      outcome: 'unknown',
      problem: expect.stringContaining('certificate') as string,
    });
    const certificates = [parseCertificate(branch.timestampAuthority.certificate)];
    expect(await verifyTimestampToken(bare, { imprint, at: now(), certificates })).toMatchObject({ outcome: 'valid' });
  });

  it.each([
    ['another digest', { algorithm: 'sha256', value: Buffer.alloc(32) }],
    ['the same bytes by another hash function', { algorithm: 'sha384', value: IMPRINT }],
  ] as const)('finds a token for %s invalid', async (_what, other) => {
    expect(await verifyTimestampToken(token, { imprint: other, at: now() })).toMatchObject({ outcome: 'invalid' });
  });

  it('asks about the path as of the given time', async () => {
    const at = new Date('2030-01-01T00:00:00Z');
    const asked: Date[] = [];
    const verified = await verifyTimestampToken(token, {
      imprint,
      at,
      validateChain: (_certificate, others, time) => {
        asked.push(time);
        return Promise.resolve(others.length === 4 ? 'The root is not trusted.' : undefined);
      },
    });
    expect(verified).toMatchObject({ outcome: 'invalid', problem: 'The root is not trusted.' });
    expect(asked).toEqual([at]);
  });

  it('takes a document’s signature for no time stamp', async () => {
    const { privateKey, certificate, chain } = branch.person;
    const key = createPrivateKey({ key: privateKey, format: 'der', type: 'pkcs8' });
    const signer = prepareCmsSigner(softwareSigner(key, certificate, chain), { digest: 'sha256', profile: 'cades' });
    const signature = await signer.signContent(Buffer.from('content'), now());
    expect(() => readTimestampToken(signature)).toThrow(SigningError);
    await expect(verifyTimestampToken({ der: signature }, { imprint, at: now() })).rejects.toMatchObject({
      code: 'TIMESTAMP_INVALID',
    });
    const other = derSequence(derOid('1.2.840.113549.1.7.1'), derContext(0, Buffer.alloc(0)));
    expect(() => readTimestampToken(other)).toThrow('not a time stamp, or it is damaged');
  });
});
