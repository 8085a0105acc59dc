/** The words of revocation data: reasons, times, and what a failure means (RFC 5280 §5.3.1, §6.3.3; RFC 6960 §2.4, §3.2). */
import { describe, expect, it } from 'vitest';
import { SigningError, type SigningErrorCode } from '../../../src/signing/index.ts';
import { readDer } from '../../../src/signing/der/reader.ts';
import { derContext, derPrintableString, derSequence, derSetOf, derOid } from '../../../src/signing/der/writer.ts';
import { leavesKeyGood } from '../../../src/signing/revocation/other-paths.ts';
import { ALL_REASONS, reasonMask, relativeTo } from '../../../src/signing/revocation/reasons.ts';
import {
  CLOCK_SKEW,
  ProblemError,
  findFreshnessProblem,
  freshUntil,
  isIssuedAfter,
  issuedAtOf,
  networkNotAllowed,
  problemOf,
  reasonOf,
  unknownCertificate,
  type UpdatePeriod,
} from '../../../src/signing/revocation/revocation-result.ts';
import { isAfter, isValidFor } from '../../../src/signing/revocation/list-signers.ts';
import { makeName, makeParty } from '../certificates/path/path-pki.ts';

const now = new Date('2026-03-01T12:00:00Z');
const DAY = 86_400_000;
const day = (number: number): Date => new Date(now.getTime() + number * DAY);
const later = (date: Date, milliseconds: number): Date => new Date(date.getTime() + milliseconds);

describe('the reasons of a list', () => {
  it.each([
    ['none', '00', 0],
    ['bit 0, which has no meaning', '0780', 0],
    ['bit 1', '0640', 0b10],
    ['bits 1 and 5', '0244', 0b10_0010],
    ['bit 8, in the second byte', '070080', 0b1_0000_0000],
    ['bit 9, which does not exist', '060040', 0],
    ['all', '077f80', ALL_REASONS],
  ])('are read of %s', (_, hex, mask) => {
    expect(reasonMask(Buffer.from(hex, 'hex'))).toBe(mask);
  });

  it.each([
    [0, 'unspecified'],
    [1, 'keyCompromise'],
    [6, 'certificateHold'],
    [7, 'unspecified'],
    [8, 'removeFromCRL'],
    [10, 'aACompromise'],
    [11, 'unspecified'],
    [undefined, 'unspecified'],
  ] as const)('have the number %s for %s', (number, reason) => {
    expect(reasonOf(number)).toBe(reason);
  });

  it('tell about the key, or about the certificate only', () => {
    const reasons = [0, 1, 2, 3, 4, 5, 6, 8, 9, 10].map((number) => reasonOf(number));
    expect(reasons.filter((reason) => leavesKeyGood({ reason }))).toEqual([
      'affiliationChanged',
      'superseded',
      'cessationOfOperation',
    ]);
  });
});

describe('relativeTo', () => {
  it('puts the relative name behind the name of the issuer (RFC 5280 §4.2.1.13)', () => {
    const attribute = derSequence(derOid('2.5.4.3'), derPrintableString('List 1'));
    const issuer = makeName('CA');
    const { kind, value } = relativeTo(issuer, readDer(derContext(1, attribute)));
    const parts = readDer(issuer).children.map(({ bytes }) => bytes);
    expect(kind).toBe(4);
    expect(value).toEqual(derSequence(...parts, derSetOf(attribute)));
  });
});

describe('problemOf', () => {
  it.each<[SigningErrorCode, string]>([
    ['NETWORK_REFUSED', 'UNREACHABLE'],
    ['NETWORK_UNREACHABLE', 'UNREACHABLE'],
    ['NETWORK_ANSWER_TOO_LARGE', 'UNREACHABLE'],
    ['CRL_UNSUPPORTED', 'UNSUPPORTED'],
    ['ALGORITHM_UNSUPPORTED', 'UNSUPPORTED'],
    ['LIMIT_EXCEEDED', 'UNSUPPORTED'],
    ['SIGNATURE_INVALID', 'SIGNATURE_INVALID'],
    ['REVOCATION_UNKNOWN', 'ANSWERED_UNKNOWN'],
    ['CRL_MALFORMED', 'MALFORMED'],
    ['OCSP_MALFORMED', 'MALFORMED'],
  ])('takes %s for %s', (code, expected) => {
    expect(problemOf(new SigningError(code, 'So it is.'))).toEqual({ code: expected, sentence: 'So it is.' });
  });

  it('keeps a problem as it is, and throws a cancelled call and foreign errors again', () => {
    const problem = { code: 'STALE', sentence: 'It is old.' } as const;
    expect(problemOf(new ProblemError(problem))).toBe(problem);
    for (const error of [new SigningError('CANCELLED', 'The work was cancelled.'), new TypeError('x')]) {
      expect(() => problemOf(error)).toThrow(error);
    }
  });
});

