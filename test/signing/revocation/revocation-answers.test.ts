/** The choice among several answers, and the checks of responders (RFC 6960 §4.2.2.2, RFC 5280 §6.3.3). */
import { describe, expect, it } from 'vitest';
import {
  createRevocationChecker,
  unwrapOcspResponse,
  writeOcspRequest,
  type RevocationResult,
} from '../../../src/signing/index.ts';
import { derBitString, derInteger, derSequence, derTime } from '../../../src/signing/der/writer.ts';
import { authorityInformationAccess, crlDistributionPoints } from '../../../src/test-authority/extensions.ts';
import { SIGNATURE_KINDS, makeParty, type Party } from '../certificates/path/path-pki.ts';
import {
  COPY,
  CRL,
  OCSP,
  bare,
  checkedDelegate,
  codes,
  crl,
  crlOnly,
  day,
  delegate,
  embedded,
  holder,
  issuer,
  listed,
  now,
  ocsp,
  origin,
  purposes,
  root,
  setUp,
  type Answer,
} from './checker-world.ts';

const later = (seconds: number): Date => new Date(now.getTime() + seconds * 1000);
const reasonsOf = (result: RevocationResult): readonly string[] =>
  result.status === 'unknown' ? result.reasons.map(({ sentence }) => sentence) : [];

/** The response about a certificate, in the form held by signatures. */
async function responseOf(party: Party, answer: Answer = {}): Promise<Buffer> {
  const body = writeOcspRequest({ certificate: party.certificate, issuer: issuer.certificate });
  const make = ocsp(answer);
  if (typeof make !== 'function') throw new Error('The responder answers by a function.');
  const limits = { method: 'POST', url: OCSP, timeout: 1, maxBytes: 1 } as const;
  return unwrapOcspResponse(await make({ ...limits, body }));
}
const withResponses = (
  ocspResponses: readonly Buffer[],
  parties: readonly Party[] = [],
  crls: readonly Buffer[] = [],
) => ({
  embedded: { crls, ocspResponses, certificates: parties.map(({ certificate }) => certificate) },
});
const REVOKED = { status: 'revoked', at: day(-2), reason: 'keyCompromise' } as const;

describe('embedded responses', () => {
  it('are used before anybody is asked, and with the responders of the signature', async () => {
    const { check, http } = setUp({ [OCSP]: ocsp() });
    const result = await check(holder, withResponses([await responseOf(holder, { status: REVOKED })]));
    expect([result.status, origin(result)]).toEqual(['revoked', 'ocsp embedded']);
    const bareResponse = await responseOf(bare, { withCertificate: false });
    expect(codes(await check(bare, withResponses([bareResponse])))).toEqual(['SIGNATURE_INVALID', 'NO_SOURCE']);
    expect((await check(bare, withResponses([bareResponse], [delegate]))).status).toBe('good');
    expect(http.asked).toEqual([]);
  });

  it('say nothing where the responder did not know the certificate', async () => {
    const unknown = await responseOf(bare, { status: { status: 'unknown' } });
    expect(codes(await setUp({}).check(bare, withResponses([unknown])))).toEqual(['ANSWERED_UNKNOWN', 'NO_SOURCE']);
  });

  it('are looked at up to a hundred', async () => {
    const [other, own] = [await responseOf(holder), await responseOf(bare)];
    const { check } = setUp({});
    const after = (count: number) => check(bare, withResponses([...Array.from({ length: count }, () => other), own]));
    expect((await after(99)).status).toBe('good');
    expect((await after(100)).status).toBe('unknown');
  });

  it('come before an already open list', async () => {
    const { check } = setUp({ [CRL]: crl() });
    expect((await check(crlOnly)).status).toBe('good');
    const response = await responseOf(crlOnly, { status: REVOKED });
    expect((await check(crlOnly, withResponses([response]))).status).toBe('revoked');
    expect((await check(crlOnly, embedded([crl(listed(crlOnly, day(-2)))]))).status).toBe('revoked');
  });

  it('tell of an expired certificate nothing but a revocation', async () => {
    const expired = makeParty({ name: 'Holder', issuer, notAfter: day(-30) });
    const at = { at: day(-40) };
    const judge = async (answer: Answer) =>
      setUp({}).check(expired, { ...at, ...withResponses([await responseOf(expired, answer)]) });
    expect(codes(await judge({}))[0]).toBe('NOT_COVERED');
    expect((await judge({ status: { ...REVOKED, at: day(-50) } })).status).toBe('revoked');
    const early = { thisUpdate: day(1), nextUpdate: day(2) };
    expect(codes(await judge({ status: REVOKED, ...early }))[0]).toBe('STALE');
  });
});

