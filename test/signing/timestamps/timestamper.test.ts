import { hash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  SigningError,
  createTimestamper,
  derInteger,
  derNamedBits,
  derSequence,
  derUtf8String,
  readTimestampToken,
  type HttpClient,
  type SigningErrorCode,
  type TimestampAuthority,
  type TimestamperOptions,
} from '../../../src/signing/index.ts';
import { writeTimestampRequest } from '../../../src/signing/timestamps/timestamp-response.ts';
import { createHttpClient } from '../../../src/network/index.ts';
import { answerTimestampRequest, startTestServices, type TestIdentity } from '../../../src/test-authority/index.ts';
import { defectiveTimestampAuthority, icpBrasilPki, type TimestampDefect } from '../../pki/icp-brasil-pki.ts';
import { openssl } from '../../pki/openssl.ts';
import { writeIdentity } from '../../pki/openssl-files.ts';
import { inFreshFolder } from '../../pki/pkcs12-files.ts';
import { CONTENT, IMPRINT, authorityWith, now, replyWith, scriptedHttp, stampedBy } from './timestamp-fixtures.ts';

const tsaOfPki = async (): Promise<TestIdentity> => (await icpBrasilPki()).v5.timestampAuthority;

const timestamperWith = (http: HttpClient, more: Partial<TimestamperOptions> = {}) =>
  createTimestamper({ authorities: [authorityWith()], http, now, ...more });

async function failureOf(stamped: Promise<unknown>): Promise<SigningError> {
  const error: unknown = await stamped.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(SigningError);
  return error as SigningError;
}

describe('the request for a time stamp', () => {
  it.each([
    ['sha256', undefined, 'a1b2c3d4e5f60718'],
    ['sha384', '1.2.3.4.5', '7f00000000000001'],
    ['sha512', '2.16.76.1.6.2', '00ff'],
  ] as const)('by %s with policy %s is byte for byte the request of openssl', async (digest, policy, nonceHex) => {
    await inFreshFolder(async (folder) => {
      await writeFile(join(folder, 'data'), CONTENT);
      const parameters = [
        '-data',
        'data',
        `-${digest}`,
        '-cert',
        ...(policy === undefined ? [] : ['-tspolicy', policy]),
      ];
      await openssl(['ts', '-query', ...parameters, '-out', 'query.tsq'], { folder });
      const theirs = await readFile(join(folder, 'query.tsq'));
      const shown = await openssl(['ts', '-query', '-in', 'query.tsq', '-text'], { folder });
      const nonce = /Nonce: 0x([0-9A-F]+)/.exec(shown)?.[1] ?? '';
      const imprint = hash(digest, CONTENT, 'buffer');
      const ours = writeTimestampRequest({ digest, imprint, policy, nonce: Buffer.from(nonce, 'hex') });
      expect(ours).toEqual(theirs);
      const fixed = writeTimestampRequest({ digest, imprint, policy, nonce: Buffer.from(nonceHex, 'hex') });
      await writeFile(join(folder, 'ours.tsq'), fixed);
      const described = await openssl(['ts', '-query', '-in', 'ours.tsq', '-text'], { folder });
      expect(described).toContain('Certificate required: yes');
      expect(BigInt(/Nonce: (0x[0-9A-F]+)/.exec(described)?.[1] ?? '-1')).toBe(BigInt(`0x${nonceHex}`));
    });
  });
});