describe('problems without data', () => {
  it('say that nothing is fetched, and that the responder does not know the certificate', () => {
    expect(networkNotAllowed().problem).toEqual({
      code: 'NOT_ASKED',
      sentence: 'Revocation data is not fetched from the network here.',
    });
    expect(unknownCertificate().problem).toEqual({
      code: 'ANSWERED_UNKNOWN',
      sentence: 'The OCSP responder does not know the certificate.',
    });
  });
});

describe('the times of revocation data', () => {
  it('compares in whole seconds', () => {
    expect(isIssuedAfter(now, later(now, 999))).toBe(true);
    expect(isIssuedAfter(now, later(now, 1000))).toBe(false);
    expect(isIssuedAfter(now, now)).toBe(true);
  });

  it('takes the later of production and statement', () => {
    expect(issuedAtOf(day(1), day(0))).toEqual(day(1));
    expect(issuedAtOf(day(0), day(1))).toEqual(day(1));
  });

  it('lasts to the next update, or for a day', () => {
    expect(freshUntil({ thisUpdate: day(0), nextUpdate: day(3) })).toEqual(day(3));
    expect(freshUntil({ thisUpdate: day(0), nextUpdate: undefined })).toEqual(day(1));
  });

  const { certificate } = makeParty({ name: 'Holder', notAfter: day(10) });
  const period = (fields: Partial<UpdatePeriod> = {}): UpdatePeriod => ({
    thisUpdate: day(-1),
    nextUpdate: day(1),
    ...fields,
  });
  it.each<[string, UpdatePeriod, Date, Date, string | undefined]>([
    ['of now', period(), now, now, undefined],
    ['just ahead of the clock', period({ thisUpdate: later(now, CLOCK_SKEW) }), now, now, undefined],
    ['from the future', period({ thisUpdate: later(now, CLOCK_SKEW + 1) }), now, now, 'STALE'],
    ['that just reaches the time', period(), later(day(1), CLOCK_SKEW), day(1), undefined],
    ['that just misses the time', period(), later(day(1), CLOCK_SKEW + 1), day(1), 'STALE'],
    [
      'of the very end of the certificate',
      period({ thisUpdate: day(10), nextUpdate: day(12) }),
      now,
      day(11),
      undefined,
    ],
    [
      'of after the certificate',
      period({ thisUpdate: later(day(10), 1), nextUpdate: day(12) }),
      now,
      day(11),
      'NOT_COVERED',
    ],
    [
      'of after the certificate, which keeps expired ones since then',
      period({ thisUpdate: day(11), nextUpdate: day(12), expiredSince: day(10) }),
      now,
      day(11),
      undefined,
    ],
    [
      'of after the certificate, which keeps later ones',
      period({ thisUpdate: day(11), nextUpdate: day(12), expiredSince: later(day(10), 1) }),
      now,
      day(11),
      'NOT_COVERED',
    ],
  ])('judges data %s', (_, data, at, clock, code) => {
    expect(findFreshnessProblem(data, certificate, at, clock)?.code).toBe(code);
  });
});

describe('the signer of a list', () => {
  const { certificate } = makeParty({ name: 'CA', notBefore: day(0), notAfter: day(10) });

  it.each([
    ['at its beginning', later(day(0), -CLOCK_SKEW), true],
    ['before its beginning', later(day(0), -CLOCK_SKEW - 1), false],
    ['at its end', later(day(10), CLOCK_SKEW), true],
    ['behind its end', later(day(10), CLOCK_SKEW + 1), false],
  ])('is valid %s: %j', (_, thisUpdate, expected) => {
    expect(isValidFor(certificate, thisUpdate)).toBe(expected);
  });

  it.each([
    ['later, for another reason', later(now, 1), 'superseded', true],
    ['at the same time', now, 'superseded', false],
    ['later, because its key was lost', later(now, 1), 'keyCompromise', false],
    ['later, because the authority was lost', later(now, 1), 'cACompromise', false],
    ['later, because the attribute authority was lost', later(now, 1), 'aACompromise', false],
  ] as const)('may be revoked %s: %j', (_, time, reason, expected) => {
    expect(isAfter({ time, reason }, now)).toBe(expected);
  });
});