describe('the responder', () => {
  it('is asked about each certificate, and not again while its answer lasts', async () => {
    const { check, http, setClock } = setUp({ [OCSP]: ocsp() });
    const other = makeParty({ name: 'Holder', issuer, extensions: [authorityInformationAccess({ ocsp: OCSP })] });
    for (const party of [holder, other]) expect(origin(await check(party))).toBe('ocsp network');
    setClock(later(1800));
    for (const party of [holder, other]) expect(origin(await check(party))).toBe('ocsp cache');
    expect(http.asked).toEqual([OCSP, OCSP]);
  });

  it('is asked again for the same question after a minute', async () => {
    const { check, http, setClock } = setUp({ [OCSP]: ocsp() });
    const question = { newerThan: later(1) };
    const asked = async (seconds: number): Promise<number> => {
      setClock(later(seconds));
      await check(holder, question);
      return http.asked.filter((url) => url === OCSP).length;
    };
    expect([await asked(2), await asked(3), await asked(30), await asked(64)]).toEqual([1, 2, 2, 3]);
  });

  const only = makeParty({ name: 'Holder', issuer, extensions: [authorityInformationAccess({ ocsp: OCSP })] });
  const plain = makeParty({ name: 'Responder', issuer, keyUsage: [0], extensions: [purposes] });

  it.each<[string, Party, Parameters<typeof setUp>[0], string]>([
    [
      'is revoked',
      checkedDelegate,
      { [CRL]: crl(listed(checkedDelegate, day(-3))) },
      'The certificate of the OCSP responder was revoked.',
    ],
    [
      'cannot be asked about',
      checkedDelegate,
      {},
      'Whether the certificate of the OCSP responder was revoked could not be determined.',
    ],
  ])('is not believed when the responder %s', async (_, responder, answers, sentence) => {
    const { check } = setUp({ [OCSP]: ocsp({ responder }), ...answers });
    const result = await check(only);
    expect(codes(result)).toEqual(['SIGNATURE_INVALID']);
    expect(reasonsOf(result)).toEqual([sentence]);
  });

  it('is believed where no list speaks about it, and where the responder is the issuer itself', async () => {
    const strange = [crl({}, root)];
    const judge = (responder: Party, crls: readonly Buffer[]) =>
      setUp({ [OCSP]: ocsp({ responder }) }).check(only, embedded(crls));
    expect(await judge(plain, strange)).toMatchObject({ status: 'good', evidence: { kind: 'ocsp' } });
    const byIssuer = await judge(issuer, [
      crl({ ...listed(issuer, day(-3)), thisUpdate: day(-9), nextUpdate: day(-8) }),
    ]);
    expect(byIssuer).toMatchObject({ status: 'good', evidence: { kind: 'ocsp' } });
    expect(byIssuer.status === 'good' && byIssuer.evidence.supporting).toBeUndefined();
  });
});

describe('a certificate without an answer', () => {
  it('has a reason for each place, and no other', async () => {
    const both = makeParty({
      name: 'Holder',
      issuer,
      extensions: [crlDistributionPoints([CRL]), authorityInformationAccess({ ocsp: OCSP })],
    });
    const { check } = setUp({ [OCSP]: 'unreachable', [CRL]: 'unreachable' });
    expect(codes(await check(both))).toEqual(['UNREACHABLE', 'UNREACHABLE']);
    const offline = createRevocationChecker({ now: () => now });
    const request = { certificate: crlOnly.certificate, issuer: issuer.certificate, at: now };
    const result = await offline.check(request);
    expect(codes(result)).toEqual(['NOT_ASKED', 'NOT_ASKED']);
    expect(new Set(reasonsOf(result))).toEqual(new Set(['Revocation data is not fetched from the network here.']));
  });
});

describe('a list', () => {
  it('revokes from the very time of its entry on', async () => {
    const { check } = setUp({ [CRL]: crl(listed(crlOnly, day(-2))) });
    expect((await check(crlOnly, { at: day(-2) })).status).toBe('revoked');
    expect((await check(crlOnly, { at: new Date(day(-2).getTime() - 1) })).status).toBe('good');
  });

  it('is judged by the clock of the computer without another', async () => {
    const today = Date.now();
    const list = crl({ thisUpdate: new Date(today - 3_600_000), nextUpdate: new Date(today + 3_600_000) });
    const request = { certificate: bare.certificate, issuer: issuer.certificate, at: new Date(today) };
    expect((await createRevocationChecker({}).check({ ...request, ...embedded([list]) })).status).toBe('good');
  });

  it('signed with SHA-1 counts for the past only', async () => {
    const { algorithm, sign } = SIGNATURE_KINDS['ECDSA, SHA-1'];
    const times = [derTime(day(-1)), derTime(day(1))];
    const body = derSequence(derInteger(1), algorithm, issuer.certificate.subject, ...times);
    const old = derSequence(body, algorithm, derBitString(sign(body, issuer.key.privateKey)));
    const judge = async (allowLegacyAlgorithms?: boolean) => {
      const options = allowLegacyAlgorithms === undefined ? {} : { allowLegacyAlgorithms };
      const fetched = await setUp({ [CRL]: old, [COPY]: old }, options).check(crlOnly);
      const inside = await setUp({}, options).check(bare, embedded([old]));
      return [codes(fetched)[0], codes(inside)[0]];
    };
    expect(await judge()).toEqual(['UNSUPPORTED', 'UNSUPPORTED']);
    expect(await judge(false)).toEqual(['UNSUPPORTED', 'UNSUPPORTED']);
    expect(await judge(true)).toEqual(['good', 'good']);
  });
});