describe('createTimestamper', () => {
  it('answers with a checked token, after a request in the form of RFC 3161', async () => {
    const http = scriptedHttp({ 'tsa.example': stampedBy(await tsaOfPki()) });
    const timestamper = timestamperWith(http);
    const before = Math.floor(Date.now() / 1000) * 1000;
    const token = await timestamper.stamp(IMPRINT);
    const after = Date.now();
    expect(timestamper.digest).toBe('sha256');
    expect(token.imprint).toEqual({ algorithm: 'sha256', value: IMPRINT });
    expect(token.certificate?.der).toEqual((await tsaOfPki()).certificate);
    expect(token.certificates).toHaveLength(4);
    expect(token.accuracy).toBe(1000);
    expect(token.time.getTime()).toBeGreaterThanOrEqual(before);
    expect(token.time.getTime()).toBeLessThanOrEqual(after);
    expect(http.sent).toMatchObject([
      { method: 'POST', contentType: 'application/timestamp-query', accept: 'application/timestamp-reply' },
    ]);
  });

  it('takes the answers of openssl’s own authority', async () => {
    const tsa = await tsaOfPki();
    await inFreshFolder(async (folder) => {
      await writeIdentity(folder, 'tsa', tsa);
      await writeFile(join(folder, 'serial'), '01\n');
      const config = [
        '[tsa]',
        'serial = serial',
        'crypto_device = builtin',
        'default_policy = 1.2.3.4.5',
        'digests = sha256, sha384, sha512',
        'signer_digest = sha256',
        'accuracy = secs:2, millisecs:500, microsecs:100',
        'clock_precision_digits = 3',
        'ordering = yes',
        'tsa_name = yes',
        'ess_cert_id_chain = yes',
        'ess_cert_id_alg = sha1',
      ];
      await writeFile(join(folder, 'ts.cnf'), config.join('\n'));
      const http = scriptedHttp({
        'tsa.example': async ({ body }) => {
          await writeFile(join(folder, 'query.tsq'), body ?? '');
          const signer = ['-signer', 'tsa.pem', '-inkey', 'tsa.key', '-chain', 'tsa-chain.pem'];
          const files = ['-queryfile', 'query.tsq', '-out', 'response.tsr'];
          await openssl(['ts', '-reply', '-config', 'ts.cnf', '-section', 'tsa', ...signer, ...files], { folder });
          return replyWith(await readFile(join(folder, 'response.tsr')));
        },
      });
      const token = await timestamperWith(http).stamp(IMPRINT);
      expect(token).toMatchObject({ policy: '1.2.3.4.5', accuracy: 2500.1 });
      await writeFile(join(folder, 'token.der'), token.der);
      const files = ['-in', 'token.der', '-token_in', '-queryfile', 'query.tsq', '-CAfile', 'tsa-chain.pem'];
      expect(await openssl(['ts', '-verify', ...files], { folder })).toContain('Verification: OK');
    });
  });

  it('works over the network with the test services, in every hash function', async () => {
    const { v5 } = await icpBrasilPki();
    const services = await startTestServices({ authority: v5.authority, port: 0 });
    const http = createHttpClient({ allow: [services.origin.slice('http://'.length)] });
    try {
      for (const digest of ['sha256', 'sha384', 'sha512'] as const) {
        const timestamper = createTimestamper({
          authorities: [authorityWith({ url: services.timestampUrl, digest })],
          http,
          now,
        });
        const token = await timestamper.stamp(hash(digest, CONTENT, 'buffer'));
        expect(token.imprint.algorithm).toBe(digest);
      }
    } finally {
      await http.close();
      await services.close();
    }
  });

  it.each<[string, TimestampAuthority['authentication'], object]>([
    ['nothing', { kind: 'none' }, {}],
    ['a password', { kind: 'basic', user: 'zé', password: 's:x' }, { authorization: 'Basic esOpOnM6eA==' }],
    ['a token', { kind: 'bearer', token: 'abc' }, { authorization: 'Bearer abc' }],
    [
      'a client certificate',
      { kind: 'client-certificate', certificate: 'C', privateKey: 'K' },
      { clientCertificate: { certificate: 'C', privateKey: 'K' } },
    ],
  ])('shows the authority %s', async (_what, authentication, expected) => {
    const http = scriptedHttp({ 'tsa.example': stampedBy(await tsaOfPki()) });
    await timestamperWith(http, { authorities: [authorityWith({ authentication })] }).stamp(IMPRINT);
    const [{ authorization, clientCertificate }] = http.sent as [(typeof http.sent)[0]];
    expect({ authorization, clientCertificate }).toEqual({
      authorization: undefined,
      clientCertificate: undefined,
      ...expected,
    });
  });

  it('learns how long tokens are', async () => {
    const timestamper = timestamperWith(scriptedHttp({ 'tsa.example': stampedBy(await tsaOfPki()) }));
    expect(timestamper.sizeLimit).toBe(16_384);
    const { der } = await timestamper.stamp(IMPRINT);
    expect(timestamper.sizeLimit).toBeGreaterThan(der.length);
    expect(timestamper.sizeLimit).toBeLessThan(der.length + 1_000);
  });

  it.each<[string, Parameters<typeof stampedBy>[1], RegExp]>([
    ['another nonce', { wrongNonce: Buffer.of(1, 2, 3) }, /nonce differs/],
    ['another imprint', { wrongImprint: Buffer.alloc(32) }, /digest differs/],
    ['a clock an hour ahead', { now: new Date(Date.now() + 3_600_000) }, /differ by 3[56]\d\d seconds/],
    ['a clock an hour behind', { now: new Date(Date.now() - 3_600_000) }, /clocks/],
  ])('refuses a token with %s', async (_what, options, reason) => {
    const http = scriptedHttp({ 'tsa.example': stampedBy(await tsaOfPki(), options) });
    const error = await failureOf(timestamperWith(http).stamp(IMPRINT));
    expect(error.code).toBe('TIMESTAMP_INVALID');
    expect(error.message).toMatch(reason);
  });

  it.each<[TimestampDefect, RegExp]>([
    ['expired', /had expired/],
    ['notYetValid', /not yet valid/],
    ['purposeNotCritical', /not marked as critical/],
    ['twoPurposes', /not for time stamps alone/],
    ['otherPurpose', /not for time stamps alone/],
    ['noPurpose', /not for time stamps alone/],
    ['wrongKeyUsage', /not for signatures/],
  ])('refuses an authority with a wrong certificate: %s', async (defect, reason) => {
    const tsa = await defectiveTimestampAuthority((await icpBrasilPki()).v5.authority, defect);
    const error = await failureOf(timestamperWith(scriptedHttp({ 'tsa.example': stampedBy(tsa) })).stamp(IMPRINT));
    expect(error).toMatchObject({ code: 'TIMESTAMP_INVALID' });
    expect(error.message).toMatch(reason);
  });

  it('refuses a token changed on its way, wherever the change is', async () => {
    const tsa = await tsaOfPki();
    let positions: number[] = [];
    const failures: string[] = [];
    for (let attempt = 0; attempt < 40; attempt++) {
      const http = scriptedHttp({
        'tsa.example': ({ body }) => {
          const response = answerTimestampRequest(tsa, body!);
          const content = response.indexOf(IMPRINT);
          const signature = response.length - 40;
          positions = [content, content + 31, content - 20, signature, response.length - 1];
          const at = positions[attempt % positions.length]!;
          response[at] = response[at]! ^ (1 << (attempt % 8));
          return replyWith(response);
        },
      });
      failures.push((await failureOf(timestamperWith(http).stamp(IMPRINT))).code);
    }
    expect(new Set(failures)).toEqual(new Set(['TIMESTAMP_INVALID']));
  });

  it('holds the authority to the policy asked for', async () => {
    const tsa = await tsaOfPki();
    const ask = (policy: string, answers: string) =>
      timestamperWith(scriptedHttp({ 'tsa.example': stampedBy(tsa, { policy: answers }) }), {
        authorities: [authorityWith({ policy })],
      }).stamp(IMPRINT);
    expect(await ask('1.2.3', '1.2.3')).toMatchObject({ policy: '1.2.3' });
    const refused = await failureOf(ask('1.2.3', '1.2.4'));
    expect(refused.code).toBe('TIMESTAMP_REFUSED');
    expect(refused.message).toContain('does not stamp under the policy asked for');
    const request = (policy: string) => ({ digest: 'sha256', imprint: IMPRINT, policy, nonce: Buffer.of(1) }) as const;
    const sneaky = answerTimestampRequest(tsa, writeTimestampRequest(request('1.2.4')), { policy: '1.2.4' });
    const http = scriptedHttp({ 'tsa.example': () => replyWith(sneaky) });
    const options = { authorities: [authorityWith({ policy: '1.2.3' })], random: () => Buffer.of(1) };
    expect((await failureOf(timestamperWith(http, options).stamp(IMPRINT))).message).toContain('under policy 1.2.4');
  });

  it('refuses on objection of the chain’s validator, after showing the certificates of the token', async () => {
    const http = scriptedHttp({ 'tsa.example': stampedBy(await tsaOfPki()) });
    let seen = 0;
    const stamped = timestamperWith(http, {
      validateChain: (certificate, others) => {
        seen = others.length;
        return Promise.resolve(`${certificate.commonName} is not trusted.`);
      },
    }).stamp(IMPRINT);
    expect((await failureOf(stamped)).message).toContain('Carimbo do Tempo de Teste SEM VALOR LEGAL is not trusted.');
    expect(seen).toBe(4);
  });

  it.each<[string, () => ReturnType<typeof replyWith>, SigningErrorCode, RegExp]>([
    [
      'rejects, and says why',
      () => {
        const text = derSequence(derUtf8String('no\u0007 more'));
        return replyWith(derSequence(derSequence(derInteger(2), text, derNamedBits([25]))));
      },
      'TIMESTAMP_REFUSED',
      /it rejected the request; it failed; “no {1,2}more”/,
    ],
    ['asks to wait', () => replyWith(Buffer.from('30053003020103', 'hex')), 'TIMESTAMP_REFUSED', /asks to wait/],
    ['wants other credentials', () => replyWith(Buffer.from('no'), 401), 'TIMESTAMP_REFUSED', /credentials/],
    ['is broken', () => replyWith(Buffer.from('no'), 503), 'TIMESTAMP_REFUSED', /HTTP status 503/],
    [
      'shows a web page',
      () => ({ ...replyWith(Buffer.from('<html>')), contentType: 'text/html' }),
      'TIMESTAMP_INVALID',
      /text\/html/,
    ],
    ['grants without a token', () => replyWith(Buffer.from('30053003020100', 'hex')), 'TIMESTAMP_INVALID', /damaged/],
    ['sends nothing', () => replyWith(Buffer.alloc(0)), 'TIMESTAMP_INVALID', /no time stamp/],
  ])('gives up an authority that %s', async (_what, answer, code, reason) => {
    const http = scriptedHttp({ 'tsa.example': answer });
    const error = await failureOf(timestamperWith(http).stamp(IMPRINT));
    expect(error.code).toBe(code);
    expect(error.message).toMatch(reason);
  });
});

