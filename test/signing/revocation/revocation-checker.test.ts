import { describe, expect, it, vi } from 'vitest';
import {
  createMemoryRevocationCache,
  createRevocationChecker,
  type HttpRequest,
  type RevocationResult,
} from '../../../src/signing/index.ts';
import { derBoolean, derContext, derOid, derPrimitiveContext } from '../../../src/signing/der/writer.ts';
import { pem } from '../../pki/openssl.ts';
import { general, makeParty } from '../certificates/path/path-pki.ts';
import { type FakeAnswer } from './fake-http.ts';
import { crlExtension, writeTestCrl } from './write-crl.ts';
import {
  OCSP,
  CRL,
  COPY,
  now,
  day,
  root,
  issuer,
  places,
  holder,
  crlOnly,
  bare,
  checkedDelegate,
  ocsp,
  crl,
  listed,
  setUp,
  codes,
  origin,
  embedded,
  scope,
} from './checker-world.ts';

describe('RevocationChecker.check', () => {
  it('asks the responder first, and keeps its answer', async () => {
    const { check, http } = setUp({ [OCSP]: ocsp(), [CRL]: crl() });
    expect(origin(await check())).toBe('ocsp network');
    expect(origin(await check())).toBe('ocsp cache');
    expect(http.asked).toEqual([OCSP]);
  });

  it('says when and why a certificate was revoked, by OCSP and by CRL', async () => {
    const status = { status: 'revoked', at: day(-2), reason: 'keyCompromise' } as const;
    const byOcsp = await setUp({ [OCSP]: ocsp({ status }) }).check();
    expect(byOcsp).toMatchObject({ status: 'revoked', time: day(-2), reason: 'keyCompromise' });
    const byCrl = await setUp({ [CRL]: crl(listed(crlOnly, day(-2))) }).check(crlOnly);
    expect(byCrl).toMatchObject({ status: 'revoked', time: day(-2), reason: 'superseded' });
  });

  it.each([
    ['is unreachable', 'unreachable'],
    ['answers 500', 500],
    ['answers with a page', Buffer.from('<html>')],
    ['does not know the certificate', ocsp({ status: { status: 'unknown' } })],
    ['answers from last week', ocsp({ thisUpdate: day(-9), nextUpdate: day(-7) })],
    ['answers from tomorrow', ocsp({ thisUpdate: day(1), nextUpdate: day(2) })],
    ['is signed by one who may not', ocsp({ responder: bare })],
  ] as const)('goes on to the list when the responder %s', async (_, answer) => {
    const { check, http } = setUp({ [OCSP]: answer, [CRL]: crl() });
    expect(origin(await check())).toBe('crl network');
    expect(http.asked).toEqual([OCSP, CRL]);
  });

  it('goes on to the second place of the list, and takes PEM there too', async () => {
    const { check, http } = setUp({ [CRL]: 'unreachable', [COPY]: Buffer.from(pem('X509 CRL', crl())) });
    expect(origin(await check(crlOnly))).toBe('crl network');
    expect(http.asked).toEqual([CRL, COPY]);
  });

  it('never calls a certificate good without an answer', async () => {
    const { check } = setUp({ [OCSP]: 'unreachable', [CRL]: 404, [COPY]: Buffer.from('x') });
    expect(codes(await check())).toEqual(['UNREACHABLE', 'UNREACHABLE', 'MALFORMED']);
    expect(codes(await check(bare))).toEqual(['NO_SOURCE']);
    const offline = createRevocationChecker({});
    const request = { certificate: holder.certificate, issuer: issuer.certificate, at: now };
    expect(new Set(codes(await offline.check(request)))).toEqual(new Set(['NOT_ASKED']));
  });

  it('does not ask again at once after a quick failure, and does after five seconds', async () => {
    const { check, http, setClock } = setUp({ [CRL]: 'unreachable', [COPY]: 'unreachable' });
    await check(crlOnly);
    await check(crlOnly);
    expect(http.asked).toEqual([CRL, COPY]);
    http.answers = { [CRL]: crl() };
    setClock(new Date(now.getTime() + 5001));
    expect(origin(await check(crlOnly))).toBe('crl network');
  });

  it('leaves a server alone for six times as long as one wait', async () => {
    const { check, http, setClock } = setUp({ [CRL]: 'unreachable', [COPY]: 'unreachable' });
    const clock = vi.spyOn(performance, 'now');
    for (const passed of [0, 8000, 0, 8000]) clock.mockReturnValueOnce(passed);
    await check(crlOnly);
    clock.mockRestore();
    setClock(new Date(now.getTime() + 47_000));
    await check(crlOnly);
    expect(http.asked).toEqual([CRL, COPY]);
    http.answers = { [CRL]: crl() };
    setClock(new Date(now.getTime() + 48_001));
    expect(origin(await check(crlOnly))).toBe('crl network');
  });

  it('fetches a list once for many questions at the same time, and once until its next update', async () => {
    const { check, http, setClock } = setUp({ [CRL]: crl(listed(crlOnly, day(-2))) });
    const parties = Array.from({ length: 5 }, () => makeParty({ name: 'Holder', issuer, extensions: [places] }));
    const results = await Promise.all([crlOnly, ...parties].map((party) => check(party)));
    expect(results.map(({ status }) => status)).toEqual(['revoked', 'good', 'good', 'good', 'good', 'good']);
    expect(origin(await check(crlOnly))).toBe('crl cache');
    expect(http.asked).toEqual([CRL]);
    setClock(day(1.5));
    http.answers = { [CRL]: crl({ thisUpdate: day(1), nextUpdate: day(3) }) };
    expect((await check(crlOnly)).status).toBe('good');
    expect(http.asked).toEqual([CRL, CRL]);
  });

  it.each([
    ['has expired', crl({ nextUpdate: day(-0.5) }), 'STALE'],
    ['is from the future', crl({ thisUpdate: day(1), nextUpdate: day(2) }), 'STALE'],
    [
      'has no next update and is old',
      writeTestCrl({ issuer: issuer.certificate.subject, thisUpdate: day(-3) }, issuer.key.privateKey),
      'STALE',
    ],
    ['is of another issuer', crl({}, root), 'SIGNATURE_INVALID'],
    ['is signed with another key', crl({}, makeParty({ name: 'Issuer' })), 'SIGNATURE_INVALID'],
    ['is for authorities only', crl({ extensions: [scope(derPrimitiveContext(2, Buffer.of(0xff)))] }), 'NOT_COVERED'],
    [
      'is for another place',
      crl({ extensions: [scope(derContext(0, derContext(0, general.uri('http://other.test/'))))] }),
      'NOT_COVERED',
    ],
    [
      'has an unknown critical extension',
      crl({ extensions: [crlExtension('1.2.3', derBoolean(true), true)] }),
      'UNSUPPORTED',
    ],
  ] as const)('never uses a list that %s', async (_, list, code) => {
    expect(codes(await setUp({ [CRL]: list, [COPY]: list }).check(crlOnly))).toEqual([code, code]);
    const offline = await createRevocationChecker({ now: () => now }).check({
      certificate: bare.certificate,
      issuer: issuer.certificate,
      at: now,
      ...embedded([list]),
    });
    expect(codes(offline)[0]).toBe(code);
  });

  it('uses a list for persons, and one for its own place', async () => {
    const users = crl({ extensions: [scope(derPrimitiveContext(1, Buffer.of(0xff)))] });
    const own = crl({ extensions: [scope(derContext(0, derContext(0, general.uri(CRL))))] });
    for (const list of [users, own]) expect((await setUp({ [CRL]: list }).check(crlOnly)).status).toBe('good');
  });

  it('uses embedded evidence before it asks anybody, the latest first', async () => {
    const { check, http } = setUp({ [OCSP]: ocsp() });
    const old = crl({ thisUpdate: day(-2) });
    const late = crl({ thisUpdate: day(-1), ...listed(holder, day(-1)) });
    const result = await check(holder, embedded([old, late]));
    expect(result).toMatchObject({ status: 'revoked', time: day(-1) });
    expect(http.asked).toEqual([]);
  });

  it('judges the past by later evidence, and tells of a later revocation', async () => {
    const { check } = setUp({ [CRL]: crl(listed(crlOnly, day(-2))) });
    const result = await check(crlOnly, { at: day(-10) });
    expect(result).toMatchObject({ status: 'good', revokedLater: { time: day(-2), reason: 'superseded' } });
  });

  it('does not take silence about an expired certificate for good, but takes its revocation', async () => {
    const expired = makeParty({ name: 'Holder', issuer, extensions: [places], notAfter: day(-30) });
    const silent = await setUp({ [CRL]: crl(), [COPY]: crl() }).check(expired, { at: day(-40) });
    expect(codes(silent)).toEqual(['NOT_COVERED', 'NOT_COVERED']);
    const list = crl(listed(expired, day(-50)));
    expect((await setUp({ [CRL]: list }).check(expired, { at: day(-40) })).status).toBe('revoked');
    const keeps = crlExtension('2.5.29.60', Buffer.from('180f32303230303130313030303030305a', 'hex'));
    const keeping = crl({ extensions: [keeps] });
    expect((await setUp({ [CRL]: keeping }).check(expired, { at: day(-40) })).status).toBe('good');
  });

  it('checks a responder unless its certificate waives the check', async () => {
    const answer = ocsp({ responder: checkedDelegate });
    const good = await setUp({ [OCSP]: answer, [CRL]: crl() }).check();
    expect(good).toMatchObject({ status: 'good', evidence: { kind: 'ocsp', supporting: { kind: 'crl' } } });
    const revoked = setUp({ [OCSP]: answer, [CRL]: crl(listed(checkedDelegate, day(-3))) });
    expect(origin(await revoked.check())).toBe('crl cache');
  });

  it('asks one responder or list with these limits', async () => {
    const asked: HttpRequest[] = [];
    const recording =
      (answer: FakeAnswer): FakeAnswer =>
      (request) => {
        asked.push(request);
        return typeof answer === 'function' ? answer(request) : Buffer.from(answer as Buffer);
      };
    const answers = { [OCSP]: recording(ocsp({ status: { status: 'unknown' } })), [CRL]: recording(crl()) };
    await setUp(answers).check();
    await setUp(answers, { useNonce: false, timeout: 5, maxCrlBytes: 10_000 }).check();
    const limits = { method: 'POST', contentType: 'application/ocsp-request', accept: 'application/ocsp-response' };
    expect(asked).toMatchObject([
      { ...limits, timeout: 15_000, maxBytes: 256 * 1024 },
      { method: 'GET', timeout: 15_000, maxBytes: 64 * 2 ** 20 },
      { ...limits, timeout: 5, maxBytes: 256 * 1024 },
      { method: 'GET', timeout: 5, maxBytes: 10_000 },
    ]);
    const nonce = Buffer.concat([derOid('1.3.6.1.5.5.7.48.1.2'), Buffer.of(4, 34, 4, 32)]);
    expect(asked.map(({ body }) => body !== undefined && Buffer.from(body).includes(nonce))).toEqual([
      true,
      false,
      false,
      false,
    ]);
  });

  it('looks at a hundred embedded lists, and at no more', async () => {
    const others = Array.from({ length: 99 }, () => crl({}, root));
    const answered = async (crls: readonly Buffer[]) => (await setUp({}).check(bare, embedded(crls))).status;
    expect(await answered([...others, crl()])).toBe('good');
    expect(await answered([...others, crl({}, root), crl()])).toBe('unknown');
  });

  it('ends with CANCELLED at once on request, while others go on waiting', async () => {
    const { promise, resolve } = Promise.withResolvers<Buffer>();
    const { check } = setUp({ [CRL]: () => promise });
    const controller = new AbortController();
    const cancelled = check(crlOnly, { signal: controller.signal });
    const patient = check(crlOnly);
    setImmediate(() => controller.abort());
    await expect(cancelled).rejects.toMatchObject({ code: 'CANCELLED' });
    resolve(crl());
    expect((await patient).status).toBe('good');
  });

  it('does not keep more than the cache may hold', async () => {
    const cache = createMemoryRevocationCache({ maxBytes: 4_000, now: () => now });
    const key = (number: number) => ({ issuerKey: 'a', kind: 'crl', locator: String(number) }) as const;
    const put = (number: number, size: number): Promise<void> =>
      cache.put(key(number), { kind: 'data', der: Buffer.alloc(size), freshUntil: day(1) });
    await put(1, 1_000);
    await put(2, 1_000);
    await cache.get(key(1));
    await put(3, 1_000);
    await put(4, 5_000);
    const kept = await Promise.all([1, 2, 3, 4].map(async (number) => (await cache.get(key(number))) !== undefined));
    expect(kept).toEqual([true, false, true, false]);
  });
});

describe('data older than the question', () => {
  const newerThan = day(-0.5);
  const listOf = (thisUpdate: Date): Buffer => crl({ thisUpdate });
  const issued = (result: RevocationResult): Date | undefined =>
    result.status === 'unknown' ? undefined : result.evidence.issuedAt;

  it('is fetched anew where newer data is to be had', async () => {
    const { check, http } = setUp({ [CRL]: listOf(day(-1)) });
    expect(issued(await check(crlOnly))).toEqual(day(-1));
    http.answers = { [CRL]: listOf(day(-0.25)) };
    const newer = await check(crlOnly, { newerThan });
    expect([issued(newer), origin(newer)]).toEqual([day(-0.25), 'crl network']);
    expect(http.asked).toEqual([CRL, CRL]);
    expect(issued(await check(crlOnly, { newerThan }))).toEqual(day(-0.25));
    expect(http.asked).toHaveLength(2);
  });

  it.each<[string, FakeAnswer]>([
    ['the list is still the same', listOf(day(-1))],
    ['nobody answers', 'unreachable'],
  ])('is the answer where %s, and is asked for again after ten minutes', async (_, answer) => {
    const { check, http, setClock } = setUp({ [CRL]: listOf(day(-1)) });
    await check(crlOnly);
    http.answers = { [CRL]: answer };
    expect(issued(await check(crlOnly, { newerThan }))).toEqual(day(-1));
    expect(issued(await check(crlOnly, { newerThan }))).toEqual(day(-1));
    expect(http.asked.filter((url) => url === CRL)).toHaveLength(2);
    setClock(new Date(now.getTime() + 600_000));
    await check(crlOnly, { newerThan });
    expect(http.asked.filter((url) => url === CRL).length).toBeGreaterThan(2);
  });

  it('is enough for a revocation', async () => {
    const { check, http } = setUp({ [CRL]: crl(listed(crlOnly, day(-2))) });
    for (let round = 0; round < 2; round++) expect((await check(crlOnly, { newerThan })).status).toBe('revoked');
    expect(http.asked).toEqual([CRL]);
  });

  it.each([
    ['the first', day(-2), day(-3)],
    ['the second', day(-3), day(-2)],
  ])('is taken from the latest list: %s', async (_, first, second) => {
    const { check } = setUp({ [CRL]: listOf(first), [COPY]: listOf(second) });
    expect(issued(await check(crlOnly, { newerThan }))).toEqual(day(-2));
  });

  it('is asked for by OCSP again, at once for a newer question', async () => {
    const { check, http, setClock } = setUp({ [OCSP]: ocsp(), [CRL]: 'unreachable', [COPY]: 'unreachable' });
    expect(issued(await check())).toEqual(now);
    const later = new Date(now.getTime() + 120_000);
    setClock(later);
    http.answers = { ...http.answers, [OCSP]: ocsp({ now: later }) };
    const question = { newerThan: new Date(now.getTime() + 60_000) };
    expect(issued(await check(holder, question))).toEqual(later);
    expect(http.asked.filter((url) => url === OCSP)).toHaveLength(2);
    expect(origin(await check(holder, question))).toBe('ocsp cache');
  });
});