describe('several authorities', () => {
  const first = authorityWith({ id: 'first', url: 'http://first.example/?key=secret-1' });
  const second = authorityWith({
    id: 'second',
    url: 'http://second.example/',
    authentication: { kind: 'basic', user: 'maria', password: 'secret-2' },
  });

  it('are asked in order until the first good token', async () => {
    const tsa = await tsaOfPki();
    const http = scriptedHttp({
      'first.example': stampedBy(tsa, { wrongNonce: Buffer.of(1) }),
      'second.example': stampedBy(tsa),
    });
    const token = await timestamperWith(http, { authorities: [first, second] }).stamp(IMPRINT);
    expect(token.imprint.value).toEqual(IMPRINT);
    expect(http.sent.map(({ url }) => new URL(url).host)).toEqual(['first.example', 'second.example']);
  });

  it('are all named when all fail, with the most telling code, and without secrets', async () => {
    const http = scriptedHttp({
      'first.example': () => {
        throw new SigningError('NETWORK_UNREACHABLE', 'first.example could not be reached.');
      },
      'second.example': () => replyWith(Buffer.from('no'), 403),
    });
    const error = await failureOf(timestamperWith(http, { authorities: [first, second] }).stamp(IMPRINT));
    expect(error.code).toBe('TIMESTAMP_REFUSED');
    expect(error.message).toMatch(/first: first\.example could not.* second: .*403/);
    expect(error.message).not.toMatch(/secret|maria/);
  });

  it('are not asked any more when the caller gives up', async () => {
    const http = scriptedHttp({
      'first.example': () => {
        throw new SigningError('CANCELLED', 'The exchange was cancelled.');
      },
    });
    const error = await failureOf(timestamperWith(http, { authorities: [first, second] }).stamp(IMPRINT));
    expect(error.code).toBe('CANCELLED');
    expect(http.sent).toHaveLength(1);
  });

  it('number at least one, and imprints have the length of the hash function', async () => {
    const http = scriptedHttp({});
    expect(() => timestamperWith(http, { authorities: [] })).toThrow(SigningError);
    expect((await failureOf(timestamperWith(http).stamp(Buffer.alloc(20)))).code).toBe('TIMESTAMP_INVALID');
    expect(timestamperWith(http, { digest: 'sha512' }).digest).toBe('sha512');
  });
});

describe('readTimestampToken', () => {
  it('reads a token with other bytes behind it only on request', async () => {
    const http = scriptedHttp({ 'tsa.example': stampedBy(await tsaOfPki(), { now: new Date() }) });
    const { der, time } = await timestamperWith(http).stamp(IMPRINT);
    for (const behind of [Buffer.alloc(50), Buffer.of(1)]) {
      const padded = Buffer.concat([der, behind]);
      expect(readTimestampToken(padded, true)).toMatchObject({ time, der });
      expect(() => readTimestampToken(padded)).toThrow(SigningError);
    }
  });

  it('reads the time to the millisecond', async () => {
    const stamped = new Date(Math.floor(Date.now() / 1000) * 1000 + 450);
    const http = scriptedHttp({ 'tsa.example': stampedBy(await tsaOfPki(), { now: stamped }) });
    const token = await timestamperWith(http, { now: () => stamped, clockTolerance: 0 }).stamp(IMPRINT);
    expect(token.time).toEqual(stamped);
  });
});
